// A server is killed at each named step of an add; a second server finishes the task, once.
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callTool } from "../../stress/fuzz/load.ts";
import { eventually } from "../support/eventually.ts";
import {
  type Connected,
  connectTo,
  type HttpServer,
  type ServerPlace,
  startHttp,
} from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { tempDatabase } from "../support/temp-postgres.ts";

// `kept`: its bytes are there and no task yet. `queued`: acknowledged. `reading`: claimed. `embedding`: extracted
// and cut. `indexing`: embedded, and in the moments after it stored, with the task's end in the same transaction.
const STEPS = [
  "kept",
  "queued",
  "reading",
  "reading+1",
  "extracting",
  "extracting+2",
  "embedding",
  "embedding+3",
  "indexing",
  "indexing+1",
  "indexing+3",
  "stored",
] as const;

const database = await tempDatabase();
afterAll(() => database?.drop());

/** Of the moments between steps, only the one at which a document is stored, on SQLite. KILL_STEPS=all tries every one. */
const stepsOn = (store: string) => {
  if (process.env["KILL_STEPS"] === "all") return STEPS;
  const between = store === "sqlite" ? "indexing+1" : "";
  return STEPS.filter((step) => !step.includes("+") || step === between);
};

// Only SQLite if PostgreSQL is not available, which is reported on stderr.
const STORES = database ? (["sqlite", "postgres"] as const) : (["sqlite"] as const);

describe.each(STORES)("on %s", (store) => {
  let folder: string;
  let place: ServerPlace;
  let living: HttpServer;
  let at: Connected;
  const acknowledged: string[] = [];
  /** Not acknowledged. The database may store such a task even after its client has died. */
  const unsure: string[] = [];

  beforeAll(async () => {
    folder = tempFolder("kill-steps");
    const config = join(folder, "config.json");
    const root = join(folder, "files");
    place = { dataDir: join(folder, "data"), root, config, isWithoutModel: true };
    await mkdir(place.root);
    await writeFile(
      config,
      JSON.stringify(store === "sqlite" ? {} : { databaseUrl: database?.url }),
    );
    living = await startHttp(place);
    at = await connectTo("http", living.url);
  });
  afterAll(async () => {
    await at?.close();
    await living?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const tasks = async () => {
    const { contents } = await at.client.readResource({ uri: "knowledge://tasks" });
    const [list] = contents as readonly { readonly text: string }[];
    return JSON.parse(list?.text ?? "{}").tasks as { status: string; filename: string }[];
  };
  const names = async () => {
    const { documents } = await at.call("knowledge-show", { limit: 100 });
    return (documents as { filename: string }[]).map(({ filename }) => filename);
  };

  /** Adds new files to a server until it dies at the step: the other server may claim a task first. */
  const addAndDie = async (step: string): Promise<readonly string[]> => {
    const dying = await startHttp(place, { file: "kill-at.ts", env: { KILL_AT: step } });
    const dead = once(dying.child, "exit");
    const tried: string[] = [];
    for (;;) {
      const filename = `${step.replace("+", "-")}-${tried.length}.txt`;
      const file_path = join(place.root, filename);
      await writeFile(file_path, `The harbour of ${filename} lies quiet at low tide.`);
      tried.push(filename);
      // Waited for by its caller, so that this server works on it itself.
      const add = callTool(dying.url, "knowledge-add", { file_path, async: false });
      const ended = await Promise.race([dead, add.catch(() => dead)]);
      if (Array.isArray(ended)) {
        expect(ended).toEqual([null, "SIGKILL"]);
        return tried;
      }
      // On a busy machine the database may not respond in time; such an add is refused, not acknowledged.
      if (ended.payload["success"] === true) acknowledged.push(filename);
      else expect(["store_unavailable", "overloaded"]).toContain(ended.payload["error"]);
    }
  };

  /** The file at which the server died: the last one, or the one before it if the last came too late. */
  const diedAt = async (tried: readonly string[]): Promise<string> => {
    const queued = new Set((await tasks()).map(({ filename }) => filename));
    const last = tried.findLast((name) => queued.has(name));
    if (last === undefined) throw new Error(`There is no task for any of ${tried.join(", ")}.`);
    if (!acknowledged.includes(last)) acknowledged.push(last);
    unsure.push(...tried.filter((name) => !acknowledged.includes(name)));
    return last;
  };

  test.each(stepsOn(store))("an add that is killed at %s is finished once", async (step) => {
    const tried = await addAndDie(step);
    if (step === "kept") return expect(await names()).not.toContain(tried.at(-1));
    const filename = await diedAt(tried);
    await eventually(async () => expect(await names()).toContain(filename));
  });

  test("every task has completed, and every document exists once", async () => {
    const wanted = await eventually(async () => {
      const all = await tasks();
      const late = unsure.filter((name) => all.some(({ filename }) => filename === name));
      const expected = [...acknowledged, ...late].toSorted();
      const ended = all.map(({ status, filename }) => `${filename} ${status}`).toSorted();
      expect(ended).toEqual(expected.map((name) => `${name} completed`));
      return expected;
    });
    expect((await names()).toSorted()).toEqual(wanted);
    for (const filename of wanted) {
      const { results } = await at.call("knowledge-search", { query: filename, top_k: 1 });
      expect(results).toMatchObject([{ filename }]);
    }
  });
});
