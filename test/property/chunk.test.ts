import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ChunkOptions, chunk } from "../../src/chunk/chunk.ts";
import { columns } from "../../src/chunk/split.ts";
import type { Block, BlockKind, Place } from "../../src/domain/document.ts";

interface Draft {
  readonly kind: BlockKind;
  readonly text: string;
  readonly place: Place;
  readonly level?: number;
  readonly header?: number;
}

const words = fc.constantFrom(
  "word",
  "data.",
  "検索",
  "文書です。",
  "😀",
  "e\u0301t\u0301",
  "x".repeat(90),
  "a|b",
);
const place = fc.oneof(
  fc.record({ page: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ sheet: fc.constantFrom("A", "B") }),
);
const prose: fc.Arbitrary<Draft> = fc.record({
  kind: fc.constantFrom<BlockKind>("paragraph", "list", "code", "note", "figure"),
  text: fc
    .array(fc.tuple(words, fc.constantFrom(" ", "\n", "")), { minLength: 1, maxLength: 120 })
    .map((parts) => parts.flat().join("").trim() || "word"),
  place,
});
const heading: fc.Arbitrary<Draft> = fc
  .record({ level: fc.integer({ min: 1, max: 6 }), text: words, place })
  .map((draft) => ({
    ...draft,
    kind: "heading",
    text: `${"#".repeat(draft.level)} ${draft.text}`,
  }));
const table: fc.Arbitrary<Draft> = fc
  .record({
    rows: fc.array(fc.array(words, { minLength: 2, maxLength: 3 }), { maxLength: 40 }),
    place,
  })
  .map((draft) => {
    const header = "| Name | Value |\n| --- | --- |\n";
    const body = draft.rows.map((cells) => `| ${cells.join(" ¦ ")} |`).join("\n");
    const text = (header + body).trimEnd();
    return {
      kind: "table",
      text,
      place: draft.place,
      header: Math.min(header.length, text.length),
    };
  });

const documents = fc
  .array(fc.oneof(prose, heading, table), { minLength: 1, maxLength: 14 })
  .map((drafts) => {
    let text = "";
    const blocks: Block[] = [];
    for (const draft of drafts) {
      if (text !== "") text += "\n\n";
      const start = text.length;
      text += draft.text;
      blocks.push({
        kind: draft.kind,
        start,
        end: text.length,
        place: draft.place,
        ...(draft.level === undefined ? {} : { level: draft.level }),
        ...(draft.header === undefined ? {} : { headerEnd: start + draft.header }),
      });
    }
    return { text, blocks };
  });

const options: fc.Arbitrary<ChunkOptions> = fc.record({
  size: fc.integer({ min: 40, max: 700 }),
});

const RUNS = { numRuns: 150 };

describe("chunks of any document", () => {
  test("are exact slices, in order, without overlap", () => {
    fc.assert(
      fc.property(documents, options, (document, size) => {
        let reached = 0;
        for (const [ordinal, made] of chunk(document, size).entries()) {
          expect(made.ordinal).toBe(ordinal);
          expect(made.text).toBe(document.text.slice(made.start, made.end));
          expect(made.start).toBeGreaterThanOrEqual(reached);
          reached = made.end;
        }
      }),
      RUNS,
    );
  });

  test("leave nothing out but white space", () => {
    fc.assert(
      fc.property(documents, options, (document, size) => {
        let rest = "";
        let at = 0;
        for (const made of chunk(document, size)) {
          rest += document.text.slice(at, made.start);
          at = made.end;
        }
        expect((rest + document.text.slice(at)).trim()).toBe("");
      }),
      RUNS,
    );
  });

  test("stay within the size, except where one table row is larger", () => {
    fc.assert(
      fc.property(documents, options, (document, { size }) => {
        for (const made of chunk(document, { size })) {
          const large = columns(made.text, 0, made.text.length) > size;
          if (large) expect(made.text).toMatch(/\| --- \||^\| .* \|$/m);
        }
      }),
      RUNS,
    );
  });

  test("never cut a surrogate pair, a combining mark or a table row", () => {
    fc.assert(
      fc.property(documents, options, (document, size) => {
        for (const made of chunk(document, size)) {
          expect(made.text.isWellFormed()).toBe(true);
          expect(made.text).not.toMatch(/^\p{M}/u);
          const row = document.blocks.find(
            (block) => block.kind === "table" && made.start > block.start && made.start < block.end,
          );
          if (row !== undefined) expect(document.text[made.start - 1]).toBe("\n");
        }
      }),
      RUNS,
    );
  });

  test("carry the header of a table that they continue", () => {
    fc.assert(
      fc.property(documents, options, (document, size) => {
        for (const made of chunk(document, size)) {
          const inside = document.blocks.some(
            (block) => block.kind === "table" && made.start > block.start && made.start < block.end,
          );
          expect(made.tableHeader !== undefined).toBe(inside);
        }
      }),
      RUNS,
    );
  });

  test("have the position of their first block, and of the last if it differs", () => {
    fc.assert(
      fc.property(documents, options, (document, size) => {
        const placeAt = (at: number) =>
          document.blocks.find((block) => at >= block.start && at < block.end)?.place;
        for (const made of chunk(document, size)) {
          expect(made.place).toEqual(placeAt(made.start));
          expect(made.until ?? made.place).toEqual(placeAt(made.end - 1));
        }
      }),
      RUNS,
    );
  });
});
