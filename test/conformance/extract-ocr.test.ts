// What OCR must get right besides letters: orientation, columns and language.
import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { toPicture } from "../../src/extract/image/image.ts";
import { openOcr } from "../../src/extract/image/ocr/ocr.ts";
import { DEFAULT_LIMITS } from "../../src/extract/limits.ts";
import { makePdf } from "../support/files/pdf.ts";
import { tempExtract } from "../support/temp-extract.ts";
import { tempFolder } from "../support/temp-folder.ts";

const extract = await tempExtract();
afterAll(() => extract.close());
const OCR_DATA = join(import.meta.dirname, "..", "..", "ocr-data");
const fixture = (name: string) => readFile(join(import.meta.dirname, "..", "fixtures", name));

describe("a picture", () => {
  test("that is upside down is rotated before it is read", async () => {
    const { text, pages } = await extract.read("a.png", await fixture("invoice-upside.png"));
    expect(text).toContain("Invoice number INV-20417");
    expect(pages[0]).toMatchObject({ method: "ocr", confidence: expect.any(Number) });
  });

  test("with two columns is read column by column, below its headline", async () => {
    const { text } = await extract.read("a.png", await fixture("newspaper.png"));
    const order = [
      "FLOOD CLOSES",
      "The river rose",
      "council.",
      "Trains to the coast",
      "market every hour",
    ];
    const places = order.map((words) => text.indexOf(words));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  test("with Japanese text is read without spaces between words", async () => {
    const { text } = await extract.read("a.png", await fixture("notice-ja.png"));
    expect(text).toContain("東京本社の会議は午後三時に");
    expect(text).toContain("資料は前日までに提出してください");
  });
});

describe("a picture of vertical Japanese", () => {
  const columns = "図書館は来月の初めに駅前の広場で開館します。児童書の部屋は二階にあり土曜日は";

  test("is read from top to bottom, the line at the right first", async () => {
    const { text, pages } = await extract.read("a.png", await fixture("notice-vertical.png"));
    expect(text).toContain(columns);
    expect(text).toContain("返却は一階の");
    expect(pages[0]?.confidence).toBeGreaterThan(0.8);
  });

  test("is not read without the trained data for it", async () => {
    const folder = tempFolder("ocr");
    for (const name of ["eng", "jpn"])
      await copyFile(join(OCR_DATA, `${name}.traineddata`), join(folder, `${name}.traineddata`));
    const without = await tempExtract({ ocr: { dataDir: folder, languages: ["eng", "jpn"] } });
    const reading = without.read("a.png", await fixture("notice-vertical.png"));
    const { text } = await reading.finally(() => without.close());
    expect(text).not.toContain("図書館");
  });
});

describe("light letters on dark and coloured areas, and faint ones,", () => {
  test("are read like black ones on white", async () => {
    const { text } = await extract.read("a.png", await fixture("slide.png"));
    for (const line of [
      "Recovery point objective",
      "Backup every 15 minutes",
      "Failover site: Trondheim",
      "Drill on 14 March 2026",
      "Owners are named in the annex",
    ])
      expect(text).toContain(line);
  });

  test("are read in the boxes of a diagram, with labels in two languages", async () => {
    const { text } = await extract.read("a.png", await fixture("diagram.png"));
    for (const label of ["RPO", "復旧手順", "RTO", "請求処理", "Audit log", "監視通知"])
      expect(text).toContain(label);
  });
});

describe("the words of a picture", () => {
  test("have positions on the original picture, also if it is upside down", async () => {
    const dataDir = join(import.meta.dirname, "..", "..", "ocr-data");
    const reader = await openOcr({ dataDir, languages: ["eng"] }, () => {});
    const placeOf = async (name: string) => {
      const { words } = await reader.read(await toPicture(await fixture(name), DEFAULT_LIMITS));
      return words.find(({ text }) => text === "INV-20417")?.box ?? expect.unreachable();
    };
    const upright = await placeOf("invoice.png");
    const upside = await placeOf("invoice-upside.png");
    expect(upright.y).toBeLessThan(0.25);
    expect(upside.x).toBeCloseTo(1 - upright.x - upright.width, 1);
    expect(upside.y).toBeCloseTo(1 - upright.y - upright.height, 1);
  });
});

describe("a PDF", () => {
  const scan = async () => ({
    jpeg: await fixture("scan.jpg"),
    width: 850,
    height: 1100,
  });

  test("gets OCR on pages that are pictures, and only there", async () => {
    const bytes = makePdf([
      ["The covering letter names the request that follows on the next page."],
      await scan(),
    ]);
    const { method, pages, text } = await extract.read("a.pdf", bytes);
    expect(method).toBe("mixed");
    expect(pages.map((page) => page.method)).toEqual(["text", "ocr"]);
    expect(text).toContain("covering letter");
    expect(text).toContain("new railings before");
  });

  test("gets OCR on every page if requested", async () => {
    const bytes = makePdf([[{ text: "Forced to be seen as a picture", size: 30 }]]);
    const { method, text } = await extract.read("a.pdf", bytes, { forceOcr: true });
    expect(method).toBe("ocr");
    expect(text).toContain("Forced to be seen as a picture");
  });
});

test("a missing language is named with a remedy, and nothing is downloaded", async () => {
  const other = await tempExtract({
    ocr: { dataDir: join(import.meta.dirname, "..", "..", "ocr-data"), languages: ["eng", "xyz"] },
  });
  const reading = other.read("a.png", await fixture("invoice.png"));
  await expect(reading).rejects.toMatchObject({
    code: "OCR_FAILED",
    message: expect.stringContaining("'xyz'"),
  });
  await other.close();
});
