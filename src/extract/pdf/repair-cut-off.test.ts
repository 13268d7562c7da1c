import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { makePdf } from "../../../test/support/files/pdf.ts";
import { readHere } from "../../../test/support/read-here.ts";
import { repairCutOff } from "./repair-cut-off.ts";

const three = makePdf([["The first page."], ["The second page."], ["The third page."]]);
const cutBefore = (mark: string) => three.subarray(0, three.lastIndexOf(mark));

describe("a PDF that is cut off", () => {
  test("before its list of objects is read completely, and a warning says so", async () => {
    const { text, warnings } = await readHere("file.pdf", cutBefore("\nxref"));
    expect(text).toContain("The first page.");
    expect(text).toContain("The third page.");
    expect(warnings).toEqual([{ code: "pdfCutOffPartlyRead", values: ["3"] }]);
  });

  test("in its last page gives the pages before", async () => {
    const { text, warnings } = await readHere("file.pdf", cutBefore("(The third page.)"));
    expect(text).toContain("The first page.");
    expect(text).toContain("The second page.");
    expect(text).not.toContain("third");
    expect(warnings[0]?.code).toMatch(/PartlyRead$/);
  });

  test("and has lost its root gives its pages in file order", async () => {
    const rootless = cutBefore("\nxref").toString("latin1").replace("/Catalog", "/Cat_log");
    const { text } = await readHere("file.pdf", Buffer.from(rootless, "latin1"));
    expect(text.indexOf("The first")).toBeLessThan(text.indexOf("The second"));
  });

  test("and keeps its objects in compressed streams is read too", async () => {
    const { text } = await readHere("file.pdf", withPackedObjects());
    expect(text).toContain("Packed away.");
  });

  test("before its first page is refused with advice", async () => {
    await expect(readHere("file.pdf", three.subarray(0, 60))).rejects.toMatchObject({
      code: "CORRUPT_FILE",
      message: expect.stringMatching(/its end is missing.*Get a new copy/),
    });
  });

  test("is not inflated without bound", () => {
    const bomb = Buffer.from(deflateSync(Buffer.alloc(5_000_000, 32)));
    const bytes = Buffer.concat([
      Buffer.from("%PDF-1.5\n1 0 obj\n<</Type/ObjStm/N 1/First 4>>\nstream\n"),
      bomb,
    ]);
    expect(repairCutOff(bytes, 1_000_000)).toBeUndefined();
  });
});

/** A page and its resources in one compressed stream; only the page's text is outside it. */
function withPackedObjects(): Buffer {
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 4 0 R>>>>/Contents 6 0 R>>",
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ];
  let at = 0;
  const header = objects.map((object, index) => {
    const entry = `${index + 1} ${at}`;
    at += object.length + 1;
    return entry;
  });
  const first = `${header.join(" ")} `;
  const packed = deflateSync(Buffer.from(first + objects.join(" ")));
  const content = "BT /F1 11 Tf 60 700 Td (Packed away.) Tj ET";
  return Buffer.concat([
    Buffer.from(
      `%PDF-1.5\n5 0 obj\n<</Type/ObjStm/N 4/First ${first.length}/Filter/FlateDecode/Length ${packed.length}>>\nstream\n`,
    ),
    packed,
    Buffer.from(
      `\nendstream\nendobj\n6 0 obj\n<</Length ${content.length}>>\nstream\n${content}\nendstream\nendobj\n`,
    ),
  ]);
}
