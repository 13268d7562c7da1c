import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findId, JSON_BOUNDS, parseBounded } from "./bounded-json.ts";

const parse = (text: string) => parseBounded(Buffer.from(text));
const nested = (depth: number, open = "[", close = "]") => open.repeat(depth) + close.repeat(depth);
const listOf = (length: number) => `[${Array(length).fill(0).join(",")}]`;
const objectOf = (length: number) =>
  `{${Array.from({ length }, (_, at) => `"k${at}":0`).join(",")}}`;
const objects = (count: number, each: number) => `[${Array(count).fill(objectOf(each)).join(",")}]`;

const { depth, values, keys, keysOfOneObject } = JSON_BOUNDS;

describe("a message at the limit is read, one above it is refused", () => {
  test.each([
    ["lists in lists", nested(depth), nested(depth + 1)],
    [
      "objects in objects",
      `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`,
      '{"a":'.repeat(depth + 1),
    ],
    ["elements", listOf(values - 1), listOf(values)],
    ["members of one object", objectOf(keysOfOneObject), objectOf(keysOfOneObject + 1)],
    ["members of all objects", objects(keys / 1_000, 1_000), objects(keys / 1_000 + 1, 1_000)],
    [
      "members of the same name",
      `{${'"a":0,'.repeat(keysOfOneObject - 1)}"a":0}`,
      `{${'"a":0,'.repeat(keysOfOneObject)}"a":0}`,
    ],
  ])("%s", (_case, within, above) => {
    expect(parse(within)).toEqual({ kind: "value", value: JSON.parse(within) });
    expect(parse(above)).toMatchObject({ kind: "out-of-bounds" });
  });

  test.each([100_000, 500_000, 5_000_000])(
    "%i levels are refused and no stack overflows",
    (levels) => {
      for (const text of [
        "[".repeat(levels),
        '{"a":'.repeat(levels),
        '[{"a":'.repeat(levels / 2),
      ]) {
        expect(parse(text)).toMatchObject({
          kind: "out-of-bounds",
          reason: expect.stringMatching(/^The message is nested/),
        });
      }
    },
  );
});

test("a short message may have more brackets in its texts than levels", () => {
  const text = `{"text":${JSON.stringify("[{".repeat(depth))}}`;
  expect(parse(text)).toEqual({ kind: "value", value: JSON.parse(text) });
  expect(parse(`["${"]".repeat(depth)}",${nested(depth)}]`)).toMatchObject({
    kind: "out-of-bounds",
  });
});

test("texts of 16 MB and long texts of any characters are read", () => {
  expect(parse(`{"text":"${"x".repeat(16_000_000)}"}`).kind).toBe("value");
  for (const piece of ["[{:,", '\\"', "\\\\", "日", "\\u005b"]) {
    expect(parse(`{"text":"${piece.repeat(200_000)}"}`).kind).toBe("value");
  }
});

test("within the bounds the value is the one that JSON.parse reads", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), (text) => {
      expect(parse(text)).toEqual({ kind: "value", value: JSON.parse(text) });
    }),
  );
});

test("what JSON.parse refuses is refused", () => {
  const piece = fc.constantFrom("{", "}", "[", "]", ":", ",", '"', "\\", '"a"', "1", "null", " ");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join("");
      expect(parse(text).kind).toBe(isJson(text) ? "value" : "not-json");
    }),
    { numRuns: 2_000 },
  );
});

test("the id of a refused message is found, wherever it is", () => {
  const id = fc.oneof(fc.integer(), fc.stringMatching(/^[\w -]{0,40}$/));
  const others = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 });
  fc.assert(
    fc.property(others, id, others, (before, wanted, after) => {
      const { id: _one, ...first } = before;
      const { id: _two, ...last } = after;
      const entries = [...Object.entries(first), ["id", wanted] as const, ...Object.entries(last)];
      const members = entries.map(
        ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
      );
      expect(findId(Buffer.from(`{${members.join(", ")}}`))).toBe(wanted);
    }),
  );
});

test.each(['{"a":{"id":1}}', '{"id":[1]}', '{"id":1.5}', '["id",1]', '{"x":"id"}', '{"id', ""])(
  "in %s there is none",
  (text) => {
    expect(findId(Buffer.from(text))).toBeNull();
  },
);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
