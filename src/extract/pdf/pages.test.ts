// Which pages are sent to OCR: it takes seconds for each, so only those on which there is something to recognise.
import { LiteParse } from "@llamaindex/liteparse";
import { describe, expect, test } from "vitest";
import {
  makePdfOfPages,
  makePdfPage,
  makeStream,
  STROKES,
} from "../../../test/support/files/raw-pdf.ts";
import { readHere } from "../../../test/support/read-here.ts";
import { needsOcr } from "./pages.ts";
import { PDF_OPTIONS } from "./parse.ts";

const FONT = "/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>";
const show = (text: string, x = 50, y = 700) => `BT/F 12 Tf ${x} ${y} Td(${text})Tj ET`;
const PIXELS = "/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8";
const PICTURE = makeStream("abba", `/Type/XObject/Subtype/Image${PIXELS}`);
const form = (content: string, resources = "") =>
  makeStream(content, `/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<<${resources}>>`);
const paint = (width: number, height: number) => `q ${width} 0 0 ${height} 40 40 cm /I Do Q`;
const AS_PICTURE = { resources: "/XObject<</I 4 0 R>>", more: [PICTURE] };
const OUTLINES = Array.from({ length: 60 }, (_, at) => {
  const [x, y] = [50 + at * 8, 700];
  return `${x} ${y} m ${x + 3} ${y + 8} ${x + 6} ${y + 8} ${x + 7} ${y} c h f`;
}).join("\n");

async function isSentToOcr(bytes: Buffer): Promise<boolean> {
  const { pages } = await new LiteParse(PDF_OPTIONS).parse(bytes);
  return pages.some(needsOcr);
}

describe("a page is not sent to OCR if it", () => {
  test.each([
    ["is empty", makePdfPage("")],
    ["has a space", makePdfPage(show(" "), { resources: FONT })],
    ["has a page number", makePdfPage(show("12", 300, 20), { resources: FONT })],
    ["has a letter that is not shown", makePdfPage(`3 Tr ${show("x")}`, { resources: FONT })],
    ["has a rule", makePdfPage("10 10 m 300 10 l S")],
    ["has a form without content", makePdfPage("/I Do", { ...AS_PICTURE, more: [form("")] })],
  ])("%s", async (_, bytes) => {
    expect(await isSentToOcr(bytes)).toBe(false);
  });
});

describe("a page without text is sent to OCR if it has", () => {
  const inForm = [form(paint(500, 700), "/XObject<</I 5 0 R>>"), PICTURE];
  const stamp = "/Annots[<</Type/Annot/Subtype/Stamp/Rect[50 50 400 400]/AP<</N 4 0 R>>>>]";
  test.each([
    ["a picture on all of it", makePdfPage(paint(600, 800), AS_PICTURE)],
    ["a small picture", makePdfPage(paint(90, 20), AS_PICTURE)],
    ["a picture in a form", makePdfPage("/I Do", { ...AS_PICTURE, more: inForm })],
    ["letters as outlines", makePdfPage(OUTLINES)],
    [
      "letters as outlines in a form",
      makePdfPage("/I Do", { ...AS_PICTURE, more: [form(OUTLINES)] }),
    ],
    ["letters as strokes", makePdfPage(OUTLINES.replaceAll("h f", "S"))],
    [
      "a page number and a picture",
      makePdfPage(`${show("12", 300, 20)} ${paint(500, 700)}`, {
        ...AS_PICTURE,
        resources: `${AS_PICTURE.resources}${FONT}`,
      }),
    ],
    ["a stamp", makePdfPage("", { entries: stamp, more: [form(OUTLINES)] })],
  ])("%s", async (_, bytes) => {
    expect(await isSentToOcr(bytes)).toBe(true);
  });

  test("strokes that could be letters", async () => {
    expect(await isSentToOcr(makePdfOfPages(1, STROKES))).toBe(true);
  });
});

test("a file with hundreds of empty pages says so in a few words", async () => {
  const refusal = await readHere("file.pdf", makePdfOfPages(400, "")).catch((error) => error);
  expect(refusal).toMatchObject({ code: "EMPTY_DOCUMENT" });
  expect(refusal.message.length).toBeLessThan(300);
});
