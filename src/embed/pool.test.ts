import { afterEach, beforeEach, expect, test } from "vitest";
import { openLog } from "../observe/log.ts";
import { type Job, openPool, type Pool } from "./pool.ts";
import { SHIPPED } from "./profile.ts";

let pool: Pool;
beforeEach(() => {
  pool = openPool({
    modelDir: "",
    profile: { ...SHIPPED, files: { model: "hash" } },
    workerUrl: new URL("../../test/support/children/one-model.ts", import.meta.url),
    workers: 2,
    idleMs: 60_000,
    log: openLog({ level: "silent" }),
  });
});
afterEach(() => pool.close());

const embed = (kind: Job["kind"]) =>
  new Promise<Float32Array>((resolve, reject) => {
    pool.submit({ kind, text: "text", resolve, reject });
  });

test("a query does not wait for a thread that still loads the model", async () => {
  await embed("query");
  let done = 0;
  for (let at = 0; at < 60; at++) void embed("passage").then(() => done++);
  await Promise.all(Array.from({ length: 10 }, () => embed("query")));
  // All but the one that was given to the thread that loads.
  await expect.poll(() => done).toBe(59);
});

test("a few passages do not load the model once more", async () => {
  await embed("query");
  await Promise.all(Array.from({ length: 10 }, () => embed("passage")));
});
