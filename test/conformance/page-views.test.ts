// Page images, rendered by the readers' processes from real and from hostile files.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { imageSize } from "image-size";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PageRequest } from "../../src/extract/extract.ts";
import { makePptx, placedShape } from "../support/files/office.ts";
import { makePdf } from "../support/files/pdf.ts";
import { makePdfPage } from "../support/files/raw-pdf.ts";
import { type TempExtract, tempExtract } from "../support/temp-extract.ts";
import { tempFolder } from "../support/temp-folder.ts";

const FIXTURES = join(import.meta.dirname, "..", "fixtures");
const WORDS = { kind: "words" } as const;
const image = (width: number) => ({ kind: "image", width }) as const;

let extract: TempExtract;
let folder: string;

beforeAll(async () => {
  extract = await tempExtract({ limits: { childRssBytes: 700 * 1024 * 1024 } });
  folder = tempFolder("views");
});
afterAll(() => extract.close());

type Wanted = Omit<PageRequest, "path">;

async function look(
  bytes: Buffer,
  { format = "pdf", page = 1, want = WORDS }: Partial<Wanted> = {},
) {
  const path = join(folder, String(bytes.length));
  await writeFile(path, bytes);
  return extract.viewPage({ path, format, page, want });
}

async function wordsOf(bytes: Buffer, wanted: Partial<Wanted> = {}) {
  const view = await look(bytes, wanted);
  return view.kind === "words" ? view.words : [];
}

const GUIDE = makePdf([
  ["The barometer is calibrated every spring."],
  [{ text: "anemometer", x: 306, y: 396, size: 12 }],
]);

test("words upside down are marked where they are on the page", async () => {
  const font = "/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>";
  const content = "BT /F 12 Tf -1 0 0 -1 590 8 Tm (Harbour fees doubled)Tj ET";
  const words = await wordsOf(makePdfPage(content, { resources: font }));
  expect(words.map(([text]) => text)).toEqual(["Harbour", "fees", "doubled"]);
  const [, x, y] = words[0] ?? [];
  expect(x).toBeGreaterThan(9_000);
  expect(y).toBeGreaterThan(9_700);
});

describe("a slide", () => {
  const DECK = makePptx([{ shapes: placedShape(["Blades are inspected monthly."], [72, 270]) }]);

  test("is drawn, with word positions in ten-thousandths of its size", async () => {
    const view = await look(DECK, { format: "pptx", want: image(612) });
    expect(view).toMatchObject({ kind: "image", type: "svg", width: 720, height: 540 });
    const [first] = await wordsOf(DECK, { format: "pptx" });
    expect(first?.slice(0, 2)).toEqual(["Blades", 1_100]);
    expect(first?.[2]).toBeGreaterThan(5_000);
  });

  test("is refused if the page does not exist", async () => {
    await expect(look(DECK, { format: "pptx", page: 2 })).rejects.toMatchObject({
      code: "RESOURCE_NOT_FOUND",
    });
  });
});

describe("a page of a PDF", () => {
  test("is rendered at the requested width", async () => {
    const view = await look(GUIDE, { want: image(612) });
    expect(view.kind === "image" && imageSize(view.bytes)).toMatchObject({
      width: 612,
      height: 792,
    });
  });

  test("has word positions in ten-thousandths of the page", async () => {
    const [word, ...others] = await wordsOf(GUIDE, { page: 2 });
    expect(others).toEqual([]);
    const [text, x = 0, y = 0, width = 0, height = 0] = word ?? [];
    expect(text).toBe("anemometer");
    expect(x).toBeGreaterThan(4_950);
    expect(x).toBeLessThan(5_100);
    expect(y + height / 2).toBeGreaterThan(4_850);
    expect(y + height / 2).toBeLessThan(5_000);
    expect(width).toBeGreaterThan(800);
  });

  test("that does not exist is not found", async () => {
    await expect(look(GUIDE, { page: 3 })).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
  });

  test("that is far larger than a sheet stays within the limits", async () => {
    const poster = Buffer.from(
      GUIDE.toString("latin1").replaceAll("[0 0 612 792]", "[0 0 10 9999]"),
      "latin1",
    );
    const view = await look(poster, { want: image(2_000) });
    const { width = 0, height = 0 } = view.kind === "image" ? imageSize(view.bytes) : {};
    expect(width * height).toBeGreaterThan(0);
    expect(width * height).toBeLessThanOrEqual(12_100_000);
  });

  test("is rendered from a truncated file as far as possible", async () => {
    const view = await look(GUIDE.subarray(0, GUIDE.length - 200), { want: image(300) });
    expect(view.kind).toBe("image");
  });
});

describe("a close-up", () => {
  const closeUp = (marks: readonly object[]) =>
    ({ kind: "close-up", marks }) as PageRequest["want"];

  test.each(["0 0 10 9999", "0 0 14400 14400", "0 0 1 1", "0 0 999999 999999"])(
    "of a page of [%s] stays small",
    async (box) => {
      const bytes = Buffer.from(
        GUIDE.toString("latin1").replaceAll("[0 0 612 792]", `[${box}]`),
        "latin1",
      );
      const word = { x: 9_990, y: 9_990, width: 10, height: 10 };
      for (const marks of [[], [word]]) {
        const view = await look(bytes, { want: closeUp(marks) });
        const { width = 0, height = 0 } = view.kind === "image" ? imageSize(view.bytes) : {};
        expect(width * height).toBeGreaterThan(0);
        expect(width * height).toBeLessThanOrEqual(1_200_000);
        expect(view.kind === "image" && view.bytes.length).toBeLessThanOrEqual(100_000);
      }
    },
  );

  test("of a picture has few bytes", async () => {
    const bytes = await readFile(join(FIXTURES, "invoice.png"));
    const view = await look(bytes, { format: "png", want: closeUp([]) });
    expect(view.kind === "image" && view.bytes.length).toBeLessThanOrEqual(100_000);
  });
});

describe("a picture", () => {
  test("is made smaller, never larger", async () => {
    const bytes = await readFile(join(FIXTURES, "invoice.png"));
    const { width } = imageSize(bytes);
    for (const [wanted, painted] of [
      [200, 200],
      [9_000, width],
    ] as const) {
      const view = await look(bytes, { format: "png", want: image(wanted) });
      const got = view.kind === "image" ? imageSize(view.bytes).width : 0;
      expect(Math.abs(got - painted)).toBeLessThanOrEqual(1);
    }
  });

  test("gets its words from OCR, each inside the picture", async () => {
    const words = await wordsOf(await readFile(join(FIXTURES, "invoice.png")), { format: "png" });
    expect(words.map(([text]) => text).join(" ")).toMatch(/invoice/i);
    for (const [, x, y, width, height] of words) {
      expect(Math.min(x, y, width, height)).toBeGreaterThanOrEqual(0);
      expect(Math.max(x + width, y + height)).toBeLessThanOrEqual(10_100);
    }
  });
});

describe("a hostile file", () => {
  const bomb = Buffer.from(
    GUIDE.toString("latin1").replace("/Kids [4 0 R 7 0 R]", "/Kids [2 0 R 2 0 R]"),
    "latin1",
  );
  test.each([
    ["no PDF at all", Buffer.from("<html><script>alert(1)</script>")],
    ["a PDF whose pages are inside of each other", bomb],
    ["nothing", Buffer.alloc(0)],
    ["a picture of gigapixels", hugePng()],
  ])("%s fails by itself, and the next page is painted", async (_what, bytes) => {
    const format = bytes[0] === 0x89 ? "png" : "pdf";
    const outcome = await look(bytes, { format, want: image(300) }).catch((error) => error);
    expect(outcome).toHaveProperty("code");
    expect((await look(GUIDE, { want: image(200) })).kind).toBe("image");
  });
});

/** Only its header is needed to refuse it. */
function hugePng(): Buffer {
  const header = Buffer.alloc(33);
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").copy(header);
  header.writeUInt32BE(50_000, 16);
  header.writeUInt32BE(50_000, 20);
  return header;
}
