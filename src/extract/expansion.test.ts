// A small file must not become a huge text, whichever way its format has to say "the same again".
import { describe, expect, test } from "vitest";
import { makeEpub, makeOdf } from "../../test/support/files/odf.ts";
import { docxTable, makeDocx, makeXlsx } from "../../test/support/files/office.ts";
import { makeZip } from "../../test/support/files/zip.ts";
import { readHere } from "../../test/support/read-here.ts";

const WORDS = "the same words again and again ";
const LONG = WORDS.repeat(300);

const cell = (text: string, more = "") =>
  `<table:table-cell ${more}><text:p>${text}</text:p></table:table-cell>`;
const odsTable = (rows: number, columns: number, text: string) =>
  `<table:table table:name="A"><table:table-row table:number-rows-repeated="${rows}">${cell(text, `table:number-columns-repeated="${columns}"`)}</table:table-row></table:table>`;

/** The same chapter, as often as the spine names it. */
function epubSpine(times: number): Buffer {
  const book = makeEpub("Book", [`<p>${LONG}</p>`]).toString("latin1");
  const [opf = ""] = /<package>.*<\/package>/.exec(book) ?? [];
  return makeZip({
    mimetype: "application/epub+zip",
    "META-INF/container.xml":
      '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    "OEBPS/book.opf": opf.replace(
      /<spine>.*<\/spine>/,
      `<spine>${'<itemref idref="c0"/>'.repeat(times)}</spine>`,
    ),
    "OEBPS/c0.xhtml": `<html><body><p>${LONG}</p></body></html>`,
  });
}

/** One page object, as often as the tree of pages names it. */
function pdfPages(times: number): Buffer {
  const text = `BT /F1 9 Tf 9 700 Td ${`(${WORDS.repeat(3)}) Tj 0 -10 Td `.repeat(60)} ET`;
  return Buffer.from(
    [
      "%PDF-1.4",
      "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj",
      `2 0 obj<</Type/Pages/Count ${times}/Kids[${"3 0 R ".repeat(times)}]>>endobj`,
      "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj",
      `4 0 obj<</Length ${text.length}>>stream\n${text}\nendstream endobj`,
      "5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj",
      "trailer<</Root 1 0 R>>\n%%EOF",
    ].join("\n"),
  );
}

const xlsxRows = (count: number, toCells: (row: number) => string) =>
  Array.from({ length: count }, (_, at) => `<row r="${at + 1}">${toCells(at + 1)}</row>`).join("");
const sharedString = (row: number) => `<c r="A${row}" t="s"><v>0</v></c>`;
const farRight = (row: number) =>
  `<c r="A${row}"><v>1</v></c><c r="${row === 1 ? "XFD" : "B"}${row}"><v>2</v></c>`;

const CASES: Readonly<Record<string, () => readonly [name: string, bytes: Buffer | string]>> = {
  "repeated rows and columns": () => [
    "a.ods",
    makeOdf("spreadsheet", odsTable(1_000_000, 1_000, "word")),
  ],
  "repeated rows of a text's table": () => ["a.odt", makeOdf("text", odsTable(9_999, 900, "word"))],
  "repeated columns of a slide's table": () => [
    "a.odp",
    makeOdf(
      "presentation",
      `<draw:page><draw:frame>${odsTable(999_999, 999, "word")}</draw:frame></draw:page>`.repeat(9),
    ),
  ],
  "a shared string in every row": () => [
    "a.xlsx",
    makeXlsx({ sheets: [{ name: "A", rows: xlsxRows(999, sharedString) }], strings: [LONG] }),
  ],
  "a cell far to the right": () => [
    "a.xlsx",
    makeXlsx({ sheets: [{ name: "A", rows: xlsxRows(500, farRight) }] }),
  ],
  "a chapter named over and over": () => ["a.epub", epubSpine(2_000)],
  "a page named over and over": () => ["a.pdf", pdfPages(150)],
  "cells that span rows and columns": () => [
    "a.html",
    `<table><tr>${`<td rowspan="200" colspan="9">${WORDS}</td>`.repeat(20)}</tr>${"<tr></tr>".repeat(2_000)}</table>`,
  ],
  "one wide row above many": () => ["a.csv", `${"a,".repeat(3_000)}\n${"b\n".repeat(3_000)}`],
  "cells of a Word table": () => [
    "a.docx",
    makeDocx({
      body: docxTable([Array(300).fill("a"), ...Array.from({ length: 2_000 }, () => ["b"])]),
    }),
  ],
  "entities that name entities": () => [
    "a.xml",
    `<!DOCTYPE a [<!ENTITY b "${LONG}"><!ENTITY c "${"&b;".repeat(99)}"><!ENTITY d "${"&c;".repeat(99)}">]><a>&d;</a>`,
  ],
  "aliases that name aliases": () => [
    "a.yaml",
    `a: &a [${Array(99).fill("word").join(", ")}]\nb: &b [${Array(99).fill("*a").join(", ")}]\nc: [${Array(99).fill("*b").join(", ")}]`,
  ],
  "drawings that use drawings": () => [
    "a.svg",
    `<svg xmlns="http://www.w3.org/2000/svg"><text id="a">${LONG}</text>${Array.from({ length: 500 }, () => '<use href="#a"/>').join("")}</svg>`,
  ],
  "a mail in a mail": () => ["a.eml", nestedMail(3)],
};

function nestedMail(depth: number): string {
  if (depth === 0) return `Subject: x\n\n${LONG}`;
  const inner = nestedMail(depth - 1);
  const part = `--b${depth}\nContent-Type: message/rfc822\n\n${inner}\n`;
  return `Subject: x\nContent-Type: multipart/mixed; boundary=b${depth}\n\n${part.repeat(2)}--b${depth}--`;
}

/** What a file of this size may have, whatever its format. */
const room = (bytes: number) => Math.max(200_000, 20 * bytes);

describe("a small file that repeats itself has a text that fits its size, or is refused", () => {
  test.each(Object.entries(CASES))("%s", async (_how, make) => {
    const [name, content] = make();
    const outcome = await readHere(name, content).catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome).toMatchObject({ code: "EXTRACTION_LIMIT" });
    else {
      const { text } = outcome as { text: string };
      expect(text.length).toBeLessThanOrEqual(room(Buffer.byteLength(content)));
    }
  });

  test("the refusal says what to do", async () => {
    const bytes = makeOdf("spreadsheet", odsTable(1_000, 1_000, "word"));
    expect(bytes.length).toBeLessThan(2_000);
    await expect(readHere("a.ods", bytes)).rejects.toMatchObject({
      code: "EXTRACTION_LIMIT",
      message: expect.stringMatching(/200000 characters.*Split it, or save it again/),
    });
  });

  test("a table of ordinary repeats is read", async () => {
    const bytes = makeOdf("spreadsheet", odsTable(500, 20, "0"));
    const { text } = await readHere("a.ods", bytes);
    expect(text.match(/\| 0/g)).toHaveLength(500 * 20);
  });
});
