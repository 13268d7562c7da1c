// Servers on one data folder are killed at random moments; nothing that was acknowledged may be lost.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type Connected, connectTo, type ServerPlace, startHttp } from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";

// KILLS=500 tries more.
const KILLS = Number(process.env["KILLS"] ?? 12);
// A task that is interrupted five times is given up: between so many kills all work is allowed to end.
const KILLS_A_ROUND = 4;
// A life is counted in acknowledged adds and a last moment, so that a slow machine tests the same.
const MAX_ADDS = 3;
const LAST_MOMENT_MS = 500;

let place: ServerPlace;

beforeAll(async () => {
  const folder = tempFolder("documents-crash");
  place = { dataDir: join(folder, "data"), root: join(folder, "files"), isWithoutModel: true };
  await mkdir(place.root);
});
afterAll(() => rm(join(place.dataDir, ".."), { recursive: true, force: true }));

interface Acknowledged {
  readonly file: string;
  readonly taskId?: string;
  readonly documentId?: string;
}

test(`${KILLS} kills lose no acknowledged document and no queued task`, {
  timeout: 600_000 + 60_000 * KILLS,
}, async () => {
  const acknowledged: Acknowledged[] = [];
  let kills = 0;
  let files = 0;

  const addSome = async (at: Connected, isAlive: () => boolean) => {
    while (isAlive()) {
      files += 1;
      const file = `note-${files}.txt`;
      const path = join(place.root, file);
      await writeFile(path, `Note ${files}: the keeper of lighthouse number${files} saw a ship.`);
      const isAsync = files % 6 !== 0;
      const answer = await at.call("knowledge-add", { file_path: path, async: isAsync });
      expect(answer).toMatchObject({ success: true });
      acknowledged.push(
        isAsync
          ? { file, taskId: String(answer["task_id"]) }
          : { file, documentId: String(answer["document_id"]) },
      );
      await sleep(Math.random() * 100);
    }
  };

  const live = async (until: number) => {
    while (kills < until) {
      const server = await startHttp(place);
      const at = await connectTo("http", server.url);
      // Some die before they have done anything.
      const adds = kills % 4 === 0 ? 0 : 1 + Math.floor(Math.random() * MAX_ADDS);
      const enough = acknowledged.length + adds;
      let alive = true;
      let failed: unknown;
      const adding = addSome(at, () => alive).catch((error: unknown) => {
        // The call under way when the process dies is not acknowledged.
        if (alive) failed = error;
      });
      while (acknowledged.length < enough && failed === undefined) await sleep(20);
      await sleep(Math.random() * LAST_MOMENT_MS);
      alive = false;
      await server.kill();
      kills += 1;
      await adding;
      await at.close().catch(() => {});
      if (failed !== undefined) throw failed;
    }
  };
  while (kills < KILLS) {
    const until = kills + KILLS_A_ROUND - 1;
    await Promise.all([live(until), live(until)]);
    await alone(place, settle);
  }
  await alone(place, (at) => expectAll(at, acknowledged));
});

async function alone(place: ServerPlace, work: (at: Connected) => Promise<void>): Promise<void> {
  const server = await startHttp(place);
  const at = await connectTo("http", server.url);
  try {
    await work(at);
  } finally {
    await at.close();
    await server.stop();
  }
}

async function settle(at: Connected): Promise<void> {
  await eventually(async () => {
    const { tasks } = await at.call("knowledge-status", {});
    expect(tasks).toMatchObject({ queued: 0, running: 0 });
  }, 300_000);
}

async function expectAll(at: Connected, acknowledged: readonly Acknowledged[]): Promise<void> {
  expect(acknowledged.length).toBeGreaterThan(KILLS / 4);
  const { documents, total_count } = await at.call("knowledge-show", { limit: 1000 });
  const names = (documents as { filename: string }[]).map(({ filename }) => filename);
  expect(names).toHaveLength(Number(total_count));
  expect(new Set(names).size).toBe(names.length);
  for (const { file, taskId, documentId } of acknowledged) {
    if (taskId !== undefined) {
      const status = await at.call("knowledge-task-status", { task_id: taskId });
      expect(status).toMatchObject({ status: "completed", result: { filename: file } });
    }
    expect(names).toContain(file);
    const number = /\d+/.exec(file)?.[0];
    const query = `lighthouse number${number}`;
    const { results } = await at.call("knowledge-search", { query, top_k: 1 });
    expect(results).toMatchObject([
      { filename: file, ...(documentId && { document_id: documentId }) },
    ]);
  }
}
