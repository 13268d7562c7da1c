// A Word table → rows of cell texts, merged cells filled; nothing when it only lays out the page.

import { type GridCell, spanOf, toGrid } from "../../tables/grid.ts";
import { child, descendants, elements, textOf, type XmlElement } from "../xml.ts";
import { type ParagraphText, paragraphText, type Surroundings } from "./text.ts";
import { isOn } from "./unseen.ts";

export interface DocxTable {
  readonly rows: readonly (readonly string[])[];
  readonly headerRows?: number;
  /** What is anchored to the cells' paragraphs. */
  readonly attached: readonly ParagraphText[];
}

// A longer cell is part of the page layout, not data.
const MAX_CELL_LENGTH = 1_500;

export function tableRows(table: XmlElement, around: Surroundings): DocxTable | undefined {
  const rows: (readonly GridCell[])[] = [];
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
    const line = readRow(row, { attached, ...around, isWhite });
    if (line === undefined) return undefined;
    rows.push(line);
  }
  if (rows.every((line) => line.filter(({ text }) => text !== "").length <= 1)) return undefined;
  return { rows: toGrid(rows), attached, ...(headerRows === 0 ? {} : { headerRows }) };
}

/** Undefined if the row shows that the table lays out the page. */
function readRow(
  row: XmlElement,
  { attached, ...around }: Surroundings & { readonly attached: ParagraphText[] },
) {
  const before = child(row, "trPr", "gridBefore")?.attributes["val"];
  const line: GridCell[] = before === undefined ? [] : [{ text: "", columns: spanOf(before) }];
  for (const cell of within(row, "tc")) {
    if (descendants(cell, "tbl").length > 0) return undefined;
    const paragraphs = descendants(cell, "p").map((each) => paragraphText(each, around));
    attached.push(...paragraphs);
    const texts = paragraphs.map((one) => one.text).filter((one) => one !== "");
    const text = texts.join("\n");
    if (text.length > MAX_CELL_LENGTH) return undefined;
    const columns = spanOf(child(cell, "tcPr", "gridSpan")?.attributes["val"]);
    const merge = child(cell, "tcPr", "vMerge");
    const continues = merge !== undefined && merge.attributes["val"] !== "restart";
    line.push({ text, columns, continues });
  }
  return line;
}

function hiddenRow(row: XmlElement, around: Surroundings): ParagraphText {
  const text = descendants(row, "t").map(textOf).join(" ");
  return { ...paragraphText({ ...row, children: [] }, around), hidden: [{ kind: "hidden", text }] };
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
