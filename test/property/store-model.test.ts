// Under any sequence of operations a store behaves like a plain Map of documents.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Hit } from "../../src/store/store.ts";
import {
  FINGERPRINT,
  plainTerms,
  sampleChunks,
  sampleDocument,
  sampleVector,
} from "../support/sample-documents.ts";
import { type TempStore, tempStore } from "../support/temp-store.ts";

interface ModelDocument {
  readonly path: string | undefined;
  readonly team: string;
  readonly texts: readonly string[];
}
type Model = Map<string, ModelDocument>;

const word = fc.constantFrom("ash", "birch", "cedar", "elm", "fir", "oak", "pine", "資料");
const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
const texts = fc.array(text, { maxLength: 4 });
const id = fc.constantFrom("d1", "d2", "d3", "d4", "d5");
const path = fc.option(fc.constantFrom("/a", "/b", "/c"), { nil: undefined });
const team = fc.constantFrom("red", "blue");

type Step =
  | { readonly kind: "put"; readonly id: string; readonly document: ModelDocument }
  | { readonly kind: "remove" | "clear"; readonly id: string }
  | { readonly kind: "reindex"; readonly id: string; readonly texts: readonly string[] }
  | { readonly kind: "adopt"; readonly id: string; readonly path: string; readonly team: string };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("put" as const),
      id,
      document: fc.record({ path, team, texts }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), id }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reindex" as const), id, texts }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("adopt" as const),
      id,
      path: fc.constantFrom("/a", "/b", "/c"),
      team,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("clear" as const), id }) },
);

function dropPath(model: Model, wanted: string | undefined, except?: string): void {
  for (const [key, document] of model) {
    if (wanted !== undefined && document.path === wanted && key !== except) model.delete(key);
  }
}

function applyToModel(model: Model, change: Step): void {
  const known = model.get(change.id);
  switch (change.kind) {
    case "put":
      dropPath(model, change.document.path);
      model.set(change.id, change.document);
      return;
    case "remove":
      model.delete(change.id);
      return;
    case "clear":
      model.clear();
      return;
    case "reindex":
      if (known) model.set(change.id, { ...known, texts: change.texts });
      return;
    case "adopt":
      if (!known) return;
      dropPath(model, change.path, change.id);
      model.set(change.id, { ...known, path: change.path, team: change.team });
  }
}

async function applyToStore({ store }: TempStore, change: Step): Promise<void> {
  const { documents } = store;
  switch (change.kind) {
    case "put": {
      const { path: sourcePath, team: owner } = change.document;
      const { document, chunks } = sampleDocument(change.document.texts, {
        id: change.id,
        metadata: { team: owner },
        ...(sourcePath === undefined ? {} : { sourcePath }),
      });
      await documents.put(document, chunks);
      return;
    }
    case "remove":
      await documents.remove(change.id);
      return;
    case "clear":
      await documents.clear();
      return;
    case "reindex":
      await documents.reindex(change.id, { fingerprint: FINGERPRINT }, sampleChunks(change.texts));
      return;
    case "adopt":
      await documents.adopt(change.id, {
        sourcePath: change.path,
        metadata: { team: change.team },
      });
  }
}

interface ModelChunk {
  readonly name: string;
  readonly team: string;
  readonly text: string;
  readonly terms: readonly string[];
}

function chunksOf(model: Model): ModelChunk[] {
  return [...model].flatMap(([key, document]) =>
    document.texts.map((content, ordinal) => ({
      name: `${key}/${ordinal}`,
      team: document.team,
      text: content,
      terms: plainTerms(content),
    })),
  );
}

function modelBm25(chunks: readonly ModelChunk[], query: readonly string[]): Map<string, number> {
  const average = chunks.reduce((sum, chunk) => sum + chunk.terms.length, 0) / chunks.length;
  const scores = new Map<string, number>();
  for (const term of query) {
    const holders = chunks.filter((chunk) => chunk.terms.includes(term));
    const rarity = Math.log(1 + (chunks.length - holders.length + 0.5) / (holders.length + 0.5));
    for (const { name, terms } of holders) {
      const tf = terms.filter((each) => each === term).length;
      const norm = 1.2 * (0.25 + (0.75 * terms.length) / average);
      scores.set(name, (scores.get(name) ?? 0) + (rarity * tf * 2.2) / (tf + norm));
    }
  }
  return scores;
}

async function named(temp: TempStore, hits: readonly Hit[]): Promise<[string, number][]> {
  const chunks = await temp.store.documents.chunks(hits.map((hit) => hit.key));
  return chunks.map((chunk, at) => [
    `${chunk.document.id}/${chunk.ordinal}`,
    hits[at]?.score ?? Number.NaN,
  ]);
}

function expectSameScores(found: [string, number][], wanted: Map<string, number>, digits: number) {
  expect(found.map(([name]) => name).sort()).toEqual([...wanted.keys()].sort());
  for (const [name, score] of found) expect(score).toBeCloseTo(wanted.get(name) ?? -1, digits);
  const scores = found.map(([, score]) => score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
}

async function compare(temp: TempStore, model: Model, query: readonly string[]): Promise<void> {
  const { documents } = temp.store;
  const chunks = chunksOf(model);
  const terms = query.map((term) => ({ term, weight: 1 }));
  expectSameScores(
    await named(temp, (await documents.lexical({ terms, limit: 50 })).hits),
    modelBm25(chunks, query),
    6,
  );
  const { hits: red } = await documents.lexical({
    terms,
    limit: 50,
    filter: { metadata: { team: ["red"] } },
  });
  const teams = new Map(chunks.map((chunk) => [chunk.name, chunk.team]));
  const allowed = [...modelBm25(chunks, query)].filter(([name]) => teams.get(name) === "red");
  expectSameScores(await named(temp, red), new Map(allowed), 6);

  const vector = sampleVector(query.join(" "));
  const cosines = chunks.map((chunk): [string, number] => [
    chunk.name,
    sampleVector(chunk.text).reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0),
  ]);
  expectSameScores(
    await named(temp, await documents.nearest({ vector, limit: 50 })),
    new Map(cosines),
    1,
  );

  const phrase = query.slice(0, 2);
  const { hits: holders } = await documents.lexical({ terms, phrases: [phrase], limit: 50 });
  expect((await named(temp, holders)).map(([name]) => name).sort()).toEqual(
    chunks
      .filter((chunk) => ` ${chunk.terms.join(" ")} `.includes(` ${phrase.join(" ")} `))
      .map((chunk) => chunk.name)
      .sort(),
  );
  const statistics = await documents.termStatistics(query);
  expect(statistics.chunkCount).toBe(chunks.length);
  for (const term of query) {
    const count = chunks.filter((chunk) => chunk.terms.includes(term)).length;
    expect(statistics.frequencies.get(term)).toBe(count);
  }
  expect(await documents.totals()).toMatchObject({ documents: model.size, chunks: chunks.length });
}

let temp: TempStore;
beforeAll(async () => {
  temp = await tempStore();
});
afterAll(() => temp.dispose());

test("a store behaves like a plain Map", async () => {
  const words = fc.uniqueArray(word, { minLength: 2, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), words, async (steps, query) => {
      await temp.store.documents.clear();
      const model: Model = new Map();
      for (const [turn, change] of steps.entries()) {
        applyToModel(model, change);
        await applyToStore(temp, change);
        // Searching in between makes the reader follow changes instead of loading once at the end.
        if (turn % 3 === 0) await compare(temp, model, query);
      }
      await compare(temp, model, query);
    }),
    { numRuns: 40 },
  );
});
