// A Word table → rows of cell texts, merged cells filled; nothing when it only lays out the page.

import { child, descendants, elements, textOf, type XmlElement } from "../xml.ts";
import { type ParagraphText, paragraphText, type Surroundings } from "./text.ts";
import { isOn } from "./unseen.ts";

export interface DocxTable {
  readonly rows: readonly (readonly string[])[];
  readonly headerRows: number;
  /** What is anchored to the cells' paragraphs. */
  readonly attached: readonly ParagraphText[];
}

// A longer cell is part of the page layout, not data.
const MAX_CELL_LENGTH = 1_500;
const MAX_REPEAT = 80;
const MAX_COLUMNS = 200;

export function tableRows(table: XmlElement, around: Surroundings): DocxTable | undefined {
  const rows: string[][] = [];
  const attached: ParagraphText[] = [];
  let headerRows = 0;
  // Styles shade a table's rows and columns.
  const isWhite =
    around.isWhite &&
    child(table, "tblPr", "tblStyle") === undefined &&
    descendants(table, "shd").length === 0;
  for (const row of within(table, "tr")) {
    const properties = child(row, "trPr");
    if (child(properties, "del") !== undefined) continue;
    if (isOn(child(properties, "hidden"))) {
      attached.push(hiddenRow(row, around));
      continue;
    }
    if (child(properties, "tblHeader") !== undefined && headerRows === rows.length) headerRows += 1;
    const line = readRow(row, rows.at(-1) ?? [], { attached, ...around, isWhite });
    if (line === undefined) return undefined;
    rows.push(line);
  }
  if (rows.every((line) => line.filter((cell) => cell !== "").length <= 1)) return undefined;
  return { rows, headerRows: Math.max(1, headerRows), attached };
}

/** Undefined if the row shows that the table lays out the page. */
function readRow(
  row: XmlElement,
  above: readonly string[],
  { attached, ...around }: Surroundings & { readonly attached: ParagraphText[] },
) {
  const before = Number(child(row, "trPr", "gridBefore")?.attributes["val"] ?? 0);
  const line = new Array<string>(Math.max(0, Math.min(before, MAX_COLUMNS))).fill("");
  for (const cell of within(row, "tc")) {
    if (descendants(cell, "tbl").length > 0) return undefined;
    const paragraphs = descendants(cell, "p").map((each) => paragraphText(each, around));
    attached.push(...paragraphs);
    const texts = paragraphs.map((one) => one.text).filter((one) => one !== "");
    const text = texts.join("\n");
    if (text.length > MAX_CELL_LENGTH) return undefined;
    line.push(...spread(cell, text, above[line.length] ?? ""));
  }
  return line;
}

function hiddenRow(row: XmlElement, around: Surroundings): ParagraphText {
  const text = descendants(row, "t").map(textOf).join(" ");
  return { ...paragraphText({ ...row, children: [] }, around), hidden: [{ kind: "hidden", text }] };
}

function spread(cell: XmlElement, text: string, above: string): readonly string[] {
  const properties = child(cell, "tcPr");
  const merge = child(properties, "vMerge");
  const continues = merge !== undefined && merge.attributes["val"] !== "restart";
  const shown = continues && text === "" && above.length <= MAX_REPEAT ? above : text;
  const span = Number(child(properties, "gridSpan")?.attributes["val"] ?? 1);
  const columns = Math.min(MAX_COLUMNS, Math.max(1, span));
  return [shown, ...Array.from({ length: columns - 1 }, () => "")];
}

/** Rows and cells may be wrapped in content controls and tracked insertions. */
function within(parent: XmlElement, name: string): readonly XmlElement[] {
  return elements(parent).flatMap((element) => {
    if (element.name === name) return [element];
    return ["sdt", "sdtContent", "ins", "customXml"].includes(element.name)
      ? within(element, name)
      : [];
  });
}
