// Workbooks of LibreOffice and its relatives: sheet by sheet the filled cells as tables.
import { corrupt, overLimit } from "../../failures.ts";
import type { ReadContext, ReadOutcome } from "../../reader.ts";
import { isNumber } from "../../tables/shape.ts";
import { writeRegions } from "../xlsx/regions.ts";
import type { SheetRow } from "../xlsx/sheet.ts";
import { descendants } from "../xml.ts";
import { type OdfElement, openOdf, paragraphs } from "./odf.ts";
import { type OdfRow, tableRows } from "./table.ts";

export async function readOds(context: ReadContext): Promise<ReadOutcome> {
  const { limits, out, progress } = context;
  const { each, title } = await openOdf(context);
  const sheets: OdfElement[] = [];
  each(["table"], (sheet) => sheets.push(sheet));
  if (sheets.length === 0) throw corrupt("The workbook has no sheets.");
  let cellsLeft = limits.cells;
  for (const [at, { attributes, see }] of sheets.entries()) {
    const { name = `Sheet ${at + 1}` } = attributes;
    out.at({ sheet: name });
    const sheet = see() ?? { name: "table", attributes, children: [] };
    const rows = toSheetRows(tableRows(sheet));
    cellsLeft -= rows.reduce((sum, row) => sum + row.cells.size, 0);
    if (cellsLeft < 0) throw overLimit(`it has more than ${limits.cells} filled cells`);
    const comments = descendants(sheet, "annotation").map(paragraphs);
    if (rows.length + comments.length > 0) out.heading(2, name);
    writeRegions(out, rows);
    for (const comment of comments) out.note("Comment", comment);
    out.report("text");
    progress({ done: at + 1, total: sheets.length, unit: "sheet" });
  }
  return { method: "text_extraction", title };
}

function toSheetRows(rows: readonly OdfRow[]): readonly SheetRow[] {
  const made: SheetRow[] = [];
  let number = 0;
  for (const { cells, repeated } of rows) {
    const filled = new Map(
      cells.flatMap((text, column) =>
        text === "" ? [] : [[column, { text, number: isNumber(text) }] as const],
      ),
    );
    for (let at = 0; at < repeated && filled.size > 0; at += 1)
      made.push({ row: number + at + 1, cells: filled });
    number += repeated;
  }
  return made;
}
