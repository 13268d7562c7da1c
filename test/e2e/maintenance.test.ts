// Backup, restore, repair, copy and clear beside a server that starts, runs, was stopped or was killed: what was
// acknowledged is there afterwards, or the command was refused and changed nothing.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config/config.ts";
import { runCommand } from "../support/commands.ts";
import { fingerprint, readContents } from "../support/damaged-folder.ts";
import { eventually } from "../support/eventually.ts";
import { fillFolder } from "../support/filled-folder.ts";
import { PROGRAM } from "../support/shipped.ts";
import { silentLog } from "../support/silent-log.ts";
import { connectTo, type HttpServer, startHttp } from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { type TempDatabase, tempDatabase } from "../support/temp-postgres.ts";

const MAX_TRIES = 20;
const VERBS = ["backup", "copy", "repair", "repair --force", "restore", "clear"] as const;
type Verb = (typeof VERBS)[number];

let base: string;
let database: TempDatabase | undefined;
let turn = 0;

beforeAll(async () => {
  base = tempFolder("maintenance");
  await fillFolder(join(base, "data"));
  writeFileSync(join(base, "note.md"), "# Dippers\n\nThe dipper walks under water.\n");
  database = await tempDatabase();
  await runCommand({ ...bare, name: "backup", args: [join(base, "kb.backup")], dataDir: fresh() });
});
afterAll(async () => {
  await database?.drop();
  await rm(base, { recursive: true, force: true });
});

const bare = { args: [], options: {} };

function fresh(from = "data"): string {
  turn += 1;
  const folder = join(base, `folder-${turn}`);
  if (from !== "") cpSync(join(base, from), folder, { recursive: true });
  return folder;
}

/** `done`, or the code of the refusal. */
async function run(verb: Verb, dataDir: string): Promise<string> {
  turn += 1;
  const work = verb.startsWith("repair") ? repair(verb, dataDir) : command(verb, dataDir);
  return work.then(
    () => "done",
    ({ code }: { readonly code: string }) => code,
  );
}

async function command(verb: Verb, dataDir: string): Promise<void> {
  const file = verb === "restore" ? join(base, "kb.backup") : join(base, `${turn}.backup`);
  const postgres = { "database-url": database?.url ?? "", "database-base": `base${turn}` };
  await runCommand({
    name: verb,
    args: verb === "backup" || verb === "restore" ? [file] : [],
    options: { yes: true, from: "sqlite", to: "postgres" },
    dataDir,
    flags: verb === "copy" ? postgres : {},
  });
}

/** Without the reading of queued files that the command adds. */
async function repair(verb: Verb, dataDir: string): Promise<void> {
  const app = await open(dataDir, "repair");
  try {
    await app.operations.repair({ force: verb.endsWith("--force") });
  } finally {
    await app.close();
  }
}

async function open(dataDir: string, name: string) {
  const place = { env: {}, cwd: base, home: base, platform: process.platform };
  const config = await loadConfig({ "data-dir": dataDir }, place);
  return openApp(config, silentLog(), name);
}

async function acknowledge(server: HttpServer): Promise<string> {
  const client = await connectTo("http", server.url);
  const added = await client.call("knowledge-add", { file_path: join(base, "note.md") });
  await client.close();
  return String(added["task_id"]);
}

/** The documents' names, and whether a task is known. */
async function look(dataDir: string, taskId = "") {
  const { documents, tasks } = await readContents(dataDir);
  const names = [...documents.values()].map(({ about }) => String(JSON.parse(about).filename));
  return { names: names.sort(), hasTask: tasks.has(taskId) };
}

const BEFORE = ["herons.md", "kingfisher.txt", "rivers.csv"];

test("while a server runs, backup, copy and clear work, and the rest is refused with its process id", async ({
  skip,
}) => {
  if (!database) return skip("there is no PostgreSQL on this machine");
  const dataDir = fresh();
  const server = await startHttp({ dataDir, root: base });
  try {
    const taskId = await acknowledge(server);
    expect(await run("backup", dataDir)).toBe("done");
    expect(await run("copy", dataDir)).toBe("done");
    for (const verb of ["repair", "repair --force", "restore"] as const) {
      expect(await run(verb, dataDir)).toBe("STORE_IN_USE");
    }
    await expect(repair("repair", dataDir)).rejects.toThrow(`(process ${server.child.pid}, since`);
    const seen = await look(dataDir, taskId);
    expect(seen.names).toEqual(expect.arrayContaining(BEFORE));
    expect(seen.hasTask).toBe(true);
    expect(await run("clear", dataDir)).toBe("done");
    const client = await connectTo("http", server.url);
    // The server may have added what was queued since.
    const { documents } = await client.call("knowledge-show", {});
    const names = (documents as { filename: string }[]).map(({ filename }) => filename);
    expect(names.filter((name) => BEFORE.includes(name))).toEqual([]);
    await client.close();
  } finally {
    await server.stop();
  }
});

test("a server on an empty folder prevents a restore", async () => {
  const dataDir = fresh("");
  const server = await startHttp({ dataDir, root: base, tools: "scopes" });
  try {
    expect(await run("restore", dataDir)).toBe("STORE_IN_USE");
  } finally {
    await server.stop();
  }
});

describe.each(["stopped", "killed"] as const)("after a server was %s", (how) => {
  const left = { folder: "", taskId: "" };
  beforeAll(async () => {
    left.folder = `left-${how}`;
    const dataDir = join(base, left.folder);
    cpSync(join(base, "data"), dataDir, { recursive: true });
    const server = await startHttp({ dataDir, root: base });
    left.taskId = await acknowledge(server);
    await (how === "killed" ? server.kill() : server.stop());
  });

  test.for(VERBS)("'%s' keeps everything acknowledged", async (verb, { skip }) => {
    if (verb === "copy" && !database) return skip("there is no PostgreSQL on this machine");
    const dataDir = fresh(left.folder);
    expect(await run(verb, dataDir)).toBe(verb === "restore" ? "STORE_NOT_EMPTY" : "done");
    const { names, hasTask } = await look(dataDir, left.taskId);
    if (verb === "clear") expect(names).toEqual([]);
    else {
      expect(names).toEqual(expect.arrayContaining(BEFORE));
      expect(hasTask).toBe(true);
    }
  });
});

describe("while a server starts", () => {
  const verbs = VERBS.filter((verb) => verb !== "repair");
  test.for(verbs)("'%s' and the server never use the folder together", async (verb, { skip }) => {
    if (verb === "copy" && !database) return skip("there is no PostgreSQL on this machine");
    // A server that is ready before this process has its turn refuses everything: no race was run.
    for (let tries = 0; tries < MAX_TRIES; tries += 1) if (await race(verb)) return;
    expect.unreachable(`'${verb}' never came before the server`);
  });

  /** Whether the command was done at least once. */
  async function race(verb: Verb): Promise<boolean> {
    const dataDir = fresh(verb === "restore" ? "" : "data");
    // One that works no queue: the race is for the folder.
    const flags = ["--port", "0", "--tools", "scopes", "--data-dir", dataDir];
    const child = spawn(process.execPath, [PROGRAM, "http", ...flags], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const settled = Promise.race([
      once(child, "exit").then(([code]) => String(code)),
      ready(child.stderr).then(() => "up"),
    ]);
    const state = { server: "starting", outcomes: new Set<string>() };
    void settled.then((how) => {
      state.server = how;
    });
    while (state.server === "starting") {
      state.outcomes.add(await run(verb, dataDir));
      // Leaves the processor to the server.
      await wait(100);
    }
    // 6: the folder was under maintenance when the server looked.
    expect(["up", "6"]).toContain(state.server);
    const refusals = { restore: ["STORE_IN_USE", "STORE_NOT_EMPTY"], repair: ["STORE_IN_USE"] };
    const allowed = refusals[verb.split(" ")[0] as keyof typeof refusals] ?? [];
    expect([...state.outcomes].filter((each) => !["done", ...allowed].includes(each))).toEqual([]);
    if (state.server === "up") {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    }
    if (!state.outcomes.has("done")) return false;
    const { names } = await look(dataDir);
    expect(names).toEqual(verb === "clear" ? [] : expect.arrayContaining(BEFORE));
    return true;
  }
});

function ready(stream: NodeJS.ReadableStream): Promise<void> {
  let said = "";
  return new Promise((resolve) => {
    stream.on("data", (text) => {
      said += text;
      if (said.includes("MCP:")) resolve();
    });
  });
}

test("a server that starts during a restore is refused, and the restore completes", async () => {
  const dataDir = fresh("");
  const app = await open(dataDir, "restore");
  const started: { status: number | null; stderr: string }[] = [];
  try {
    const report = await app.operations.restore(join(base, "kb.backup"), {
      signal: new AbortController().signal,
      onProgress: ({ done }) => {
        if (done !== 1) return;
        const line = [PROGRAM, "http", "--port", "0", "--data-dir", dataDir];
        started.push(spawnSync(process.execPath, line, { encoding: "utf8", cwd: base }));
      },
    });
    expect(report.documents).toBe(BEFORE.length);
  } finally {
    await app.close();
  }
  expect(started.map(({ status }) => status)).toEqual([6]);
  for (const { stderr } of started)
    expect(stderr).toContain(`by 'knowledge-server restore' (process ${process.pid},`);
  expect((await look(dataDir)).names).toEqual(BEFORE);
});

test("a refusal changes no byte", async () => {
  const dataDir = fresh();
  const server = await startHttp({ dataDir, root: base, tools: "scopes" });
  const files = () =>
    Object.entries(fingerprint(dataDir)).filter(([name]) => !/^processes/.test(name));
  try {
    // The server opens its rules unasked, soon after its start, and may still be at it when the first file is there.
    const before = await eventually(async () => {
      const client = await connectTo("http", server.url);
      await client.call("get_categories", { project_name: "shop" });
      await client.close();
      const first = files();
      await wait(250);
      expect(first.map(([name]) => name)).toContain("knowledge.db-wal");
      expect(files()).toEqual(first);
      return first;
    });
    for (const verb of ["repair", "repair --force", "restore"] as const)
      expect(await run(verb, dataDir)).toBe("STORE_IN_USE");
    expect(files()).toEqual(before);
  } finally {
    await server.stop();
  }
});
