// Any JSON as metadata, through add → kill → restart → list → search → cancel → remove: nothing hangs, nothing is
// lost, and what comes back is what went in. ANY_JSON=2000 tries more.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { metadataProblem } from "../../src/domain/metadata.ts";
import { eventually } from "../support/eventually.ts";
import { SEED } from "../support/seed.ts";
import { PROGRAM } from "../support/shipped.ts";
import {
  type Connected,
  connectTo,
  type HttpServer,
  type ServerPlace,
  startHttp,
} from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";

const COUNT = Number(process.env["ANY_JSON"] ?? 24);
const AT_ONCE = 12;

type Json = Record<string, unknown>;

let place: ServerPlace;
let server: HttpServer;
let at: Connected;
const open = async () => {
  server = await startHttp(place);
  at = await connectTo("http", server.url);
};
const restart = async (how: "kill" | "stop") => {
  await at.close();
  await server[how]();
  await open();
};
beforeAll(async () => {
  const folder = tempFolder("any-json");
  place = { dataDir: join(folder, "data"), root: join(folder, "files") };
  await mkdir(place.root);
  await open();
});
afterAll(async () => {
  await at.close();
  await server.kill();
  await rm(join(place.dataDir, ".."), { recursive: true, force: true });
});

const key = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom("", " ", "tags", "author", "format", "a.b", "$", "constructor", "__proto__", "%"),
);
const scalar = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(null, 1e21, 5e-324, 2 ** 53, "\0", "\ud800", "x".repeat(19_000)),
);
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(key, tie("value"), { maxKeys: 5 }),
  ),
})).value;
// Deeper ones do not get past the transport.
const deep = fc.integer({ min: 1, max: 50 }).map((levels) => {
  let nested: unknown = "end";
  for (let level = 0; level < levels; level++) nested = level % 2 ? [nested] : { n: nested };
  return { nested };
});
const metadata = fc.oneof(
  { arbitrary: fc.dictionary(key, value, { maxKeys: 6 }), weight: 6 },
  { arbitrary: deep, weight: 1 },
);

const settle = () =>
  eventually(async () => {
    const { tasks } = await at.call("knowledge-status", {});
    expect(tasks).toEqual({ queued: 0, running: 0 });
  }, 200_000);

async function addNote(number: number, given: unknown): Promise<Json> {
  const path = join(place.root, `note-${number}.txt`);
  await writeFile(path, `Note ${number}: the keeper of lighthouse number${number} saw a ship.`);
  return at.call("knowledge-add", { file_path: path, metadata: given });
}

test(`${COUNT} metadata objects come back as they went in (seed ${SEED})`, {
  timeout: 300_000 + COUNT * 1_000,
}, async () => {
  // As it is on the wire: no minus zero, no number that JSON lacks.
  const made = fc.sample(metadata, { seed: SEED, numRuns: COUNT });
  const all = made.map((each) => JSON.parse(JSON.stringify(each)) as Json);
  const taken: { readonly given: Json; readonly taskId: string; readonly number: number }[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const batch = all.slice(from, from + AT_ONCE);
    const answers = await Promise.all(batch.map((given, n) => addNote(from + n, given)));
    for (const [n, answer] of answers.entries()) {
      const given = batch[n] as Json;
      const problem = metadataProblem(given);
      if (problem === undefined) {
        expect(answer, JSON.stringify(given)).toMatchObject({ success: true });
        taken.push({ given, taskId: String(answer["task_id"]), number: from + n });
      } else {
        expect(answer).toMatchObject({ success: false, error: "invalid_parameter" });
        expect(answer["message"]).toBe(`'metadata': ${problem}.`);
      }
    }
    await restart(from % (2 * AT_ONCE) === 0 ? "kill" : "stop");
  }
  expect(taken.length).toBeGreaterThan(COUNT / 4);
  expect(taken.length).toBeLessThan(COUNT);
  await settle();
  for (const { given, taskId, number } of taken) {
    const status = await at.call("knowledge-task-status", { task_id: taskId });
    expect(status, JSON.stringify(given)).toMatchObject({ status: "completed" });
    const documentId = (status["result"] as { document_id: string }).document_id;
    const { documents } = await at.call("knowledge-show", { document_id: documentId });
    expect((documents as Json[])[0]?.["metadata"]).toEqual(given);
    const filters = { document_id: documentId, ...searchable(given) };
    const { results } = await at.call("knowledge-search", {
      query: `lighthouse number${number}`,
      filters,
    });
    expect(results, JSON.stringify(filters)).toMatchObject([{ document_id: documentId }]);
    const removal = { document_id: documentId, confirm: true };
    expect(await at.call("knowledge-remove", removal)).toMatchObject({ success: true });
  }
  expect(await at.call("knowledge-show", {})).toMatchObject({ total_count: 0 });
});

/** What a search can be narrowed by: plain values under names of the user's own. */
function searchable(given: Json): Json {
  const own = Object.entries(given).filter(
    ([name, each]) =>
      !["tags", "format", "date_range", "filename", "document_id"].includes(name) &&
      ["string", "number", "boolean"].includes(typeof each),
  );
  return Object.fromEntries(own.slice(0, 2));
}

test("an add with nested metadata can be cancelled", async () => {
  const answer = await addNote(COUNT, { list: [[], {}, null, { a: [1, "2"] }] });
  const call = { task_id: String(answer["task_id"]) };
  expect(await at.call("knowledge-task-cancel", call)).toMatchObject({ success: true });
});

function nested(levels: number): Json {
  let made: Json = {};
  for (let level = 1; level < levels; level++) made = { a: made };
  return made;
}

test("metadata that is nested 1,660 levels deep is refused, and other adds continue", async () => {
  await expect(addNote(1_000, nested(1_660))).rejects.toThrow(/nested deeper/);
  expect(await addNote(1_000, nested(40))).toMatchObject({
    success: false,
    error: "invalid_parameter",
    parameter: "metadata",
  });
  const path = join(place.root, "after.txt");
  await writeFile(path, "After the deep one the keeper slept.");
  const added = await at.call("knowledge-add", { file_path: path, async: false });
  expect(added).toMatchObject({ success: true });
});

test("a stored task with such metadata is set aside and reported; the others run, and the server stops on request", async () => {
  const taskId = String((await addNote(1_001, { fine: true }))["task_id"]);
  await settle();
  await at.close();
  await server.kill();
  const database = new DatabaseSync(join(place.dataDir, "knowledge.db"));
  const find = database.prepare("SELECT request FROM tasks WHERE id = ?");
  const { request } = find.get(taskId) as { request: string };
  database
    .prepare("UPDATE tasks SET status = 'queued', finished_at = NULL, request = ? WHERE id = ?")
    .run(JSON.stringify({ ...JSON.parse(request), metadata: nested(1_660) }), taskId);
  database.close();

  await open();
  const next = await addNote(1_002, { fine: true });
  await settle();
  const status = await at.call("knowledge-task-status", { task_id: String(next["task_id"]) });
  expect(status).toMatchObject({ status: "completed" });
  const issues = [expect.stringContaining("1 task cannot be read")];
  await expect
    .poll(() => at.call("knowledge-status", {}))
    .toMatchObject({ health: { status: "degraded", issues } });
  expect(run("doctor")).toContain("1 task cannot be read");
  expect(run("tasks")).toContain("set aside");
  await at.call("knowledge-task-cancel", { task_id: taskId });
  await expect
    .poll(() => at.call("knowledge-status", {}))
    .toMatchObject({ health: { status: "healthy" } });
  await at.close();
  await server.stop();
  expect(server.child.exitCode).toBe(0);
});

function run(...args: readonly string[]): string {
  const env = { ...process.env, HOME: place.root, COLUMNS: "300" };
  const flags = [...args, "--data-dir", place.dataDir];
  return spawnSync(process.execPath, [PROGRAM, ...flags], { env, encoding: "utf8" }).stdout;
}

test("a server whose store hangs in the operating system stops on request", async () => {
  const reached = join(place.root, "reached");
  const hanging = await startHttp(place, { file: "stuck-store.ts", env: { STUCK_FILE: reached } });
  await expect.poll(() => existsSync(reached)).toBe(true);
  const caller = await connectTo("http", hanging.url);
  // Reading goes on beside it.
  expect(await caller.call("knowledge-show", {})).toMatchObject({ success: true });
  await caller.close();
  await hanging.stop();
  expect(hanging.child.signalCode).toBe("SIGKILL");
});
