import fc from "fast-check";
import { expect, test } from "vitest";
import { hostileText, RAW, SEQUENCES } from "../../../test/fixtures/hostile-text.ts";
import { toFilename } from "./filename.ts";
import { inertJson, inertText } from "./inert.ts";

test("foreign text keeps its words and lines and loses active content", () => {
  expect(inertText("plain\ntext")).toBe("plain\ntext");
  expect(inertText("\x1b[2Jred\tx\r\ny\u202e")).toBe("\ufffd[2Jred    x\ny");
  expect(inertText("a\tb\x07", "keep")).toBe("a\tb\ufffd");
  fc.assert(
    fc.property(hostileText, (text) => !RAW.test(inertText(text))),
    {
      numRuns: 2_000,
    },
  );
});

test("JSON is made inert without changing its value", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const value = { [text.toWellFormed()]: [text.toWellFormed()] };
      expect(inertJson(value)).not.toMatch(/\n/);
      expect(inertJson(value, 2)).not.toMatch(RAW);
      expect(JSON.parse(inertJson(value, 2))).toEqual(value);
    }),
    { numRuns: 1_000 },
  );
});

test("a name is one visible line of at most 255 bytes and keeps its extension", () => {
  expect(toFilename("report.pdf")).toBe("report.pdf");
  expect(toFilename("a/b\\c.txt")).toBe("c.txt");
  expect(toFilename("line\nbreak\u202e.pdf")).toBe("line break.pdf");
  expect(toFilename("cafe\u0301.md")).toBe("café.md");
  for (const nothing of ["", ".", "..", " ", "\u200b", "a/", "/..", "\x1b\x07"]) {
    expect(toFilename(nothing)).toBe("document");
  }
  for (const long of [
    "x".repeat(3_000),
    "日".repeat(3_000),
    "👩‍💻".repeat(900),
    `${"e\u0301 ".repeat(900)}z`,
  ]) {
    const name = toFilename(`${long}.docx`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    expect(Buffer.byteLength(name)).toBeGreaterThan(240);
    expect(name.endsWith(".docx")).toBe(true);
    expect(name.isWellFormed()).toBe(true);
  }
});

test("any name is stable after one pass", () => {
  fc.assert(
    fc.property(fc.oneof(hostileText, fc.constantFrom(...SEQUENCES)), (text) => {
      const name = toFilename(text);
      expect(name).not.toMatch(RAW);
      expect(name).not.toMatch(/[\n/\\]/);
      expect(["", ".", ".."]).not.toContain(name);
      expect(toFilename(name)).toBe(name);
    }),
    { numRuns: 2_000 },
  );
});
