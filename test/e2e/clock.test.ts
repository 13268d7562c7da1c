// One of two servers has its clock set far ahead, then far back, while documents are added through both.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { callTool } from "../../stress/fuzz/load.ts";
import { eventually } from "../support/eventually.ts";
import { type HttpServer, type ServerPlace, startHttp } from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { tempDatabase } from "../support/temp-postgres.ts";

const DAY_MS = 86_400_000;
const JUMPS_MS = [0, 30 * DAY_MS, -30 * DAY_MS, 10 * 60_000, -10 * 60_000];
const FILES_A_JUMP = 6;

const database = await tempDatabase();
afterAll(() => database?.drop());
const STORES = database ? (["sqlite", "postgres"] as const) : (["sqlite"] as const);

describe.each(STORES)("on %s", (store) => {
  let folder: string;
  const servers: HttpServer[] = [];
  afterAll(async () => {
    for (const server of servers) await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test("when the clock jumps, no task is lost, repeated or delayed", async () => {
    folder = tempFolder("clock");
    const [config, clock] = [join(folder, "config.json"), join(folder, "clock")];
    const place: ServerPlace = {
      dataDir: join(folder, "data"),
      root: join(folder, "files"),
      config,
    };
    await mkdir(place.root);
    await writeFile(clock, "0");
    const settings = store === "sqlite" ? {} : { databaseUrl: database?.url };
    await writeFile(config, JSON.stringify(settings));
    const still = await startHttp(place);
    const startJumping = () =>
      startHttp(place, { file: "jumping-clock.ts", env: { CLOCK_FILE: clock } });
    const jumping = await startJumping();
    servers.push(still, jumping);

    const first = join(place.root, "first.txt");
    await writeFile(first, "The keeper lit the lamp.");
    await callTool(still.url, "knowledge-add", { file_path: first, async: false });
    const addNote = async (round: number, number: number) => {
      const { url } = servers[number % 2] as HttpServer;
      const file_path = join(place.root, `note-${round}-${number}.txt`);
      await writeFile(file_path, `Note ${round}-${number}: the keeper saw a ship.`);
      const { payload } = await callTool(url, "knowledge-add", { file_path });
      expect(payload).toMatchObject({ success: true, task_id: expect.any(String) });
      return { url, task_id: payload["task_id"] };
    };
    const tasks: { readonly url: string; readonly task_id: unknown }[] = [];
    for (const [round, jumpMs] of JUMPS_MS.entries()) {
      for (let number = 0; number < FILES_A_JUMP; number++) {
        // In the middle, with tasks waiting and at work.
        if (number === FILES_A_JUMP / 2) await writeFile(clock, String(jumpMs));
        tasks.push(await addNote(round, number));
      }
      const found = await callTool(jumping.url, "knowledge-search", { query: "keeper" });
      expect(found.payload).toMatchObject({ success: true });
    }
    // A server that starts a month ahead tidies at once.
    await writeFile(clock, String(30 * DAY_MS));
    const ahead = await startJumping();
    servers.push(ahead);
    await callTool(ahead.url, "knowledge-add", { file_path: first, async: false });
    for (const { url, task_id } of tasks) expect(await endOf(url, task_id)).toBe("completed");
    for (const { url } of servers) {
      const names = await namesAt(url);
      expect(new Set(names).size).toBe(1 + tasks.length);
      expect(names).toHaveLength(1 + tasks.length);
    }
  });
});

async function namesAt(url: string): Promise<readonly string[]> {
  const { payload } = await callTool(url, "knowledge-show", { limit: 1_000 });
  return (payload["documents"] as { filename: string }[]).map((each) => each.filename);
}

async function endOf(url: string, task_id: unknown): Promise<unknown> {
  return eventually(async () => {
    const { payload } = await callTool(url, "knowledge-task-status", { task_id });
    expect(payload).toMatchObject({ status: expect.not.stringMatching(/^(queued|running)$/) });
    return payload["status"];
  });
}
