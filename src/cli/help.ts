import { pad, widthOf } from "../text/width.ts";
import { unknownWord } from "./arguments.ts";
import type { Command, CommandContext } from "./command.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { wrapLongLines } from "./terminal/wrap.ts";
import { isTextKey, optionHelp, said } from "./texts.ts";

export const help: Command = {
  name: "help",
  effect: "read",
  usage: "help [COMMAND | settings]",
  options: {},
  examples: ["knowledge-server help search", "knowledge-server help settings"],
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
  const { about, terminal } = context;
  const load = Object.hasOwn(about.commands, topic) ? about.commands[topic] : undefined;
  if (load) return commandHelp(await load(), terminal);
  throw unknownWord(said("wordCommand"), topic, [...Object.keys(about.commands), "settings"]);
}

function overview({ about, terminal: { width, t } }: CommandContext): readonly string[] {
  const flags = about.settings.flatMap(({ flag, help: text }) =>
    flag !== undefined && MAIN_FLAGS.has(flag) ? [[`--${flag}`, text]] : [],
  );
  return [
    t("helpTitle", about.version),
    "",
    t("helpUsage", "[COMMAND] [OPTIONS]"),
    "",
    t("helpCommands"),
    ...columns(
      Object.keys(about.commands).flatMap((name) => (isTextKey(name) ? [[name, t(name)]] : [])),
      width,
    ),
    "",
    t("helpCommonOptions"),
    ...columns([...flags, ["--json", t(".json")]], width),
    "",
    t("helpMore"),
  ];
}

function settingsHelp({ about, terminal }: CommandContext): readonly string[] {
  const named = about.settings.filter(({ flag, env }) => flag !== undefined || env !== undefined);
  return [
    terminal.t("helpPrecedence"),
    "",
    ...named.flatMap(({ flag, env, help: text }) => [
      [flag === undefined ? "" : `--${flag}`, env ?? ""].filter(Boolean).join(" / "),
      `    ${text}`,
    ]),
  ];
}

// As many as fit beside the text.
const MAX_CHOICES = 6;

function commandHelp({ name, usage, options, examples }: Command, { t, width }: Terminal) {
  const rows = Object.entries(options).map(([option, { short, value, choices = [] }]) => {
    const allowed = choices.length <= MAX_CHOICES ? choices.join(", ") : "";
    return [
      `${short ? `-${short}, ` : ""}--${option}${value ? ` ${value}` : ""}`,
      `${optionHelp(t, name, option)}${allowed && ` (${allowed})`}`,
    ];
  });
  const does = t(`${name}:examples`).split("\n");
  return [
    wrapLongLines(t(name), width),
    "",
    wrapLongLines(t("helpUsage", usage), width, 4),
    ...(rows.length === 0 ? [] : ["", t("helpOptions"), ...columns(rows, width)]),
    ...["", t("helpExamples")],
    ...examples.flatMap((line, at) => [`  ${line}`, `      ${does[at]}`]),
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
  usage: "version",
  options: {},
  examples: ["knowledge-server version --json"],
  async run({ terminal, about }) {
    const { version: program, node } = about;
    terminal.result({ version: program, node }, () =>
      terminal.line(`knowledge-server ${program} (Node ${node})`),
    );
    return 0;
  },
};
