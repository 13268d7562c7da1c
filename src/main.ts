// argv → command; signals and exit codes; nothing else.
import { homedir } from "node:os";
import { parseArgs } from "node:util";
import packageJson from "../package.json" with { type: "json" };
import type { About, Command, CommandContext } from "./cli/command.ts";
import { COMMANDS } from "./cli/commands.ts";
import { openTerminal } from "./cli/terminal/terminal.ts";
import { configFlags, loadConfig, SETTINGS } from "./config/config.ts";
import { ERRORS, type ErrorKind, KnowledgeError, toKnowledgeError } from "./domain/errors.ts";
import { expandHome } from "./domain/home-path.ts";
import { openRooms } from "./lazy.ts";
import { type Lifetime, openLifetime } from "./lifetime.ts";
import { openLog } from "./observe/log.ts";
import { openStop } from "./stop.ts";
import { inertText } from "./text/clean/inert.ts";

const EXIT_CODES: Readonly<Record<ErrorKind, number>> = {
  internal: 1,
  invalid: 2,
  "not-found": 3,
  denied: 4,
  conflict: 5,
  unavailable: 6,
  cancelled: 130,
};

const GLOBAL_OPTIONS = {
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

const SERVERS = new Set(["stdio", "http", "worker"]);

const stop = openStop({ hurriedCode: EXIT_CODES.cancelled });

async function main(argv: readonly string[]): Promise<void> {
  const opened: { lifetime?: Lifetime } = {};
  const code = await run(argv, opened).catch(report);
  await stop.end(code, async () => (await opened.lifetime?.close()) ?? true);
}

/** What it opens is closed by the caller, however it ends. */
async function run(argv: readonly string[], opened: { lifetime?: Lifetime }): Promise<number> {
  const { signal } = stop;
  const { name, args } = chooseCommand(argv);
  const command = await loadCommand(name);
  const { values, positionals } = parse(command, args);
  const json = values["json"] === true;
  const terminal = openTerminal({ asJson: json, stdout: process.stdout, stderr: process.stderr });
  const config = await loadConfig(values, {
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    platform: process.platform,
  });
  const log = openLog({ level: config.logLevel ?? (SERVERS.has(name) ? "info" : "warn") });
  const lifetime = openLifetime(log);
  opened.lifetime = lifetime;
  const openApp = openRooms(lifetime)("app", async () => {
    const app = await import("./app.ts");
    return app.openApp(config, log, name);
  });
  const context: CommandContext = {
    about: about(),
    args: positionals,
    options: values,
    path: (given) => expandHome(given, homedir()),
    config,
    log,
    terminal,
    signal,
    openApp,
    serve: async (transport) => {
      const { serve } = await import("./serve.ts");
      return serve(transport, { app: await openApp(), config, log, signal, lifetime });
    },
  };
  return command.run(context);
}

async function loadCommand(name: string): Promise<Command> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load) return load();
  throw new KnowledgeError("INVALID_PARAMETER", `There is no command '${name}'. See --help.`);
}

function about(): About {
  return {
    version: packageJson.version,
    node: process.versions.node,
    home: homedir(),
    platform: process.platform,
    settings: Object.values(SETTINGS),
    commands: COMMANDS,
  };
}

/** `--help` and `--version` are commands too; a bare program serves stdio. */
function chooseCommand(argv: readonly string[]): { name: string; args: readonly string[] } {
  const { values, tokens } = parseArgs({
    args: [...argv],
    options: { ...configFlags(), ...GLOBAL_OPTIONS },
    strict: false,
    tokens: true,
  });
  const named = tokens.find((token) => token.kind === "positional");
  const rest = named ? argv.toSpliced(named.index, 1) : argv;
  if (values["version"]) return { name: "version", args: [] };
  if (values["help"]) return { name: "help", args: named ? [named.value] : [] };
  return { name: named?.value ?? "stdio", args: rest };
}

function parse(command: Command, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { ...configFlags(), ...GLOBAL_OPTIONS, ...command.options },
      allowPositionals: true,
    });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : "Unusable arguments.";
    // Node goes on to explain how an argument may begin with a dash: seldom what was meant.
    const [first] = message.split(" To specify a positional argument");
    throw new KnowledgeError(
      "INVALID_PARAMETER",
      `${first}\nUsage: knowledge-server ${command.usage}`,
    );
  }
}

function report(thrown: unknown): number {
  const error = toKnowledgeError(thrown);
  process.stderr.write(`knowledge-server: ${inertText(error.message)}\n`);
  if (error.code === "INTERNAL" && error.cause instanceof Error) {
    process.stderr.write(`${inertText(error.cause.stack ?? "")}\n`);
  }
  return EXIT_CODES[ERRORS[error.code].kind];
}

await main(process.argv.slice(2));
