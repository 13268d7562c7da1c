import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ENGLISH, FILE_FAILURES } from "./english.ts";
import { JAPANESE } from "./japanese.ts";
import { isMessage } from "./messages.ts";

test.each([
  ["a sentence", "No text was found on page 3."],
  ["an unknown code", { code: "invented", values: [] }],
  ["an inherited name", { code: "constructor", values: [] }],
  ["no values", { code: "moved" }],
  ["values that are no text", { code: "stale", values: [3] }],
])("%s is not taken for a message", (_, value) => {
  expect(isMessage(value)).toBe(false);
});

test("every reason of a file's failure is one that the server gives", async () => {
  const source = join(import.meta.dirname, "..", "..");
  const rooms = await Promise.all(
    ["extract", "ingest"].map(async (room) =>
      (await readdir(join(source, room), { recursive: true })).map((name) => join(room, name)),
    ),
  );
  const names = rooms.flat().filter((name) => /(?<!\.test)\.ts$/.test(name));
  const texts = await Promise.all(names.map((name) => readFile(join(source, name), "utf8")));
  const written = texts.join("\n");
  const given = (name: string) => written.includes(`"${name}"`);
  expect(Object.keys(FILE_FAILURES).filter((name) => !given(name))).toEqual([]);
});

const placesOf = (text: string) =>
  [...new Set([...text.matchAll(/\{(\d)/g)].map(([, place]) => place))].toSorted();

test("Japanese is Japanese, and names nothing that the English text does not", () => {
  const isSame = (code: string) => /^(\{0\}|PDF|OCR)/.test(ENGLISH[code as keyof typeof ENGLISH]);
  for (const [code, text] of Object.entries(JAPANESE)) {
    const english = ENGLISH[code as keyof typeof ENGLISH];
    expect(placesOf(english), code).toEqual(expect.arrayContaining(placesOf(text)));
    expect(
      /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text) || isSame(code),
      code,
    ).toBe(true);
  }
});
