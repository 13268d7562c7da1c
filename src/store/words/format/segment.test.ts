// Segments are compared with plain lists of chunks, whatever is added, removed and merged in whatever order.
import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteReader, ByteWriter } from "./bytes.ts";
import {
  decodeAdded,
  decodeDirectory,
  decodeKeys,
  decodeList,
  decodeTerms,
  encodeAdded,
  encodeRemoved,
  findInPage,
} from "./encode.ts";
import { type Added, mergeSegments, placeOf, timesOf, toAdded, type WordChunk } from "./segment.ts";

const term = fc.oneof(
  fc.constantFrom("a", "b", "c", "naïve", "検索", "𝒳"),
  fc.string({ minLength: 1, maxLength: 140, unit: "grapheme" }),
);
const terms = fc.array(term, { maxLength: 20 });
const key = fc.integer({ min: 1, max: 2 ** 40 });
const chunks = fc.uniqueArray(fc.record({ key, doc: key, terms }), {
  maxLength: 30,
  selector: (chunk) => chunk.key,
});

const storedAdded = (segment: Added): Added => {
  const { chunks: table, content } = encodeAdded(segment);
  return decodeAdded(table, content);
};
const keysOf = (all: readonly WordChunk[]) => all.map((each) => each.key).sort((a, b) => a - b);
const storedRemoved = (all: readonly WordChunk[]) => decodeKeys(encodeRemoved(keysOf(all)).chunks);

/** For each term, by key, how often each chunk has it. */
function timesByKey({ keys, terms: lists }: Added): Map<string, Map<number, number>> {
  const times = new Map<string, Map<number, number>>();
  for (const [name, list] of lists) {
    const places = Array.from(list, placeOf);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    times.set(
      name,
      new Map(Array.from(list, (posting) => [keys[placeOf(posting)] ?? -1, timesOf(posting)])),
    );
  }
  return times;
}

function plainTimes(all: readonly WordChunk[]): Map<string, Map<number, number>> {
  const times = new Map<string, Map<number, number>>();
  for (const chunk of all) {
    for (const name of chunk.terms) {
      const byKey = times.get(name) ?? new Map<number, number>();
      times.set(name, byKey.set(chunk.key, Math.min((byKey.get(chunk.key) ?? 0) + 1, 255)));
    }
  }
  return times;
}

test("numbers and texts are read as they were written", () => {
  const value = fc.oneof(
    fc.maxSafeNat(),
    fc.string({ unit: "grapheme", maxLength: 3_000 }),
    fc.constantFrom(0, 127, 128, 2 ** 32, "", "x".repeat(127), "x".repeat(128)),
  );
  fc.assert(
    fc.property(fc.array(value), (values) => {
      const writer = new ByteWriter();
      for (const each of values) {
        if (typeof each === "number") writer.number(each);
        else writer.text(each);
      }
      const reader = new ByteReader(writer.take());
      for (const each of values) {
        expect(typeof each === "number" ? reader.number() : reader.text()).toBe(each);
      }
      expect(reader.isAtEnd).toBe(true);
    }),
  );
});

test("a stored segment holds its chunks", () => {
  fc.assert(
    fc.property(chunks, (all) => {
      const { keys, docs, lengths, ...rest } = storedAdded(toAdded(all));
      const sorted = all.toSorted((a, b) => a.key - b.key);
      expect(keys).toEqual(sorted.map((chunk) => chunk.key));
      expect(docs).toEqual(sorted.map((chunk) => chunk.doc));
      expect(lengths).toEqual(sorted.map((chunk) => chunk.terms.length));
      expect(timesByKey({ keys, docs, lengths, ...rest })).toEqual(plainTimes(all));
      expect(storedRemoved(all)).toEqual(keys);
    }),
  );
});

test("a merge leaves what was added and not removed, and what is still to be removed", () => {
  const part = fc.record({ chunk: fc.record({ doc: key, terms }), part: fc.nat({ max: 3 }) });
  const fate = fc.constantFrom("stays", "goes", "went elsewhere");
  const all = fc.uniqueArray(fc.record({ key, part, fate, by: fc.nat({ max: 2 }) }), {
    maxLength: 40,
    selector: (each) => each.key,
  });
  fc.assert(
    fc.property(all, (entries) => {
      const full = entries.map((entry) => ({ ...entry, key: entry.key, ...entry.part.chunk }));
      const added = [0, 1, 2, 3].map((number) =>
        full.filter((each) => each.fate !== "went elsewhere" && each.part.part === number),
      );
      const removed = [0, 1, 2].map((number) =>
        full.filter((each) => each.fate !== "stays" && each.by === number),
      );
      const merged = mergeSegments(
        added.map((each) => storedAdded(toAdded(each))),
        removed.flatMap(storedRemoved),
      );
      const staying = full.filter((each) => each.fate === "stays");
      const owed = full.filter((each) => each.fate === "went elsewhere");
      expect(timesByKey(merged.added)).toEqual(plainTimes(staying));
      expect(merged.added.keys).toEqual(keysOf(staying));
      expect(merged.removed).toEqual(keysOf(owed));
    }),
  );
});

test("each term is on the page that the directory names", () => {
  const names = Array.from({ length: 3_000 }, (_, at) => `term${at}`);
  const all = names.map((name, at) => ({ key: at + 1, doc: 1, terms: [name, "everywhere"] }));
  const { pages, content } = encodeAdded(toAdded(all));
  const directory = decodeDirectory(pages);
  expect(directory).toHaveLength(content.length);
  expect(content.length).toBeGreaterThan(10);
  for (const name of [...names, "everywhere"]) {
    const number = directory.findLastIndex((first) => first <= name);
    const page = content[number];
    const entry = page && findInPage(page.terms, Buffer.from(name));
    const list = entry && decodeList(page.lists.subarray(entry.from, entry.to), entry.count);
    expect(list).toHaveLength(name === "everywhere" ? 3_000 : 1);
    expect([...decodeTerms(page?.terms ?? new Uint8Array())][0]?.term).toBe(directory[number]);
  }
  expect(findInPage(content[0]?.terms ?? new Uint8Array(), Buffer.from("term"))).toBeUndefined();
});

test("a term's times stop at 255, and broken characters are replaced", () => {
  const all = [
    { key: 1, doc: 1, terms: [...Array.from({ length: 300 }, () => "again"), "\ud800"] },
  ];
  const { terms: lists } = storedAdded(toAdded(all));
  expect(timesOf(lists.get("again")?.[0] ?? 0)).toBe(255);
  expect([...lists.keys()].sort()).toEqual(["again", "\ufffd"]);
});
