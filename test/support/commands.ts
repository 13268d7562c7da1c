// The program's commands in this process, as main.ts runs them.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { type App, openApp } from "../../src/app.ts";
import { asTyped, chooseCommand, parseArguments, toContext } from "../../src/cli/arguments.ts";
import { COMMANDS, loadCommand } from "../../src/cli/commands.ts";
import { exitCode } from "../../src/cli/exit-code.ts";
import { openTerminal } from "../../src/cli/terminal/terminal.ts";
import { configFlags, loadConfig } from "../../src/config/config.ts";
import { toKnowledgeError } from "../../src/domain/errors.ts";
import { silentLog } from "./silent-log.ts";

export interface CommandLine {
  readonly name: string;
  readonly args: readonly string[];
  /** As the parser gives them. */
  readonly options: Parameters<typeof toContext>[1];
  readonly dataDir: string;
  /** Settings beside the folder. */
  readonly flags?: Readonly<Record<string, string>>;
}

const ABOUT = {
  version: "0",
  node: "24.0.0",
  platform: "linux",
  settings: () => [],
  commands: COMMANDS,
};

/** The commands that cannot run without arguments, on a knowledge base with herons.md. */
const NEEDED: Readonly<Record<string, (paths: CommandPaths) => readonly string[]>> = {
  add: ({ file }) => [file],
  search: () => ["heron"],
  answer: () => ["What is a heron?"],
  show: () => ["herons.md"],
  move: () => ["herons.md"],
  remove: () => ["herons.md"],
  extract: ({ file }) => [file],
  backup: ({ backup }) => [backup],
  restore: ({ file }) => [file],
  export: ({ backup }) => [`${backup}-${performance.now()}`],
  import: ({ backup }) => [exportedFolderAt(`${backup}-exported`)],
  scopes: () => ["list"],
  check: () => ["make"],
  models: () => ["list"],
  tokens: () => ["list"],
  sources: () => ["list"],
};

interface CommandPaths {
  readonly file: string;
  readonly backup: string;
}

export function argumentsOf(name: string, paths: CommandPaths): readonly string[] {
  return NEEDED[name]?.(paths) ?? [];
}

/** As 'export' writes it, with one document. */
export function exportedFolderAt(folder: string): string {
  const name = `exported-${performance.now()}.txt`;
  const at = join(folder, "documents", "general");
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, name), `Exported at ${performance.now()}.`);
  const document = { filename: name, scope: "general" };
  writeFileSync(join(at, `${name}.metadata.json`), JSON.stringify({ document }));
  return folder;
}

/** A line as it is typed: its exit code, and what it printed or why it failed. */
export async function runLine(argv: readonly string[], dataDir: string) {
  const flags = configFlags();
  try {
    const { name, args } = chooseCommand(argv, flags);
    const command = await loadCommand(name);
    const { values, positionals, settings } = parseArguments(command, args, flags);
    const options: CommandLine["options"] = values;
    const folder = String(options["data-dir"] ?? dataDir);
    const file = settings["token-file"];
    const given = typeof file === "string" ? { flags: { "token-file": file } } : {};
    return await runCommand({ name, args: positionals, options, dataDir: folder, ...given });
  } catch (thrown) {
    const error = toKnowledgeError(thrown);
    return { code: exitCode(error.code), text: String(error.stack) };
  }
}

/** Its exit code and what it printed; rejects with what it throws. Servers end as soon as they are open. */
export async function runCommand({ name, args, options, dataDir, flags }: CommandLine) {
  const place = { env: {}, cwd: dataDir, home: dataDir, platform: process.platform };
  const config = await loadConfig({ "data-dir": dataDir, ...flags }, place);
  const log = silentLog();
  const stdout = new PassThrough() as unknown as NodeJS.WriteStream;
  const opened: App[] = [];
  const open = async () => {
    const app = await openApp(config, log, name);
    opened.push(app);
    return app;
  };
  const command = await loadCommand(name);
  try {
    const running = command.run({
      about: { ...ABOUT, home: dataDir },
      ...toContext(command, options, args),
      config,
      log,
      terminal: openTerminal({ asJson: false, stdout, stderr: stdout }),
      searchRunning: async () => undefined,
      signal: name === "worker" ? AbortSignal.abort() : AbortSignal.timeout(250_000),
      isInterrupted: () => false,
      openApp: open,
      serve: async () => {
        await open();
        return 0;
      },
    });
    const code = await running.catch((thrown: unknown) => {
      throw asTyped(command, thrown);
    });
    return { code, text: String((stdout as unknown as PassThrough).read() ?? "") };
  } finally {
    for (const app of opened) await app.close();
  }
}
