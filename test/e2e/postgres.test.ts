// Four servers and two workers on one database: workers are killed, the database restarts in the middle.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { PROGRAM } from "../support/shipped.ts";
import { type Connected, connectTo, type HttpServer, startHttp } from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { type TempDatabase, tempDatabase } from "../support/temp-postgres.ts";

const FILES = 24;

const database = (await tempDatabase({ ownServer: true })) as TempDatabase;

describe.skipIf(!database)("many processes on one database", () => {
  let folder: string;
  let root: string;
  let config: string;
  const servers: { readonly server: HttpServer; readonly at: Connected }[] = [];
  const workers: ChildProcess[] = [];

  beforeAll(async () => {
    folder = tempFolder("postgres-e2e");
    root = join(folder, "files");
    config = join(folder, "config.json");
    await mkdir(root);
    await writeFile(config, JSON.stringify({ databaseUrl: database.url }));
    for (let number = 0; number < 4; number++) {
      const server = await startHttp({ dataDir: join(folder, `server-${number}`), root, config });
      servers.push({ server, at: await connectTo("http", server.url) });
    }
    startWorker();
    startWorker();
  });

  afterAll(async () => {
    for (const { server, at } of servers) {
      await at.close();
      await server.stop();
    }
    for (const worker of workers) await kill(worker);
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  function startWorker(): void {
    const args = [PROGRAM, "worker", "--config", config, "--data-dir", join(folder, "worker")];
    workers.push(spawn(process.execPath, [...args, "--log-level", "error"], { stdio: "ignore" }));
  }

  test("every acknowledged document is there once and every queued task is done once", {
    timeout: 600_000,
  }, async () => {
    const acknowledged: { file: string; taskId: string }[] = [];
    const addOne = async (number: number) => {
      const file = `note-${number}.txt`;
      const path = join(root, file);
      await writeFile(path, `Note ${number}: the keeper of lighthouse number${number} saw a ship.`);
      const { at } = servers[number % servers.length] as { at: Connected };
      // While the database is unavailable an add is refused, so it is retried.
      for (;;) {
        const answer = await at.call("knowledge-add", { file_path: path, async: true });
        if (answer["success"] === true) {
          acknowledged.push({ file, taskId: String(answer["task_id"]) });
          return;
        }
        expect(answer["error"]).toBe("store_unavailable");
        await sleep(200);
      }
    };
    const adding = (async () => {
      for (let number = 0; number < FILES; number++) {
        await addOne(number);
        await sleep(50);
      }
    })();
    for (let round = 0; round < 3; round++) {
      await eventually(() => expect(acknowledged.length).toBeGreaterThan(5 * (round + 1)));
      await kill(workers.shift());
      startWorker();
      if (round === 1) await database.restart?.(() => sleep(500));
    }
    await adding;

    const { at } = servers[0] as { at: Connected };
    await settle(at);
    for (const { file, taskId } of acknowledged) {
      const status = await at.call("knowledge-task-status", { task_id: taskId });
      expect(status).toMatchObject({ status: "completed", result: { filename: file } });
    }
    const { documents, total_count } = await at.call("knowledge-show", { limit: 1000 });
    const names = (documents as { filename: string }[]).map(({ filename }) => filename);
    expect(names.toSorted()).toEqual(acknowledged.map(({ file }) => file).toSorted());
    expect(total_count).toBe(FILES);
  });

  test("what one server removes, the others no longer find", async () => {
    const [one, other] = servers.map(({ at }) => at) as [Connected, Connected];
    const query = "lighthouse number7";
    const { results } = await other.call("knowledge-search", { query, top_k: 1 });
    expect(results).toMatchObject([{ filename: "note-7.txt" }]);
    const [{ document_id }] = results as [{ document_id: string }];
    await one.call("knowledge-remove", { document_id, confirm: true });
    const after = await other.call("knowledge-search", { query, top_k: 1 });
    expect(after["results"]).not.toMatchObject([{ filename: "note-7.txt" }]);
  });
});

async function settle(at: Connected): Promise<void> {
  await eventually(async () => {
    const { tasks } = await at.call("knowledge-status", {});
    expect(tasks).toMatchObject({ queued: 0, running: 0 });
  }, 180_000);
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
