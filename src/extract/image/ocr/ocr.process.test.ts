import { join } from "node:path";
import { expect, test } from "vitest";
import { paint } from "../../../../test/support/files/picture.ts";
import { openOcr } from "./ocr.ts";

const dataDir = join(import.meta.dirname, "..", "..", "..", "..", "ocr-data");

async function read(width: number, height: number, lines: Parameters<typeof paint>[2]) {
  const seen = { looks: 0 };
  const ocr = await openOcr({ dataDir, languages: ["eng", "jpn"] }, () => {
    seen.looks += 1;
  });
  const bytes = await paint(width, height, lines).encode("png");
  const { words } = await ocr.read({ bytes, width, height });
  return { looks: seen.looks, text: words.map(({ text }) => text).join(" ") };
}

test("an icon is looked at once, and read where it has letters", async () => {
  expect(await read(64, 64, [])).toEqual({ looks: 1, text: "" });
  expect(await read(64, 40, [{ text: "FAQ", x: 6, y: 30, size: 24 }])).toEqual({
    looks: 1,
    text: "FAQ",
  });
});

test("a larger picture without letters is tried in other languages", async () => {
  expect((await read(64, 65, [])).looks).toBeGreaterThan(1);
});
