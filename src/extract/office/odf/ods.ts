// Workbooks of LibreOffice and its relatives: sheet by sheet the filled cells as tables.
import { corrupt, overLimit } from "../../limits.ts";
import type { ReadContext, ReadOutcome } from "../../reader.ts";
import { isNumber } from "../../tables/shape.ts";
import { writeRegions } from "../xlsx/regions.ts";
import type { SheetRow } from "../xlsx/sheet.ts";
import { eachElement, type XmlElement } from "../xml.ts";
import { openOdf } from "./odf.ts";
import { type OdfRow, tableRows } from "./table.ts";

export async function readOds({ bytes, limits, out, progress }: ReadContext): Promise<ReadOutcome> {
  const { content, title } = await openOdf(bytes, limits);
  const sheets: XmlElement[] = [];
  eachElement(content, limits.xmlDepth, new Set(["table"]), (sheet) => sheets.push(sheet));
  if (sheets.length === 0) throw corrupt("The workbook has no sheets.");
  let cellsLeft = limits.cells;
  for (const [at, sheet] of sheets.entries()) {
    const name = sheet.attributes["name"] ?? `Sheet ${at + 1}`;
    const rows = toSheetRows(tableRows(sheet));
    cellsLeft -= rows.reduce((sum, row) => sum + row.cells.size, 0);
    if (cellsLeft < 0) throw overLimit(`it has more than ${limits.cells} filled cells`);
    out.at({ sheet: name });
    if (rows.length > 0) out.heading(2, name);
    writeRegions(out, rows);
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
