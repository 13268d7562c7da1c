import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkMetadata, METADATA_LIMITS, mergeMetadata, metadataProblem } from "./metadata.ts";

const { depth, width, characters } = METADATA_LIMITS;

function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  for (let level = 1; level < levels; level++) value = { a: value };
  return value;
}

const many = (count: number) => Array.from({ length: count }, () => 1);

describe("metadata", () => {
  test.each([
    ["as deep as allowed", nested(depth)],
    ["as wide as allowed", { list: many(width) }],
    ["as long as allowed", { a: "x".repeat(characters - '{"a":""}'.length) }],
    ["all kinds of values", { "": null, a: [true, -0.5, "長い", { b: [] }], c: {} }],
  ])("%s is accepted", (_what, value) => expect(metadataProblem(value)).toBeUndefined());

  test.each([
    ["one level too deep", nested(depth + 1), /16 levels/],
    ["as deep as stopped the queue", nested(1_660), /16 levels/],
    ["deeper than any stack", nested(500_000), /16 levels/],
    ["lists in lists", { a: JSON.parse("[".repeat(20) + "]".repeat(20)) }, /16 levels/],
    ["too wide a list", { a: many(width + 1) }, /1000 members/],
    [
      "too many keys",
      Object.fromEntries(many(width + 1).map((_, at) => [`k${at}`, 1])),
      /1000 members/,
    ],
    ["too many values", { a: many(900), b: many(900), c: many(900) }, /2000 values/],
    ["too long a text", { a: "x".repeat(characters + 1) }, /20000 characters/],
    ["too long a key", { ["x".repeat(characters + 1)]: 1 }, /20000 characters/],
    ["too long together", { a: "x".repeat(15_000), b: "x".repeat(15_000) }, /20000 characters/],
    ["a number that JSON cannot hold", JSON.parse('{"a": 1e999}'), /numbers beyond/],
    ["a NUL", { a: ["\0"] }, /NUL/],
    ["half a surrogate pair in a key", { "\ud800": 1 }, /surrogate/],
    ["a key that sets the prototype", JSON.parse('{"a": {"__proto__": 1}}'), /__proto__/],
    ["a list", [1], /an object/],
    ["nothing", null, /an object/],
    ["what is no JSON", { a: () => {} }, /only JSON/],
  ])("%s is refused with a reason", (_what, value, reason) => {
    expect(metadataProblem(value)).toMatch(reason);
    expect(() => checkMetadata(value as never)).toThrow(
      expect.objectContaining({ code: "INVALID_PARAMETER", details: { parameter: "metadata" } }),
    );
  });

  test("accepted metadata passes between threads unchanged", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 20 })), (given) => {
        const value = JSON.parse(JSON.stringify(given)) as Record<string, unknown>;
        if (metadataProblem(value) !== undefined) return;
        expect(structuredClone(value)).toEqual(value);
        expect(JSON.parse(JSON.stringify(value))).toEqual(value);
      }),
    );
  });

  test("repeated adds stay within the limits", () => {
    let merged: Readonly<Record<string, unknown>> = {};
    const add = (at: number) => {
      merged = mergeMetadata(merged, { [`k${at}`]: "x".repeat(5_000) });
    };
    for (let at = 0; at < 3; at++) add(at);
    expect(() => add(3)).toThrow(/together with the document/);
    expect(Object.keys(merged)).toHaveLength(3);
    expect(mergeMetadata(nested(40), {})).toEqual(nested(40));
  });
});
