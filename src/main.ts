// argv → command; signals and exit codes; nothing else.

import { homedir } from "node:os";
import packageJson from "../package.json" with { type: "json" };
import { asTyped, chooseCommand, parseArguments, toContext } from "./cli/arguments.ts";
import type { CommandContext } from "./cli/command.ts";
import { COMMANDS, loadCommand, NEVER_FAIL, SERVERS } from "./cli/commands.ts";
import { exitCode, INTERRUPTED } from "./cli/exit-code.ts";
import { openStop } from "./cli/stop.ts";
import { openTerminal } from "./cli/terminal/terminal.ts";
import { wrapLongLines } from "./cli/terminal/wrap.ts";
import { languageOf, openSpeech, type Speech } from "./cli/texts.ts";
import { type Config, configFlags, describeSettings, loadConfig } from "./config/config.ts";
import { toKnowledgeError } from "./domain/errors.ts";
import { type Lifetime, openLifetime } from "./lifetime.ts";
import { chooseFormat, type Log, openLog } from "./observe/log.ts";
import { traceOf } from "./observe/tracing.ts";
import { inertText } from "./text/clean/inert.ts";

const stop = openStop({ hurriedCode: INTERRUPTED });

const ABOUT: CommandContext["about"] = {
  version: packageJson.version,
  node: process.versions.node,
  home: homedir(),
  platform: process.platform,
  settings: describeSettings,
  commands: COMMANDS,
};

async function main(argv: readonly string[]): Promise<void> {
  const speech = await openSpeech(languageOf(process.env));
  const opened: Opened = { speech };
  const failed = NEVER_FAIL.has(argv[0] ?? "")
    ? () => 0
    : (thrown: unknown) => report(thrown, speech);
  const code = await run(argv, opened).catch(failed);
  await stop.end(code, async () => (await opened.lifetime?.close()) ?? true);
}

interface Opened {
  readonly speech: Speech;
  lifetime?: Lifetime;
}

/** The caller closes what it opens, however it ends. */
async function run(argv: readonly string[], opened: Opened): Promise<number> {
  const { name, args } = chooseCommand(argv, configFlags());
  const command = await loadCommand(name);
  const { values, positionals, settings } = parseArguments(command, args, configFlags());
  const config = await loadConfig(settings, {
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    platform: process.platform,
  });
  const log = openLog({
    level: config.logLevel ?? (SERVERS.has(name) ? "info" : "warn"),
    format: chooseFormat(config.logFormat),
  });
  if (SERVERS.has(name)) containRejections(log);
  const lifetime = openLifetime(log);
  opened.lifetime = lifetime;
  const openApp = lifetime.lazy("app", async () => {
    const app = await import("./app.ts");
    return app.openApp(config, log, name);
  });
  const { stdout, stderr } = process;
  const terminal = openTerminal({ ...opened, asJson: values["json"] === true, stdout, stderr });
  const { signal, isInterrupted } = stop;
  const context: CommandContext = {
    about: ABOUT,
    ...toContext(command, values, positionals),
    ...{ config, log, terminal, signal, isInterrupted, openApp },
    searchRunning: openSearchRunning(config, signal),
    serve: async (transport) => {
      // The app comes first, so that what it starts runs while the protocol is loaded.
      const app = await openApp();
      const { serve } = await import("./serve.ts");
      return serve(transport, { app, config, log, signal, lifetime });
    },
  };
  return command.run(context).catch((thrown: unknown) => {
    throw asTyped(command, thrown);
  });
}

function openSearchRunning(config: Config, signal: AbortSignal): CommandContext["searchRunning"] {
  return async (text, limit) => {
    if (config.share === "off") return undefined;
    const { identityOf, searchRunning } = await import("./search/share/shared-search.ts");
    const identity = identityOf(config, packageJson.version);
    return (await searchRunning(identity, { text, limit }, signal))?.passages;
  };
}

function report(thrown: unknown, speech: Speech): number {
  const error = toKnowledgeError(thrown);
  const { stderr } = process;
  const message = `knowledge-server: ${inertText(speech.explain(error))}`;
  stderr.write(`${wrapLongLines(message, stderr.columns || Number.POSITIVE_INFINITY)}\n`);
  if (error.code === "INTERNAL") stderr.write(`${inertText(traceOf(error.cause))}\n`);
  return exitCode(error.code);
}

/**
 * A failure that nobody awaited belongs to one piece of work, which is over; other callers go on. A command has no
 * other callers: there it ends the process, like every uncaught error.
 */
function containRejections(log: Log): void {
  process.on("unhandledRejection", (thrown) =>
    log.error("server.unhandled-rejection", { cause: traceOf(thrown) }),
  );
}

/** After an uncaught error the state is unknown, so the process exits at once. Everything acknowledged is stored. */
function crash(thrown: unknown): never {
  const message =
    "It stopped because of a bug. Nothing that was acknowledged is lost: start it again.";
  process.stderr.write(`knowledge-server: ${message} ${inertText(traceOf(thrown))}\n`);
  process.exit(exitCode("INTERNAL"));
}

process.on("uncaughtException", crash);
await main(process.argv.slice(2));
