import { describe, expect, test } from "vitest";
import {
  docxTable,
  heading,
  makeDocx,
  paragraph,
  part,
} from "../../../../test/support/files/office.ts";
import { readHere } from "../../../../test/support/read-here.ts";

const read = (bytes: Buffer) => readHere("sample.docx", bytes);

describe("a Word document", () => {
  test("shows a text box once, though it is stored for new and old readers", async () => {
    const box = (text: string) => `<w:txbxContent>${paragraph(text)}</w:txbxContent>`;
    const drawing = `<mc:AlternateContent><mc:Choice>${box("Boxed words")}</mc:Choice><mc:Fallback>${box("Boxed words")}</mc:Fallback></mc:AlternateContent>`;
    const { text } = await read(
      makeDocx({ body: `<w:p><w:r>${drawing}</w:r></w:p>${paragraph("After.")}` }),
    );
    expect(text.match(/Boxed words/g)).toHaveLength(1);
  });

  test("leaves out deleted, moved-away and hidden text, keeps inserted text", async () => {
    const run = (text: string, properties = "") =>
      `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;
    const body = `<w:p>${run("Kept. ")}<w:del><w:r><w:delText>Gone. </w:delText></w:r></w:del><w:moveFrom>${run("Moved. ")}</w:moveFrom><w:ins>${run("Added. ")}</w:ins>${run("Secret.", "<w:vanish/>")}</w:p>`;
    const { text } = await read(makeDocx({ body }));
    expect(text).toBe("Kept. Added.");
  });

  test("puts footnotes and comments after the paragraph they belong to", async () => {
    const body = `<w:p><w:r><w:t>Claim.</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:commentReference w:id="7"/></w:r></w:p>${paragraph("Next.")}`;
    const { text, blocks } = await read(
      makeDocx({
        body,
        relations: { r1: ["footnotes", "footnotes.xml"], r2: ["comments", "comments.xml"] },
        parts: {
          "word/footnotes.xml": part(
            "w:footnotes",
            `<w:footnote w:id="2">${paragraph("The source.")}</w:footnote>`,
          ),
          "word/comments.xml": part(
            "w:comments",
            `<w:comment w:id="7" w:author="Mia">${paragraph("Really?")}</w:comment>`,
          ),
        },
      }),
    );
    expect(text).toBe(
      "Claim.\n\n> **Footnote:** The source.\n\n> **Comment by Mia:** Really?\n\nNext.",
    );
    expect(blocks.map((block) => block.kind)).toEqual(["paragraph", "note", "note", "paragraph"]);
  });

  test("numbers lists as Word shows them", async () => {
    const level = (at: number, format: string, pattern: string) =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${pattern}"/></w:lvl>`;
    const numbering = `<w:abstractNum w:abstractNumId="0">${level(0, "decimal", "%1.")}${level(1, "lowerLetter", "(%2)")}</w:abstractNum><w:abstractNum w:abstractNumId="1">${level(0, "bullet", "•")}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>`;
    const item = (text: string, list: number, at = 0) =>
      paragraph(text, `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr>`);
    const { text } = await read(
      makeDocx({
        body:
          item("One", 1) +
          item("Inner", 1, 1) +
          item("Two", 1) +
          paragraph("Break.") +
          item("Dot", 2) +
          item("Three", 1),
        relations: { r1: ["numbering", "numbering.xml"] },
        parts: { "word/numbering.xml": part("w:numbering", numbering) },
      }),
    );
    expect(text).toBe("1. One\n  (a) Inner\n2. Two\n\nBreak.\n\n- Dot\n3. Three");
  });

  test("repeats a label that is merged over rows, not one over columns", async () => {
    const cell = (text: string, properties: string) =>
      `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`;
    const body = docxTable([
      ["Group", "Item", "Price"],
      [cell("Fruit", '<w:vMerge w:val="restart"/>'), "Apple", "2"],
      [cell("", "<w:vMerge/>"), "Pear", "3"],
      [cell("Total of all", '<w:gridSpan w:val="2"/>'), "5"],
    ]);
    const { text } = await read(makeDocx({ body }));
    expect(text.split("\n").slice(2)).toEqual([
      "| Fruit | Apple | 2 |",
      "| Fruit | Pear | 3 |",
      "| Total of all |  | 5 |",
    ]);
  });

  test("reads a table that only frames the page as text", async () => {
    const { text } = await read(
      makeDocx({
        body: docxTable([[`<w:tc>${heading(2, "Inside")}${paragraph("Framed words.")}</w:tc>`]]),
      }),
    );
    expect(text).toBe("## Inside\n\nFramed words.");
  });

  test("treats bold lines as headings if there are no heading styles", async () => {
    const bold = "<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>Scope of work</w:t></w:r></w:p>";
    const { blocks } = await read(makeDocx({ body: bold + paragraph("All of it.") }));
    expect(blocks.map((block) => block.kind)).toEqual(["heading", "paragraph"]);
  });

  test("is refused if it contains a document type definition", async () => {
    const body =
      '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><w:document><w:body><w:p><w:r><w:t>&e;</w:t></w:r></w:p></w:body></w:document>';
    await expect(
      read(makeDocx({ body: "", parts: { "word/document.xml": body } })),
    ).rejects.toMatchObject({ code: "CORRUPT_FILE" });
  });
});
