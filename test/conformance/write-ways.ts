// Every operation by which a caller changes the knowledge base, one call each. The test that uses them reads from
// the code which operations must be here.
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import type { App } from "../../src/app.ts";
import { toContext } from "../../src/cli/arguments.ts";
import type { CommandContext } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { openTerminal } from "../../src/cli/terminal/terminal.ts";
import { OWNER } from "../../src/domain/call/principal.ts";
import type { KnowledgeError } from "../../src/domain/errors.ts";
import { callContext } from "../support/call-context.ts";
import { exportedFolderAt } from "../support/commands.ts";

export interface Arranger {
  readonly folder: string;
  /** A file that is in the knowledge base, or not yet. */
  newFile(): Promise<string>;
  newDocument(): Promise<string>;
  /** Queued, and never run. */
  newTask(): Promise<string>;
  newScope(): Promise<string>;
  /** The name of a token in the file. */
  newToken(): Promise<string>;
  /** Made by a server without an audit file. */
  readonly backupFile: string;
}

/** Resolves with the code of a refusal, undefined when the change was made. */
export type Way = (app: App, at: Arranger) => Promise<string | undefined>;

const { signal } = new AbortController();
const context = callContext({ signal });
const watch = { signal, onProgress: () => {} };

const tool =
  (name: string, argsOf: (at: Arranger) => Promise<object>): Way =>
  async (app, at) => {
    const { payload, isError } = await app.call(name, await argsOf(at), { signal });
    return isError ? (payload as { error: string }).error : undefined;
  };

const operation =
  (run: (app: App, at: Arranger) => Promise<unknown>): Way =>
  (app, at) =>
    run(app, at).then(
      () => undefined,
      (error: KnowledgeError) => error.code.toLowerCase(),
    );

type Line = {
  readonly args?: readonly string[];
  readonly options?: Parameters<typeof toContext>[1];
};

const command =
  (name: string, lineOf: (at: Arranger) => Promise<Line>): Way =>
  async (app, at) => {
    const { args = [], options = {} } = await lineOf(at);
    const load = COMMANDS[name];
    if (!load) throw new Error(`no command ${name}`);
    const stdout = new PassThrough() as unknown as NodeJS.WriteStream;
    const terminal = openTerminal({ asJson: true, stdout, stderr: stdout });
    const config = { dataDir: "", roots: [] };
    const loaded = await load();
    const given = {
      ...toContext(loaded, { yes: true, ...options }, args),
      terminal,
      signal,
      log: context.log,
      config,
    };
    const rest = { about: {}, openApp: async () => app };
    try {
      const code = await loaded.run({ ...given, ...rest } as unknown as CommandContext);
      // `add` reports each file by itself.
      const [added] = code === 0 ? [] : JSON.parse(String(stdout.read()));
      return added?.error;
    } catch (thrown) {
      return (thrown as KnowledgeError).code.toLowerCase();
    }
  };

const confirm = true;

export const WAYS: Readonly<Record<string, Way>> = {
  "tool knowledge-add": tool("knowledge-add", async (at) => ({ file_path: await at.newFile() })),
  "tool knowledge-add-text": tool("knowledge-add-text", async () => ({
    filename: "said.md",
    text: `Said at ${performance.now()}.`,
    async: false,
  })),
  "tool knowledge-task-cancel": tool("knowledge-task-cancel", async (at) => ({
    task_id: await at.newTask(),
  })),
  "tool knowledge-sources": tool("knowledge-sources", async (at) => {
    const address = join(at.folder, `sourced-${performance.now()}`);
    await mkdir(address);
    return { action: "add", address };
  }),
  "tool knowledge-scope-put": tool("knowledge-scope-put", async () => ({
    scope_id: `scope-${performance.now()}`,
    tier: "PROJECT",
  })),
  "tool knowledge-entry-put": tool("knowledge-entry-put", async (at) => ({
    scope_id: await at.newScope(),
    category: "git",
    keyword: "push",
    content: "Never by force.",
  })),
  "tool knowledge-entry-remove": tool("knowledge-entry-remove", async (at) => ({
    scope_id: await at.newScope(),
    category: "git",
    keyword: "commit",
    confirm,
  })),
  "tool knowledge-scope-remove": tool("knowledge-scope-remove", async (at) => ({
    scope_id: await at.newScope(),
    confirm,
  })),
  "tool knowledge-remove": tool("knowledge-remove", async (at) => ({
    document_id: await at.newDocument(),
    confirm,
  })),
  "tool knowledge-clear": tool("knowledge-clear", async (at) => {
    await at.newDocument();
    return { confirm, confirmation_phrase: "DELETE ALL" };
  }),
  "tools/cancel": operation(async (app, at) => app.cancelTask(await at.newTask(), context)),
  "operation addFile": operation(async (app, at) =>
    app.operations.addFile({ path: await at.newFile(), metadata: {}, forceOcr: false }, watch),
  ),
  "operation upload": operation((app) =>
    app.operationsFor(OWNER).upload({
      filename: "up.txt",
      body: Readable.from([Buffer.from(`Upload ${performance.now()}`)]),
    }),
  ),
  "operation move": operation(async (app, at) =>
    app.operations.move(await at.newDocument(), await at.newScope()),
  ),
  "operation importRules": operation(async (app, at) =>
    app.operations.importRules([await newRules(at)], {}),
  ),
  "operation importDrop": operation((app) =>
    app.operations.importDrop({
      files: [{ path: "AGENTS.md", text: `## Style\n\nTabs at ${performance.now()}.\n` }],
      scope: "dropped",
      write: true,
    }),
  ),
  "operation watchFolders": operation(async (app, at) => {
    const path = join(at.folder, `watched-${performance.now()}`);
    await mkdir(path);
    await writeFile(join(path, "seen.txt"), `Watched at ${performance.now()}.`);
    const folders = await app.operations.watchFolders([{ path }]);
    await folders.settled();
    await folders.close();
  }),
  "operation addSamples": operation((app) => app.operations.addSamples(signal)),
  "operation removeSamples": operation((app) => app.operations.removeSamples()),
  "operation findModels": operation((app) => app.operations.findModels(signal)),
  "operation tryModel": operation((app) =>
    app.operations.tryModel({ program: "Ollama", model: "none" }, [], signal),
  ),
  "operation chooseModel": operation((app) => app.operations.chooseModel(undefined)),
  "operation backup": operation((app, at) => app.operations.backup(newBackup(at), watch)),
  "operation restore": operation((app, at) => app.operations.restore(at.backupFile, watch)),
  "operation exportDocuments": operation((app) =>
    app.operations.exportDocuments({ offset: 0, limit: 5 }),
  ),
  "operation importDocument": operation((app) =>
    app.operations.importDocument(newExported(), { signal }),
  ),
  "operation addSource": operation((app, at) => app.operations.addSource(newSource(at))),
  "operation pauseSource": operation(async (app, at) => {
    const { id } = await app.operations.addSource(newSource(at));
    return app.operations.pauseSource({ id, isPaused: true });
  }),
  "operation removeSource": operation(async (app, at) => {
    const { id } = await app.operations.addSource(newSource(at));
    return app.operations.removeSource({ id, documents: false });
  }),
  "operation syncSource": operation(async (app, at) => {
    const { id } = await app.operations.addSource(newSource(at));
    return app.operations.syncSource({ id });
  }),
  "operation refine": operation((app) => app.operations.refine(signal)),
  "operation repair": operation((app) => app.operations.repair({ force: false })),
  "operation changeModel": operation((app) =>
    app.operations.changeModel({ action: "use", name: "no-reranker" }, watch),
  ),
  "operation copy": operation((app) =>
    app.operations.copy({ from: "sqlite", to: "postgres" }, watch),
  ),
  "operation createToken": operation((app) =>
    app.operations.createToken({ name: `made-${performance.now()}`, rights: ["read"] }),
  ),
  "operation revokeToken": operation(async (app, at) =>
    app.operations.revokeToken(await at.newToken()),
  ),
  "operation viewAs": operation((app) => app.operations.viewAs("anybody", () => "a token")),
  "command tokens": command("tokens", async () => ({
    args: ["create", `typed-${performance.now()}`],
    options: { rights: "read:webapp" },
  })),
  "operation pinCheck": operation(async (app, at) =>
    app.operations.pinCheck({ question: "where are herons", documentId: await at.newDocument() }),
  ),
  "operation makeChecks": operation((app) => app.operations.makeChecks(5)),
  "operation removeChecks": operation((app) => app.operations.removeChecks(["unknown"])),
  "operation runChecks": operation((app) => app.operations.runChecks(watch)),
  "command add": command("add", async (at) => ({ args: [await at.newFile()] })),
  "command move": command("move", async (at) => ({
    args: [await at.newDocument()],
    options: { scope: await at.newScope() },
  })),
  "command remove": command("remove", async (at) => ({ args: [await at.newDocument()] })),
  "command clear": command("clear", async (at) => {
    await at.newDocument();
    return {};
  }),
  "command tasks": command("tasks", async (at) => ({ options: { cancel: [await at.newTask()] } })),
  "command scopes": command("scopes", async (at) => ({ args: ["import", await newRules(at)] })),
  "command sources": command("sources", async (at) => ({
    args: ["add", newSource(at).address],
    options: { kind: "git", later: true },
  })),
  "command export": command("export", async (at) => ({
    args: [join(at.folder, `exported-${performance.now()}`)],
  })),
  "command import": command("import", async (at) => ({
    args: [exportedFolderAt(join(at.folder, "out"))],
  })),
  "command backup": command("backup", async (at) => ({ args: [newBackup(at)] })),
  "command restore": command("restore", async (at) => ({ args: [at.backupFile] })),
  "command repair": command("repair", async () => ({})),
  "command check": command("check", async () => ({ args: ["make"] })),
  "command models": command("models", async () => ({ args: ["use", "no-reranker"] })),
  "command copy": command("copy", async () => ({ options: { from: "sqlite", to: "postgres" } })),
};

function newSource({ folder }: Arranger) {
  const address = join(folder, `repository-${performance.now()}`);
  return { kind: "git" as const, address, settings: {} };
}

function newExported() {
  const text = `Exported at ${performance.now()}.`;
  const contentHash = createHash("sha256").update(text).digest("hex");
  const body = Readable.from([Buffer.from(text)]);
  return { filename: "exported.txt", scope: "general", contentHash, metadata: {}, body };
}

function newBackup({ folder }: Arranger): string {
  return join(folder, `new-${performance.now()}.backup`);
}

async function newRules({ folder }: Arranger): Promise<string> {
  const path = join(folder, `rules-${performance.now()}.json`);
  const entries = { tag: `Tag at ${performance.now()}.` };
  const categories = { git: { description: "Git", entries } };
  const scopes = [{ id: `imported-${performance.now()}`, tier: "GENERAL", categories }];
  await writeFile(path, JSON.stringify({ scopes }));
  return path;
}
