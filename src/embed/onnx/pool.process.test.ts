import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { silentLog } from "../../../test/support/silent-log.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import type { Job } from "./model-thread.ts";
import { Pool } from "./pool.ts";
import { SHIPPED } from "./profile.ts";

const PARTS = {
  room: "embed",
  unavailable: (reason: string) => new KnowledgeError("MODEL_UNAVAILABLE", reason),
} as const;

let pool: Pool;
beforeEach(() => {
  pool = new Pool({
    ...PARTS,
    modelDir: "",
    profile: { ...SHIPPED, files: { model: "hash" } },
    workerUrl: new URL("../../../test/support/children/one-model.ts", import.meta.url),
    workers: 2,
    idleMs: 60_000,
    log: silentLog(),
  });
});
afterEach(() => pool.close());

const embed = (kind: Job["kind"]) =>
  new Promise<Float32Array>((resolve, reject) => {
    pool.submit({ kind, input: { text: "text" }, resolve, reject });
  });

test("a query does not wait for a thread that still loads the model", async () => {
  await embed("query");
  let done = 0;
  const count = () => {
    done += 1;
  };
  for (let at = 0; at < 60; at++) embed("passage").then(count, () => {});
  await Promise.all(Array.from({ length: 10 }, () => embed("query")));
  // All but the one that was given to the loading thread.
  await expect.poll(() => done).toBe(59);
});

test("a few passages do not load the model once more", async () => {
  await embed("query");
  await Promise.all(Array.from({ length: 10 }, () => embed("passage")));
});

describe("a thread that fails", () => {
  let odd: Pool;
  beforeEach(() => {
    odd = new Pool({
      ...PARTS,
      modelDir: "",
      profile: SHIPPED,
      workerUrl: new URL("../../../test/support/children/odd-model.ts", import.meta.url),
      workers: 1,
      idleMs: 60_000,
      // Includes the start of the thread and its wait for a busy machine.
      silentMs: 10_000,
      closeMs: 500,
      log: silentLog(),
    });
  });
  afterEach(() => odd.close());
  const ask = (text: string) =>
    new Promise<Float32Array>((resolve, reject) => {
      odd.submit({ kind: "passage", input: { text }, resolve, reject });
    });

  test.each(["hang", "end", "unreadable"])(
    "by '%s' is replaced: its text is given up, the others go on",
    async (how) => {
      await ask("before");
      const lost = ask(how).catch((error: unknown) => error);
      const others = ["a", "b", "c"].map((text) => ask(text));
      expect(await lost).toMatchObject({ code: "MODEL_UNAVAILABLE" });
      expect(await Promise.all(others)).toHaveLength(3);
    },
  );

  test("when the pool closes, waiting callers get an error", async () => {
    await ask("before");
    const waiting = ["hang", "a"].map((text) => ask(text).catch((error: unknown) => error));
    await odd.close();
    for (const outcome of await Promise.all(waiting))
      expect(outcome).toMatchObject({ code: "MODEL_UNAVAILABLE" });
  });
});
