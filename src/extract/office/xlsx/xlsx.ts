// Workbooks: sheet by sheet the filled cells as tables, values as they are shown, comments and text boxes.

import { corrupt, overLimit } from "../../failures.ts";
import { hideInstructions } from "../../hidden/metadata.ts";
import type { ExtractLimits } from "../../limits.ts";
import type { ReadContext, ReadOutcome } from "../../reader.ts";
import type { Writer } from "../../writer.ts";
import { type OfficeFile, openOffice, type Relation, targetOf } from "../office.ts";
import { child, descendants, eachElement, elements, textOf, type XmlElement } from "../xml.ts";
import { openCellStyles } from "./number-format.ts";
import { rowsText, writeRegions } from "./regions.ts";
import { type CellReading, readSheet, type SheetRow, stringText } from "./sheet.ts";
import { openUnseenStyles } from "./unseen.ts";

export async function readXlsx({
  bytes,
  limits,
  out,
  progress,
}: ReadContext): Promise<ReadOutcome> {
  const office = await openOffice(bytes, limits);
  const workbook = await office.tree(office.main);
  const relations = await office.relations(office.main);
  const sheets = elements(child(workbook, "sheets"));
  if (sheets.length === 0) throw corrupt("The workbook has no sheets.");
  const reading = await openReading(office, workbook, relations, limits);
  for (const [at, sheet] of sheets.entries()) {
    const name = sheet.attributes["name"] ?? `Sheet ${at + 1}`;
    const part = relations.get(sheet.attributes["r:id"] ?? "")?.target ?? "";
    out.at({ sheet: name });
    const { state = "visible" } = sheet.attributes;
    await writeSheet(out, office, { name, part, reading, isHidden: state !== "visible" });
    out.report("text");
    progress({ done: at + 1, total: sheets.length, unit: "sheet" });
  }
  hideInstructions(out, office.properties);
  // A sheet's name is not a title, so the title may stay empty.
  return { method: "text_extraction", title: office.title };
}

async function openReading(
  office: OfficeFile,
  workbook: XmlElement | undefined,
  relations: ReadonlyMap<string, Relation>,
  limits: ExtractLimits,
): Promise<CellReading> {
  const target = (type: string) => targetOf(relations, type) ?? "";
  const date1904 = ["1", "true"].includes(
    child(workbook, "workbookPr")?.attributes["date1904"] ?? "",
  );
  const strings = await office.part(target("sharedStrings"));
  const styles = await office.tree(target("styles"));
  return {
    limits,
    strings: strings === undefined ? [] : sharedStrings(strings, limits),
    formatOf: openCellStyles(styles, date1904),
    unseenOf: openUnseenStyles(styles),
    cellsLeft: limits.cells,
  };
}

function sharedStrings(part: Buffer, limits: ExtractLimits): readonly string[] {
  const strings: string[] = [];
  let characters = 0;
  eachElement(part, limits.xmlDepth, new Set(["si"]), (item) => {
    const text = stringText(item);
    characters += text.length;
    if (characters > limits.characters) throw overLimit("its shared strings are too long");
    strings.push(text);
  });
  return strings;
}

interface SheetPart {
  readonly name: string;
  readonly part: string;
  readonly reading: CellReading;
  readonly isHidden: boolean;
}

async function writeSheet(
  out: Writer,
  office: OfficeFile,
  { name, part, reading, isHidden }: SheetPart,
): Promise<void> {
  const bytes = await office.part(part);
  if (bytes === undefined) return;
  const relations = [...(await office.relations(part)).values()];
  const { rows, hidden } = readSheet(bytes, reading);
  const boxes = await textBoxes(office, relations);
  const comments = await sheetComments(office, relations);
  // Cells that are hidden one by one are read together.
  for (const [kind, cells] of Map.groupBy(hidden, (cell) => cell.kind))
    out.hide(kind, cells.map(({ text }) => text).join("\n"));
  if (isHidden) return out.hide("hidden", allText(rows, boxes, comments));
  if (rows.length + boxes.length + comments.length === 0) return;
  out.heading(2, name);
  writeRegions(out, rows);
  for (const box of boxes) out.paragraph(box);
  for (const { cell, text } of comments) out.note(`Comment on ${cell}`, text);
}

function allText(
  rows: readonly SheetRow[],
  boxes: readonly string[],
  comments: readonly CellComment[],
): string {
  return [rowsText(rows), ...boxes, ...comments.map(({ text }) => text)].join("\n");
}

async function textBoxes(
  office: OfficeFile,
  relations: readonly Relation[],
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const { type, target } of relations) {
    const drawing = type === "drawing" ? await office.tree(target) : undefined;
    for (const body of descendants(drawing, "txBody")) {
      const lines = descendants(body, "p").map((line) =>
        descendants(line, "t").map(textOf).join(""),
      );
      const text = lines.join("\n").trim();
      if (text !== "" && !texts.includes(text)) texts.push(text);
    }
  }
  return texts;
}

interface CellComment {
  readonly cell: string;
  readonly text: string;
}

async function sheetComments(
  office: OfficeFile,
  relations: readonly Relation[],
): Promise<readonly CellComment[]> {
  const found: CellComment[] = [];
  for (const { type, target } of relations) {
    if (type !== "comments" && type !== "threadedComment") continue;
    const name = type === "comments" ? "comment" : "threadedComment";
    found.push(...descendants(await office.tree(target), name).flatMap(toCellComment));
  }
  return found;
}

function toCellComment(comment: XmlElement): readonly CellComment[] {
  const whole = child(comment, "text");
  const isRuns = whole !== undefined && comment.name === "comment";
  const text = isRuns ? descendants(whole, "t").map(textOf).join("").trim() : textOf(whole).trim();
  // Older programs show this text for a threaded comment; the thread itself is read instead.
  const isShown = text !== "" && !text.startsWith("[Threaded comment]");
  return isShown ? [{ cell: comment.attributes["ref"] ?? "", text }] : [];
}
