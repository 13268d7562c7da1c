// Every operation that changes the knowledge base, with a writable audit file and with unwritable ones: either a
// line was written, or nothing was changed. The list of operations is read from the code.
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type App, openApp } from "../../src/app.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { loadConfig } from "../../src/config/config.ts";
import { OPERATION_RULES } from "../../src/tools/operation-rules.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { type Arranger, WAYS } from "./write-ways.ts";

const AUDIT_FILES = { full: "/dev/full", folder: tmpdir(), "read-only": "/proc/version" };
/** Need a data folder that no process has open. */
const UPKEEP = /backup|restore|repair|copy/;
/** Have no target but the whole knowledge base. */
const OF_EVERYTHING = /clear$|refine$/;
const { signal } = new AbortController();

let folder: string;
let arranger: App;
let at: Arranger;
const opened: App[] = [];

beforeAll(async () => {
  folder = tempFolder("ways");
  arranger = await open("shared");
  at = await arrange(arranger, folder);
  const seed = await open("seed");
  await addFile(seed, await at.newFile());
  await seed.operations.backup(at.backupFile, { signal, onProgress: () => {} });
  await seed.close();
});
afterAll(async () => {
  await Promise.all(opened.map((app) => app.close()));
  await rm(folder, { recursive: true, force: true });
});

async function open(dataDir: string, audit?: string): Promise<App> {
  const place = {
    // Words are enough here, and the model takes seconds to load.
    env: { KNOWLEDGE_MODEL_DIR: join(folder, "no-model") },
    cwd: folder,
    home: folder,
    platform: process.platform,
  };
  const flags = {
    "data-dir": join(folder, dataDir),
    "token-file": join(folder, "tokens.yaml"),
    ...(audit === undefined ? {} : { "audit-file": audit }),
  };
  const app = await openApp(await loadConfig(flags, place), silentLog());
  opened.push(app);
  return app;
}

const addFile = async (app: App, path: string) => {
  const file = { path, metadata: {}, forceOcr: false };
  const added = await app.operations.addFile(file, { signal, onProgress: () => {} });
  if (!added.success) throw new Error(added.message);
  if (!("document_id" in added)) throw new Error("one document was added");
  return added.document_id;
};

async function arrange(app: App, home: string): Promise<Arranger> {
  let made = 0;
  const newFile = async () => {
    const path = join(home, `note-${++made}.txt`);
    await writeFile(path, `Note ${made} about herons.`);
    return path;
  };
  const call = async (name: string, args: object) =>
    (await app.call(name, args, { signal })).payload as Record<string, string>;
  return {
    folder: home,
    backupFile: join(home, "seed.backup"),
    newFile,
    newDocument: async () => addFile(app, await newFile()),
    newTask: async () =>
      (await call("knowledge-add", { file_path: await newFile() }))["task_id"] ?? "",
    async newToken() {
      const name = `arranged-${++made}`;
      await app.operations.createToken({ name, rights: ["read"] });
      return name;
    },
    async newScope() {
      const scope_id = `arranged-${++made}`;
      await call("knowledge-scope-put", { scope_id, tier: "GENERAL" });
      const entry = { scope_id, category: "git", keyword: "commit", content: "Say why." };
      await call("knowledge-entry-put", entry);
      return scope_id;
    },
  };
}

/** Everything that the operations could change. */
async function look(dataDir: string): Promise<string> {
  if (dataDir !== "shared") return JSON.stringify(await filesBelow(join(folder, dataDir)));
  const page = { limit: 1000, open: false };
  const show = await arranger.call("knowledge-show", { limit: 1000 }, { signal });
  const tasks = await arranger.operations.tasks(page);
  const rules = await (await arranger.operations.rules()).export("json");
  const states = tasks.map(({ task_id, status }) => `${task_id} ${status}`).sort();
  const { tokens } = await arranger.operations.access();
  return JSON.stringify([show.payload, states, rules, tokens]);
}

async function filesBelow(path: string): Promise<readonly string[]> {
  const names = await readdir(path, { recursive: true }).catch(() => []);
  return Promise.all(
    names.sort().map(async (name) => `${name} ${(await stat(join(path, name))).size}`),
  );
}

const backups = async () => (await readdir(folder)).filter((name) => /^new-.*backup/.test(name));

/** Prepares what an operation needs before the snapshot, because that is a change too. */
async function prepared(): Promise<Arranger> {
  const [file, document, task, scope, token] = await Promise.all([
    at.newFile(),
    at.newDocument(),
    at.newTask(),
    at.newScope(),
    at.newToken(),
  ]);
  return {
    ...at,
    newFile: async () => file,
    newDocument: async () => document,
    newTask: async () => task,
    newScope: async () => scope,
    newToken: async () => token,
  };
}

test("the list of operations matches the code", async () => {
  const tools = arranger.tools
    .filter(({ effect }) => effect === "write" || effect === "destroy")
    .map(({ name }) => `tool ${name}`);
  const operations = Object.entries(OPERATION_RULES)
    .filter(([, { effect }]) => !["read", "oversee", "preview"].includes(effect))
    .map(([name]) => `operation ${name}`);
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  const writing = commands
    .filter(({ effect }) => effect !== "read" && effect !== "serve")
    .map(({ name }) => `command ${name}`);
  const all = [...tools, "tools/cancel", ...operations, ...writing];
  expect(Object.keys(WAYS).sort()).toEqual(all.sort());
});

let count = 0;
const dataDirOf = (way: string) => {
  if (!UPKEEP.test(way)) return "shared";
  return way.endsWith("restore") ? `empty-${++count}` : "seed";
};

describe("with an audit file that can be written", () => {
  let audit: string;
  let shared: App;
  beforeAll(async () => {
    audit = join(folder, "audit");
    shared = await open("shared", audit);
  });
  // Following folders starts its workers, which would change what the other cases look at.
  afterAll(() => shared.close());

  test.each(Object.entries(WAYS))("%s writes its audit lines", async (name, run) => {
    const dataDir = dataDirOf(name);
    const app = dataDir === "shared" ? shared : await open(dataDir, audit);
    const before = (await readFile(audit, "utf8").catch(() => "")).length;
    const refused = await run(app, at);
    if (app !== shared) await app.close();
    const added = (await readFile(audit, "utf8")).slice(before);
    const entries = added
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    // Following folders has started the workers: lines of what they do are among them.
    const first = entries.find(({ who }) => who === "owner");
    const ended = entries.find(({ id, outcome }) => id === first?.id && outcome !== "started");
    // There is no second database to copy to.
    const isCopy = name.endsWith("copy");
    expect(refused).toBe(isCopy ? "config_invalid" : undefined);
    expect(first).toMatchObject({ who: "owner", outcome: "started" });
    expect(ended).toMatchObject({ did: first?.did, outcome: isCopy ? "failed" : "done" });
    expect(entries.filter(({ id }) => id === first?.id)).toHaveLength(2);
    expect(Object.keys(ended.to).length > 0).toBe(!OF_EVERYTHING.test(name));
    expect(added).not.toContain("herons");
  });
});

describe.each(Object.entries(AUDIT_FILES))("with an audit file that is %s", (_kind, audit) => {
  let shared: App;
  let needs: Arranger;
  beforeAll(async () => {
    shared = await open("shared", audit);
    needs = await prepared();
  });

  test.each(Object.entries(WAYS))("%s is refused and changes nothing", async (name, run) => {
    const dataDir = dataDirOf(name);
    const app = dataDir === "shared" ? shared : await open(dataDir, audit);
    const before = [await look(dataDir), await backups()];
    expect(await run(app, needs)).toBe("audit_unavailable");
    expect([await look(dataDir), await backups()]).toEqual(before);
    if (app !== shared) await app.close();
  });

  test("health is degraded, with the reason", async () => {
    const { payload } = await shared.call("knowledge-status", {}, { signal });
    const { health } = payload as { health: { status: string; issues: readonly string[] } };
    expect(health.status).toBe("degraded");
    expect(health.issues.join()).toContain("audit log cannot be written");
    const check = shared.checks.find(({ name }) => name === "audit log");
    expect(await check?.run(signal)).toMatchObject({ state: "fail" });
  });
});
