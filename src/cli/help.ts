import type { Command, CommandContext } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { pad, widthOf } from "./width.ts";

export const help: Command = {
  name: "help",
  summary: "Show this help, or a command's",
  usage: "help [COMMAND]",
  options: {},
  examples: [],
  async run(context) {
    const load = context.args[0] === undefined ? undefined : COMMANDS[context.args[0]];
    const lines = load ? commandHelp(await load(), context) : await overview(context);
    for (const line of lines) context.terminal.line(line);
    return 0;
  },
};

async function overview({ about }: CommandContext): Promise<readonly string[]> {
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  return [
    `knowledge-server ${about.version}: knowledge for AI agents over MCP`,
    "",
    "Usage: knowledge-server [COMMAND] [OPTIONS]",
    "",
    "Commands:",
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    "",
    "Options of every command (flag, or variable in the environment):",
    ...columns(about.settings.map(({ flag, env, help: text }) => [settingName(flag, env), text])),
    "  --json                print results as JSON",
    "",
    "See also: knowledge-server help COMMAND",
  ];
}

function commandHelp(command: Command, _context: CommandContext): readonly string[] {
  const options = Object.entries(command.options).map(([name, { short, value, help: text }]) => [
    `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`,
    text,
  ]);
  return [
    command.summary,
    "",
    `Usage: knowledge-server ${command.usage}`,
    ...(options.length === 0 ? [] : ["", "Options:", ...columns(options)]),
    ...(command.examples.length === 0 ? [] : ["", "Examples:"]),
    ...command.examples.flatMap(({ line, does }) => [`  ${line}`, `      ${does}`]),
  ];
}

function settingName(flag: string | undefined, env: string | undefined): string {
  return flag === undefined ? (env ?? "") : `--${flag}`;
}

function columns(rows: readonly (readonly (string | undefined)[])[]): readonly string[] {
  const width = Math.max(...rows.map(([left = ""]) => widthOf(left)));
  return rows.map(([left = "", right = ""]) => `  ${pad(left, width, "left")}  ${right}`);
}
