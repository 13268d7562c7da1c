import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { tempExtract } from "../../../../test/support/temp-extract.ts";
import { tempFolder } from "../../../../test/support/temp-folder.ts";
import { ocrLanguages } from "./languages.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..", "..");
const dataDir = join(ROOT, "ocr-data");
const moreDataDir = tempFolder("ocr");
await copyFile(join(dataDir, "eng.traineddata"), join(moreDataDir, "sco.traineddata"));
await copyFile(join(dataDir, "jpn.traineddata"), join(moreDataDir, "sco_vert.traineddata"));

describe("the languages of OCR", () => {
  test("are the first, then all, then each vertical one", async () => {
    const languages = ["sco_vert", "jpn", "eng", "jpn_vert"];
    const found = await ocrLanguages({ dataDir, moreDataDir, languages });
    expect(found.map(({ vertical }) => vertical)).toEqual([false, false, true, true]);
    expect(found.slice(0, 2).map(({ name }) => name)).toEqual(["jpn", "eng+jpn"]);
  });

  test("include the vertical form of each where there is data for it", async () => {
    const shipped = await ocrLanguages({ dataDir, languages: ["eng", "jpn"] });
    expect(shipped.map(({ name }) => name)).toEqual(["eng", "jpn+eng", "jpn_vert"]);
    const added = await ocrLanguages({ dataDir, moreDataDir, languages: ["sco"] });
    expect(added.map(({ vertical }) => vertical)).toEqual([false, true]);
    const english = await ocrLanguages({ dataDir, moreDataDir, languages: ["eng"] });
    expect(english).toEqual([{ name: "eng", vertical: false }]);
  });

  test("are refused by name where their data is missing", async () => {
    await expect(ocrLanguages({ dataDir, languages: ["eng", "sco"] })).rejects.toMatchObject({
      code: "OCR_FAILED",
      message: expect.stringContaining("npm install --prefix FOLDER @tesseract.js-data/sco"),
    });
  });

  test("are unpacked where they were installed from npm", async () => {
    const folder = tempFolder("ocr-npm");
    const installed = join(folder, "node_modules", "@tesseract.js-data", "sco", "4.0.0_best_int");
    await mkdir(installed, { recursive: true });
    const data = await readFile(join(dataDir, "eng.traineddata"));
    await writeFile(join(installed, "sco.traineddata.gz"), gzipSync(data, { level: 1 }));
    const found = await ocrLanguages({ dataDir, moreDataDir: folder, languages: ["sco"] });
    expect(found).toHaveLength(1);
    expect(data.equals(await readFile(join(folder, "sco.traineddata")))).toBe(true);
  });

  test("are known without reading a file", async () => {
    const there = await tempExtract({ ocr: { dataDir, languages: ["eng", "jpn"] } });
    const missing = await tempExtract({ ocr: { dataDir, languages: ["sco"] } });
    await expect(there.ocrLanguages()).resolves.toEqual(["eng", "jpn"]);
    await expect(missing.ocrLanguages()).rejects.toMatchObject({ code: "OCR_FAILED" });
  });

  test("are read from two folders at once", async () => {
    const extract = await tempExtract({ ocr: { dataDir, moreDataDir, languages: ["jpn", "sco"] } });
    const bytes = await readFile(join(ROOT, "test", "fixtures", "invoice.png"));
    const { text } = await extract.read("invoice.png", bytes).finally(() => extract.close());
    expect(text).toContain("Invoice number INV-20417");
  });
});
