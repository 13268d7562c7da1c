// argv → command; signals and exit codes; nothing else.
import { homedir } from "node:os";
import { parseArgs } from "node:util";
import packageJson from "../package.json" with { type: "json" };
import type { App } from "./app.ts";
import type { Command, CommandContext } from "./cli/command.ts";
import { COMMANDS } from "./cli/commands.ts";
import { openTerminal } from "./cli/terminal.ts";
import { type Config, configFlags, loadConfig, SETTINGS } from "./config/config.ts";
import { ERRORS, type ErrorKind, KnowledgeError, toKnowledgeError } from "./domain/errors.ts";
import { expandHome } from "./domain/home-path.ts";
import { openLog } from "./observe/log.ts";

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

async function main(argv: readonly string[]): Promise<number> {
  const signal = stopSignal();
  const { name, args } = chooseCommand(argv);
  const load = COMMANDS[name];
  if (!load) {
    throw new KnowledgeError("INVALID_PARAMETER", `There is no command '${name}'. See --help.`);
  }
  const command = await load();
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
  const app = openOnce(config, log);
  const context: CommandContext = {
    about: {
      version: packageJson.version,
      node: process.versions.node,
      home: homedir(),
      platform: process.platform,
      settings: Object.values(SETTINGS),
    },
    args: positionals,
    options: values,
    path: (given) => expandHome(given, homedir()),
    config,
    log,
    terminal,
    signal,
    openApp: app.open,
    serve: async (transport) => {
      const { serve } = await import("./serve.ts");
      return serve(transport, { app: await app.open(), config, log, signal });
    },
  };
  try {
    return await command.run(context);
  } finally {
    await app.close();
  }
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

function openOnce(config: Config, log: ReturnType<typeof openLog>) {
  let opening: Promise<App> | undefined;
  return {
    open: () => {
      opening ??= import("./app.ts").then(({ openApp }) => openApp(config, log));
      return opening;
    },
    close: async () => {
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}

/** The first request to stop lets running work end; the second does not wait. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(EXIT_CODES.cancelled);
      stop.abort();
    });
  }
  return stop.signal;
}

function report(thrown: unknown): number {
  const error = toKnowledgeError(thrown);
  process.stderr.write(`knowledge-server: ${error.message}\n`);
  if (error.code === "INTERNAL" && error.cause instanceof Error) {
    process.stderr.write(`${error.cause.stack}\n`);
  }
  return EXIT_CODES[ERRORS[error.code].kind];
}

process.exitCode = await main(process.argv.slice(2)).catch(report);
