// A real server whose data folder is lost, moved and swapped while it runs.
import { execFile } from "node:child_process";
import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeOld, originalsIn } from "../support/aged-folder.ts";
import { eventually } from "../support/eventually.ts";
import { PROGRAM } from "../support/shipped.ts";
import { type Connected, connectTo, type HttpServer, startHttp } from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";

let folder: string;
let dataDir: string;
let server: HttpServer;
let agent: Connected;

beforeEach(async () => {
  folder = tempFolder("folder");
  dataDir = join(folder, "data");
  await start();
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  server = await startHttp({ dataDir, root: folder });
  agent = await connectTo("http", server.url);
}

async function stop(): Promise<void> {
  await agent.close();
  await server.stop();
}

async function add(name: string): Promise<Record<string, unknown>> {
  const path = join(folder, name);
  writeFileSync(path, `A note on ${name}, which is about herons in shallow water.`);
  return agent.call("knowledge-add", { file_path: path, async: false });
}

/** The tidying at a start logs why it could not work, maybe before anybody has connected. */
function sweepStopped(): Promise<string> {
  return eventually(() => {
    const line = server.lines.find((each) => each.includes("ingest.sweep-stopped"));
    return line ?? expect.unreachable();
  });
}

const healthOf = async () =>
  (await agent.call("knowledge-status", {}))["health"] as Record<string, unknown>;

test("a lost database costs no original, and is reported by status, log and doctor", async () => {
  expect(await add("first.txt")).toMatchObject({ success: true });
  await stop();
  const kept = originalsIn(dataDir);
  expect(kept).toHaveLength(1);
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith("knowledge.db")) rmSync(join(dataDir, name));
  }
  makeOld(dataDir);
  await start();
  expect(await sweepStopped()).toContain('"level":"warn"');
  expect(originalsIn(dataDir)).toEqual(kept);
  await expect.poll(healthOf).toMatchObject({
    status: "degraded",
    storage_accessible: false,
    issues: [expect.stringContaining("repair --force")],
  });
  const line = [PROGRAM, "doctor", "--json", "--data-dir", dataDir];
  const { stdout } = await promisify(execFile)(process.execPath, line);
  const findings = JSON.parse(stdout) as { name: string; state: string; remedy?: string }[];
  const audit = { name: "audit log", state: "ok", detail: "not configured" };
  expect(findings).toContainEqual(audit);
  expect(findings.find(({ name }) => name === "original files")).toMatchObject({
    state: "warn",
    remedy: expect.stringContaining("repair --force"),
  });
  // Adding still works: new originals are kept next to the old ones.
  expect(await add("second.txt")).toMatchObject({ success: true });
  expect(originalsIn(dataDir)).toEqual(expect.arrayContaining(kept));
});

test("a log that is deleted under a server costs neither its documents nor those of another process", async () => {
  expect(await add("first.txt")).toMatchObject({ success: true });
  for (const name of ["knowledge.db-wal", "knowledge.db-shm"]) rmSync(join(dataDir, name));
  expect(await healthOf()).toMatchObject({ status: "healthy" });
  const path = join(folder, "second.txt");
  writeFileSync(path, "A second note, on egrets.");
  await promisify(execFile)(process.execPath, [PROGRAM, "add", path, "--data-dir", dataDir]);
  expect(await add("third.txt")).toMatchObject({ success: true });
  await stop();
  await start();
  const { documents } = (await agent.call("knowledge-show", {})) as {
    documents: readonly { filename: string }[];
  };
  const names = documents.map(({ filename }) => filename).toSorted();
  expect(names).toEqual(["first.txt", "second.txt", "third.txt"]);
});

test("nothing is acknowledged while the data folder is moved", async () => {
  const first = await add("first.txt");
  expect(first).toMatchObject({ success: true });
  const away = join(folder, "elsewhere");
  renameSync(dataDir, away);
  const refused = { success: false, error: "store_unavailable" };
  expect(await add("second.txt")).toMatchObject(refused);
  const writes = {
    "knowledge-remove": { document_id: first["document_id"], confirm: true },
    "knowledge-clear": { confirm: true, confirmation_phrase: "DELETE ALL" },
    "knowledge-scope-put": { scope_id: "team", tier: "GENERAL" },
  };
  for (const [name, args] of Object.entries(writes)) {
    expect(await agent.call(name, args), name).toMatchObject(refused);
  }
  expect(await healthOf()).toMatchObject({ status: "degraded", vector_db_connected: false });
  expect(readdirSync(folder)).not.toContain("data");
  renameSync(away, dataDir);
  expect(await add("third.txt")).toMatchObject({ success: true });
  await stop();
  await start();
  const { documents } = (await agent.call("knowledge-show", {})) as {
    documents: readonly { filename: string }[];
  };
  expect(documents.map(({ filename }) => filename).toSorted()).toEqual(["first.txt", "third.txt"]);
});
