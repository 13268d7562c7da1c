import { pad, widthOf } from "../text/width.ts";
import { unknownWord } from "./arguments.ts";
import type { Command, CommandContext } from "./command.ts";
import { wrapLongLines } from "./terminal/wrap.ts";

export const help: Command = {
  name: "help",
  effect: "read",
  summary: "Show this help, or help for a command",
  usage: "help [COMMAND | settings]",
  options: {},
  examples: {
    "knowledge-server help search": "what a command does, with examples",
    "knowledge-server help settings": "every flag and its variable",
  },
  async run(context) {
    for (const line of await linesFor(context.args[0], context)) context.terminal.line(line);
    return 0;
  },
};

// The settings most people use; `help settings` lists the rest.
const MAIN_FLAGS = new Set(["data-dir", "root", "kb-file", "database-url", "config", "log-level"]);

async function linesFor(topic: string | undefined, context: CommandContext) {
  if (topic === undefined) return overview(context);
  if (topic === "settings") return settingsHelp(context);
  const { about } = context;
  const load = Object.hasOwn(about.commands, topic) ? about.commands[topic] : undefined;
  if (load) return commandHelp(await load(), context.terminal.width);
  throw unknownWord("command", topic, [...Object.keys(about.commands), "settings"]);
}

async function overview({
  about,
  terminal: { width },
}: CommandContext): Promise<readonly string[]> {
  const commands = await Promise.all(Object.values(about.commands).map((load) => load()));
  return [
    `knowledge-server ${about.version}: knowledge for AI agents over MCP`,
    "",
    "Usage: knowledge-server [COMMAND] [OPTIONS]",
    "",
    "Commands:",
    ...columns(
      commands.map(({ name, summary }) => [name, summary]),
      width,
    ),
    "",
    "Options of all commands:",
    ...columns(
      [
        ...about.settings
          .filter(({ flag }) => flag !== undefined && MAIN_FLAGS.has(flag))
          .map(({ flag, help: text }) => [`--${flag}`, text]),
        ["--json", "print results as JSON"],
      ],
      width,
    ),
    "",
    "More: knowledge-server help COMMAND · knowledge-server help settings",
  ];
}

function settingsHelp({ about }: CommandContext): readonly string[] {
  const named = about.settings.filter(({ flag, env }) => flag !== undefined || env !== undefined);
  return [
    "Precedence: flag, environment variable, settings file (--config), default.",
    "",
    ...named.flatMap(({ flag, env, help: text }) => [
      [flag === undefined ? "" : `--${flag}`, env ?? ""].filter(Boolean).join(" / "),
      `    ${text}`,
    ]),
  ];
}

function commandHelp(command: Command, width: number): readonly string[] {
  const options = Object.entries(command.options).map(([name, { short, value, help: text }]) => [
    `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`,
    text,
  ]);
  return [
    wrapLongLines(command.summary, width),
    "",
    wrapLongLines(`Usage: knowledge-server ${command.usage}`, width, 4),
    ...(options.length === 0 ? [] : ["", "Options:", ...columns(options, width)]),
    ...["", "Examples:"],
    ...Object.entries(command.examples).flatMap(([line, does]) => [`  ${line}`, `      ${does}`]),
  ];
}

type Pair = readonly (string | undefined)[];

/** Prints two columns; long text in the second wraps within its column. */
function columns(rows: readonly Pair[], width: number): readonly string[] {
  const left = Math.max(...rows.map(([name = ""]) => widthOf(name)));
  return rows.map(([name = "", text = ""]) =>
    wrapLongLines(`  ${pad(name, left, "left")}  ${text}`, width, left + 2),
  );
}

export const version: Command = {
  name: "version",
  effect: "read",
  summary: "Print the version",
  usage: "version",
  options: {},
  examples: {
    "knowledge-server version --json": "for a script",
  },
  async run({ terminal, about }) {
    if (terminal.asJson) terminal.json({ version: about.version, node: about.node });
    else terminal.line(`knowledge-server ${about.version} (Node ${about.node})`);
    return 0;
  },
};
