// docs/clients.md from a run: what each client hands to its model of what this server sends.
import { writeFileSync } from "node:fs";
import { MARKS } from "./marks.ts";
import type { Returned } from "./model.ts";

export interface Answered {
  readonly returned: readonly Returned[];
  /** The parts of results that reached the model. */
  readonly shown: readonly string[];
  readonly exit: string;
  /** Documents in the knowledge base afterwards. */
  readonly left: number;
}

interface Way {
  readonly way: "stdio" | "http";
  readonly returned: readonly Returned[];
  readonly shown: readonly string[];
  readonly exit: string;
  readonly cancelled: Answered;
}

export interface Outcome {
  readonly title: string;
  readonly version: string;
  readonly ways: readonly Way[];
  readonly problem?: string;
}

const HEAD = `# Client applications

\`\`\`sh
claude mcp add knowledge -- knowledge-server
claude -p "How long is parental leave?" --allowedTools mcp__knowledge
\`\`\`

What four real clients pass on to their model. \`npm run clients\` installs them, runs each over stdio and HTTP with a
clean home folder, and writes this page. It needs no account: a small server on loopback plays the model and calls the
tools. Sizes are the characters that the model gets.

- **Text or structured**: Claude Code and Codex pass the structured content to the model where there is any, and not
  the text; Gemini CLI and opencode pass the text. On errors Claude Code passes the text, Gemini CLI both. So each part
  has to be complete.
- **Links and images**: Claude Code and Gemini CLI pass them on. Codex leaves out what comes beside structured content;
  opencode leaves both out.
- **Large results**: no client passes 10 MB to its model. Claude Code and opencode save the result to a file and give the
  model its name; Gemini CLI and Codex pass on 40,000 and 12,000 characters. Call \`get_kb_content\` with \`offset\` and
  \`length\` to read a large file in parts.
- **Names**: each client prefixes tool names (\`mcp__knowledge__\`, \`mcp_knowledge_\`, \`knowledge_\`); Codex turns \`-\` into
  \`_\`.
- **Start**: Codex does not wait for a server before its first question unless the server has \`required = true\`. Claude
  Code lets the model search for tools unless \`ENABLE_TOOL_SEARCH=false\`.

The first table comes from runs with a proxy that puts a different mark into each part of every result, the others from
runs without it. The slow add had 150,000 sentences and was interrupted after 2.5 s. Where a
document was stored all the same, the add may have finished before the client cancelled it.
`;

export function report(path: string, outcomes: readonly Outcome[]): void {
  writeFileSync(path, [HEAD, parts(outcomes), ...outcomes.map(section)].join("\n"));
}

/** Which parts of a result reach the model; the ways agree unless one is named. */
function parts(outcomes: readonly Outcome[]): string {
  const cell = ({ ways }: Outcome, part: string) => {
    const having = ways.filter(({ shown }) => shown.includes(part)).map(({ way }) => way);
    if (having.length === 0) return "no";
    return having.length === ways.length ? "yes" : having.join(", ");
  };
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const ran = outcomes.filter(({ ways }) => ways.length > 0);
  const rows = Object.keys(MARKS).map((part) =>
    row([part, ...ran.map((each) => cell(each, part))]),
  );
  return [
    "## Which parts of a result reach the model",
    "",
    row(["part", ...ran.map(({ title }) => title)]),
    row(["part", ...ran].map(() => "---")),
    ...rows,
    "",
  ].join("\n");
}

function section({ title, version, ways, problem }: Outcome): string {
  const lines = [`## ${title} ${version}`, ""];
  if (problem !== undefined) return [...lines, `Could not be installed: ${problem}`, ""].join("\n");
  lines.push("| step | stdio | HTTP |", "|---|---|---|");
  const names = [...new Set(ways.flatMap(({ returned }) => returned.map(({ step }) => step)))];
  const cell = (way: Way | undefined, step: string) =>
    describe(way?.returned.find((each) => each.step === step));
  for (const name of names) {
    const [stdio, http] = ["stdio", "http"].map((way) =>
      cell(
        ways.find((each) => each.way === way),
        name,
      ),
    );
    lines.push(`| ${name} | ${stdio} | ${http} |`);
  }
  const [stdio, http] = ["stdio", "http"].map((way) => {
    const cancelled = ways.find((each) => each.way === way)?.cancelled;
    if (!cancelled) return "not run";
    const kept = cancelled.left === 0 ? "no document stored" : `${cancelled.left} document stored`;
    return `client exits with ${cancelled.exit}; ${kept}`;
  });
  lines.push(`| cancelling a slow add (Ctrl+C) | ${stdio} | ${http} |`, "");
  return lines.join("\n");
}

/** The size and the first words: enough to see what was cut or refused. */
function describe(returned: Returned | undefined): string {
  if (!returned) return "not reached";
  if (returned.tool === undefined) return "the client has no such tool";
  const { text } = returned;
  const shown = text.replaceAll(/\/\S*\/knowledge-clients-\w+/g, "…");
  const start = shown.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").slice(0, 90);
  return `${text.length.toLocaleString("en")}: \`${start.replaceAll("`", "'")}…\``;
}
