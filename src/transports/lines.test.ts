import fc from "fast-check";
import { expect, test } from "vitest";
import { openLineReader } from "./stdio.ts";

function read(chunks: readonly Buffer[], maxBytes = 1_000_000) {
  const lines: string[] = [];
  let tooLong = 0;
  const reader = openLineReader({
    maxBytes,
    onLine: (line) => void lines.push(line.toString()),
    onTooLong: () => {
      tooLong += 1;
    },
  });
  for (const chunk of chunks) reader.push(chunk);
  return { lines, tooLong };
}

test("lines come out whole wherever the bytes are split, also inside a character", () => {
  const line = fc
    .string({ unit: "grapheme", minLength: 1 })
    .map((text) => text.replace(/\s/g, "") || "x");
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(40)), (expected, cuts) => {
      const bytes = Buffer.from(expected.map((each) => `${each}\n`).join(""));
      const chunks: Buffer[] = [];
      let at = 0;
      for (const cut of cuts) {
        chunks.push(bytes.subarray(at, at + cut));
        at = Math.min(bytes.length, at + cut);
      }
      chunks.push(bytes.subarray(at));
      expect(read(chunks).lines).toEqual(expected);
    }),
  );
});

test("a line that is too long is reported once, and the next one is read", () => {
  const chunks = [Buffer.from("ab"), Buffer.from("cdef"), Buffer.from("gh\nok\n")];
  expect(read(chunks, 4)).toEqual({ lines: ["ok"], tooLong: 1 });
});
