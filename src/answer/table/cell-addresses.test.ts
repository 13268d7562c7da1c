// Which cell an answer is from, for every format that has tables: from the file's bytes to the citation.
import { expect, test } from "vitest";
import { asStored } from "../../../test/fixtures/table-document.ts";
import {
  docxTable,
  makeDocx,
  makePptx,
  makeXlsx,
  paragraph,
  row,
  shape,
} from "../../../test/support/files/office.ts";
import { readHere } from "../../../test/support/read-here.ts";
import { answerFromPassages } from "../answer-from-passages.ts";

const HEADER = ["Part", "Shelf", "Stock"];
const BODY = [
  ["Gear pump", "B4", "18"],
  ["Check valve", "C1", "240"],
  ["Hose clamp", "A9", "75"],
] as const;
const ROWS = [HEADER, ...BODY];
const QUERY = "What is the stock of the check valve?";

const html = (rows: readonly (readonly string[])[]) =>
  `<table>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("")}</table>`;

const slideTable = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${ROWS.map(
  (cells) =>
    `<a:tr>${cells.map((cell) => `<a:tc><a:txBody><a:p><a:r><a:t>${cell}</a:t></a:r></a:p></a:txBody></a:tc>`).join("")}</a:tr>`,
).join("")}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;

const STRINGS = [...HEADER, ...BODY.flat()];
const sheetRows = [
  // The table begins in the second column of the third row.
  row(3, ["", "s0", "s1", "s2"]),
  ...BODY.map(([, , stock], at) =>
    row(4 + at, ["", `s${3 + at * 2}`, `s${4 + at * 2}`, Number(stock)]),
  ),
].join("");

test.each([
  [
    "XLSX: the sheet's own addresses",
    "parts.xlsx",
    makeXlsx({ sheets: [{ name: "Store", rows: sheetRows }], strings: STRINGS }),
    { sheet: "Store", table: { header: HEADER, cells: ["D5"] } },
  ],
  [
    "CSV: the addresses that a spreadsheet shows",
    "parts.csv",
    ROWS.map((cells) => cells.join(",")).join("\n"),
    { table: { header: HEADER, cells: ["C3"] } },
  ],
  [
    "HTML: the second of two tables",
    "parts.html",
    `<h1>Store</h1>${html([
      ["Hall", "Open"],
      ["East", "yes"],
      ["West", "no"],
    ])}<p>All parts:</p>${html(ROWS)}`,
    { table: { header: HEADER, number: 2, cells: ["R3C3"] } },
  ],
  [
    "DOCX",
    "parts.docx",
    makeDocx({ body: `${paragraph("All parts in the store.")}${docxTable(ROWS)}` }),
    { table: { header: HEADER, number: 1, cells: ["R3C3"] } },
  ],
  [
    "PPTX: with its slide",
    "parts.pptx",
    makePptx([{ shapes: shape(["Store"], "title") }, { shapes: slideTable }]),
    { slide: 2, table: { header: HEADER, number: 1, cells: ["R3C3"] } },
  ],
] as const)("%s", async (_, filename, content, location) => {
  const { found, reading } = asStored(await readHere(filename, content), filename);
  const outcome = await answerFromPassages({ query: QUERY, found, maxResults: 4 }, reading);
  expect(outcome.answer).toMatch(/^Stock: 240 \(/);
  expect(outcome.citations[0]?.location).toMatchObject(location);
});
