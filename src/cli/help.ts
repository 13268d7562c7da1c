import { pad, widthOf } from "../text/width.ts";
import { unknownWord } from "./arguments.ts";
import { type Command, type CommandContext, command } from "./command.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { wrapLongLines } from "./terminal/wrap.ts";
import { said, type Text } from "./texts.ts";

export const help = command({
  name: "help",
  summary: "Show this help, or help for a command",
  effect: "read",
  usage: "help [COMMAND | settings]",
  options: {},
  examples: `
    knowledge-server help search    # what a command does, with examples
    knowledge-server help settings  # every flag and its variable
  `,
  async run(context) {
    for (const line of await linesFor(context.args[0], context)) context.terminal.line(line);
    return 0;
  },
});

// The settings most people use; `help settings` lists the rest.
const MAIN_FLAGS = new Set(["data-dir", "root", "kb-file", "database-url", "config", "log-level"]);

async function linesFor(topic: string | undefined, context: CommandContext) {
  if (topic === undefined) return overview(context);
  if (topic === "settings") return settingsHelp(context);
  const { about, terminal } = context;
  const load = Object.hasOwn(about.commands, topic) ? about.commands[topic] : undefined;
  if (load) return commandHelp(await load(), terminal);
  throw unknownWord(said("command"), topic, [...Object.keys(about.commands), "settings"]);
}

async function overview({ about, terminal: { width, t } }: CommandContext) {
  const commands = await Promise.all(Object.values(about.commands).map((load) => load()));
  const flags = about
    .settings()
    .flatMap(({ flag, help: text }) =>
      flag !== undefined && MAIN_FLAGS.has(flag) ? [[`--${flag}`, t(text as Text)]] : [],
    );
  return [
    t("knowledge-server {0}: knowledge for AI agents over MCP", about.version),
    "",
    t("Usage: knowledge-server {0}", "[COMMAND] [OPTIONS]"),
    "",
    t("Commands:"),
    ...columns(
      commands.map(({ name, summary }) => [name, t(summary)]),
      width,
    ),
    "",
    t("Options of all commands:"),
    ...columns([...flags, ["--json", t("print results as JSON")]], width),
    "",
    t("More: knowledge-server help COMMAND · knowledge-server help settings"),
  ];
}

function settingsHelp({ about, terminal }: CommandContext): readonly string[] {
  const named = about.settings().filter(({ flag, env }) => (flag ?? env) !== undefined);
  return [
    terminal.t("Precedence: flag, environment variable, settings file (--config), default."),
    "",
    ...named.flatMap(({ flag, env, help: text }) => [
      [flag === undefined ? "" : `--${flag}`, env ?? ""].filter(Boolean).join(" / "),
      `    ${terminal.t(text as Text)}`,
    ]),
  ];
}

// As many as fit beside the text.
const MAX_CHOICES = 6;

function commandHelp(shown: Command, { t, width }: Terminal): readonly string[] {
  const rows = Object.entries(shown.options).map(([name, option]) => {
    const { short, value, choices = [] } = option;
    const allowed = choices.length <= MAX_CHOICES ? choices.join(", ") : "";
    return [
      `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`,
      `${t(option.help)}${allowed && ` (${allowed})`}`,
    ];
  });
  return [
    wrapLongLines(t(shown.summary), width),
    "",
    wrapLongLines(t("Usage: knowledge-server {0}", shown.usage), width, 4),
    ...(rows.length === 0 ? [] : ["", t("Options:"), ...columns(rows, width)]),
    ...["", t("Examples:")],
    ...examplesOf(shown).flatMap(({ line, does }) => [`  ${line}`, `      ${t(does)}`]),
  ];
}

export function examplesOf({ examples }: Pick<Command, "examples">) {
  const lines = examples.trim().split("\n");
  return lines.map((each) => {
    const [line = "", does = ""] = each.split(/\s+# /);
    // A test sees to it.
    return { line: line.trim(), does: does as Text };
  });
}

type Pair = readonly (string | undefined)[];

/** Prints two columns; long text in the second wraps within its column. */
function columns(rows: readonly Pair[], width: number): readonly string[] {
  const left = Math.max(...rows.map(([name = ""]) => widthOf(name)));
  return rows.map(([name = "", text = ""]) =>
    wrapLongLines(`  ${pad(name, left, "left")}  ${text}`, width, left + 2),
  );
}

export const version = command({
  name: "version",
  summary: "Print the version",
  effect: "read",
  usage: "version",
  options: {},
  examples: `
    knowledge-server version --json  # for a script
  `,
  async run({ terminal, about }) {
    const { version: program, node } = about;
    terminal.result({ version: program, node }, () =>
      terminal.line(`knowledge-server ${program} (Node ${node})`),
    );
    return 0;
  },
});
