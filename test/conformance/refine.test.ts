// Two stages, on both stores: found at once by words and by a light vector, refined by the model afterwards.
import { renameSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { chunkFingerprint, DEFAULT_CHUNKS } from "../../src/chunk/chunk.ts";
import { openRefiner } from "../../src/ingest/refine/refiner.ts";
import { openLog } from "../../src/observe/log.ts";
import { testAccess } from "../support/access-control.ts";
import { eventually } from "../support/eventually.ts";
import {
  type Gate,
  type LetterEmbed,
  lightLetterEmbed,
  lightLetters,
  openGate,
  toLetters,
} from "../support/plain-parts.ts";
import { sampleDocument } from "../support/sample-documents.ts";
import { silentLog } from "../support/silent-log.ts";
import { type TempIngest, tempIngest } from "../support/temp-ingest.ts";
import { tempBase, tempDatabase } from "../support/temp-postgres.ts";
import { tempStore } from "../support/temp-store.ts";

const ENGLISH = "The valve is opened by hand.";
const JAPANESE = "バルブは手で開きます。";
const FINGERPRINT = `letters-1+${chunkFingerprint(DEFAULT_CHUNKS)}+analyse-test+light-1`;
const never = new AbortController().signal;

const database = await tempDatabase();
afterAll(() => database?.drop());

const STORES = { sqlite: tempStore, postgres: () => tempBase(database) };

describe.each(["sqlite", "postgres"] as const)("on %s", (kind) => {
  describe.skipIf(kind === "postgres" && !database)("refining", () => {
    let model: Gate;
    let embed: LetterEmbed;
    let at: TempIngest;
    beforeEach(async () => {
      model = openGate();
      embed = lightLetterEmbed(model);
      at = await tempIngest({ temp: await STORES[kind](), embed });
    });
    afterEach(async () => {
      model.open();
      await at.dispose();
    });

    const add = async (name: string, text: string) => {
      const source = { kind: "file", path: await at.write(name, text) } as const;
      const { task } = await at.ingest.enqueue(source, {
        metadata: {},
        forceOcr: false,
        signal: never,
      });
      const ended = await at.ingest.finish(task.id, { signal: never });
      expect(ended.status).toBe("completed");
      return ended.result?.documentId ?? "";
    };
    /** The best hit's cosine with this vector: 1 only for the very vector. */
    const cosine = async (vector: Float32Array, store = at.store) => {
      const [hit] = await store.documents.nearest({ vector, limit: 1 });
      return Math.round((hit?.score ?? 0) * 1000) / 1000;
    };
    const toRefine = async () => (await at.ingest.toRefine()).chunks;
    const storeAsBefore = async (text: string, fingerprint = FINGERPRINT) => {
      const { document, chunks } = sampleDocument([text], { fingerprint });
      await at.store.documents.put(
        document,
        chunks.map((chunk) => ({ ...chunk, headings: [], vector: toLetters(text) })),
      );
      return document.id;
    };

    test("a document is found by words and meaning before the model has read it", async () => {
      model.shut();
      await add("valve.txt", ENGLISH);
      expect(await cosine(lightLetters(ENGLISH))).toBeGreaterThan(0.999);
      const words = { terms: [{ term: "valv", weight: 1 }], limit: 1 };
      expect((await at.store.documents.lexical(words)).hits).toHaveLength(1);
      expect(embed.read).toEqual([]);
      expect(await at.ingest.toRefine()).toEqual({ documents: 1, chunks: 1 });
      at.ingest.start();
      await eventually(() => expect(model.waiting).toBe(1));
      expect(await toRefine()).toBe(1);
      model.open();
      await eventually(async () => expect(await toRefine()).toBe(0));
      expect(await cosine(toLetters(ENGLISH))).toBeGreaterThan(0.999);
    });

    test("what the model does not read keeps its light vector", async () => {
      await add("valve.txt", JAPANESE);
      expect(await toRefine()).toBe(0);
      await at.ingest.refine(never);
      expect(embed.read).toEqual([]);
      expect(await cosine(lightLetters(JAPANESE))).toBeGreaterThan(0.999);
    });

    test("two processes never read a chunk twice", async () => {
      const other = await at.another();
      const texts = Array.from({ length: 9 }, (_, n) => `Sentence ${"abcdefghi"[n]} about valves.`);
      for (const [n, text] of texts.entries()) await add(`${n}.txt`, text);
      await Promise.all([at.ingest.refine(never), other.ingest.refine(never)]);
      await eventually(async () => expect(await toRefine()).toBe(0));
      expect(embed.read.toSorted()).toEqual(texts);
    });

    test("a step that was stopped is done again, and nothing else", async () => {
      await add(
        "long.txt",
        Array.from({ length: 90 }, (_, n) => `${n} ${"valve ".repeat(70)}`).join("\n\n"),
      );
      const all = await toRefine();
      expect(all).toBeGreaterThan(64);
      const stop = new AbortController();
      embed.read.push = (...texts) => {
        model.shut();
        return Array.prototype.push.apply(embed.read, texts);
      };
      const stopped = at.ingest.refine(stop.signal);
      await eventually(() => expect(model.waiting).toBe(1));
      stop.abort();
      await stopped;
      expect(await toRefine()).toBe(all - embed.read.length);
      embed.read.push = Array.prototype.push;
      model.open();
      const { ingest } = await at.another();
      await ingest.refine(never);
      expect(await toRefine()).toBe(0);
      expect(embed.read).toHaveLength(all);
    });

    test("a document that is removed while it is refined stays removed", async () => {
      const id = await add("valve.txt", ENGLISH);
      const kept = await add("other.txt", "Another text about pumps.");
      model.shut();
      const refining = at.ingest.refine(never);
      await eventually(() => expect(model.waiting).toBe(1));
      await at.store.documents.remove(id);
      model.open();
      await refining;
      expect(await at.ingest.toRefine()).toEqual({ documents: 0, chunks: 0 });
      const hits = await at.store.documents.nearest({ vector: toLetters(ENGLISH), limit: 5 });
      const found = await at.store.documents.chunks(hits.map(({ key }) => key));
      expect(found.map(({ document }) => document.id)).toEqual([kept]);
    });

    test("light vectors are searched while the model is unavailable, and refined afterwards", async () => {
      embed.isUnavailable = true;
      await add("valve.txt", ENGLISH);
      await at.ingest.refine(never);
      expect(await cosine(lightLetters(ENGLISH))).toBeGreaterThan(0.999);
      expect(await at.ingest.staleCount()).toBe(0);
      expect(await toRefine()).toBe(1);
      embed.isUnavailable = false;
      await at.ingest.refine(never);
      expect(await toRefine()).toBe(0);
      expect(await cosine(toLetters(ENGLISH))).toBeGreaterThan(0.999);
    });

    test("a changed analyser recomputes terms and keeps the model's vectors", async () => {
      const id = await storeAsBefore(ENGLISH, FINGERPRINT.replace("analyse-test", "analyse-0"));
      expect(await at.ingest.staleCount()).toBe(1);
      at.ingest.start();
      await eventually(async () => expect(await at.ingest.staleCount()).toBe(0));
      await eventually(async () => expect(await toRefine()).toBe(0));
      expect(embed.read).toEqual([]);
      expect(await cosine(toLetters(ENGLISH))).toBeGreaterThan(0.999);
      expect((await at.store.documents.whole(id))?.chunks[0]?.encoding).toBe("model");
    });

    test("another light table recomputes light vectors, and only those", async () => {
      await add("a.txt", ENGLISH);
      await add("b.txt", JAPANESE);
      await at.ingest.refine(never);
      const other = await at.another(Object.assign(lightLetterEmbed(model, "light-2"), {}));
      expect(await other.ingest.staleCount()).toBe(2);
      other.ingest.start();
      await eventually(async () => expect(await other.ingest.staleCount()).toBe(0));
      expect((await other.ingest.toRefine()).chunks).toBe(0);
      expect(await cosine(lightLetters(JAPANESE, "light-2"))).toBeGreaterThan(0.999);
      expect(await cosine(toLetters(ENGLISH))).toBeGreaterThan(0.999);
      expect(embed.read).toEqual([ENGLISH]);
    });
  });
});

test("adds take precedence: a refiner waits for them, and stops after a step", async () => {
  const temp = await tempStore();
  const { refinements, documents } = temp.store;
  const texts = Array.from({ length: 70 }, (_, n) => `Text ${n}`);
  const { document, chunks } = sampleDocument(texts);
  await documents.put(
    document,
    chunks.map((chunk) => ({ ...chunk, encoding: "waiting" as const })),
  );
  const state = { isBusy: true, claims: 0 };
  const { perform, allowsChanges } = testAccess();
  const refiner = openRefiner({
    refinements: {
      ...refinements,
      claim(claim) {
        state.claims += 1;
        return refinements.claim(claim);
      },
      async storeVectors(worker, refined) {
        const stored = await refinements.storeVectors(worker, refined);
        state.isBusy = true;
        return stored;
      },
    },
    embed: lightLetterEmbed(),
    under: { fingerprint: document.fingerprint },
    isBusy: () => state.isBusy,
    allowsChanges,
    perform,
    log: silentLog(),
  });
  refiner.start();
  expect(state.claims).toBe(0);
  state.isBusy = false;
  refiner.wake();
  await eventually(async () => expect((await refiner.waiting()).chunks).toBe(6));
  await refiner.close();
  expect(state.claims).toBe(1);
  expect((await refiner.waiting()).chunks).toBe(6);
  await temp.dispose();
});

test("a store that refuses is asked less and less often, and reported once until it changes", async () => {
  const temp = await tempStore();
  const { document, chunks } = sampleDocument(["Text"]);
  const encoding = "waiting" as const;
  await temp.store.documents.put(
    document,
    chunks.map((chunk) => ({ ...chunk, encoding })),
  );
  const state = { nowMs: 0, tries: 0 };
  const lines: string[] = [];
  const { perform, allowsChanges } = testAccess();
  const { refinements } = temp.store;
  const refiner = openRefiner({
    refinements: {
      ...refinements,
      holders: () =>
        refinements.holders().finally(() => {
          state.tries += 1;
        }),
    },
    embed: lightLetterEmbed(),
    under: { fingerprint: document.fingerprint },
    isBusy: () => false,
    allowsChanges,
    perform,
    log: openLog({ level: "warn", write: (line) => lines.push(line) }),
    now: () => state.nowMs,
  });
  const elsewhere = `${temp.dataDir}-elsewhere`;
  renameSync(temp.dataDir, elsewhere);
  /** The pause after the n-th failure is 2^(n-1) seconds. */
  const tryAt = async (nowMs: number, tries: number) => {
    state.nowMs = nowMs;
    await eventually(() => {
      refiner.wake();
      expect(state.tries).toBeGreaterThanOrEqual(tries);
    });
    // The refiner takes note of the failure before the clock goes on.
    await setImmediate();
    expect(state.tries).toBe(tries);
  };
  refiner.start();
  await tryAt(0, 1);
  await tryAt(999, 1);
  await tryAt(1_000, 2);
  await tryAt(2_999, 2);
  await tryAt(3_000, 3);
  await tryAt(6_999, 3);
  renameSync(elsewhere, temp.dataDir);
  state.nowMs = 7_000;
  refiner.wake();
  await eventually(async () => expect((await refiner.waiting()).chunks).toBe(0));
  await refiner.close();
  expect(lines).toEqual([expect.stringContaining("ingest.refine-failed")]);
  await temp.dispose();
});

describe("with --refine before", () => {
  test("completed means that the model has read it, or the light vector is used if it is unavailable", async () => {
    const embed = lightLetterEmbed();
    const at = await tempIngest({ embed, refine: "before" });
    const add = async (name: string, text: string) => {
      const source = { kind: "file", path: await at.write(name, text) } as const;
      const options = { metadata: {}, forceOcr: false, signal: never };
      const { task } = await at.ingest.enqueue(source, options);
      return at.ingest.finish(task.id, { signal: never });
    };
    expect((await add("a.txt", ENGLISH)).status).toBe("completed");
    expect(embed.read).toEqual([ENGLISH]);
    expect(await at.ingest.toRefine()).toEqual({ documents: 0, chunks: 0 });
    embed.isUnavailable = true;
    expect((await add("b.txt", "Pumps are closed by hand.")).status).toBe("completed");
    expect(await at.ingest.toRefine()).toEqual({ documents: 1, chunks: 1 });
    await at.dispose();
  });
});
