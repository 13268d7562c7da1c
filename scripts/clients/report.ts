// docs/clients.md from a run: what each client hands to its model of what this server sends.
import { writeFileSync } from "node:fs";
import type { Returned } from "./model.ts";

export interface Answered {
  readonly returned: readonly Returned[];
  readonly exit: string;
  /** Documents in the knowledge base afterwards. */
  readonly left: number;
}

interface Way {
  readonly way: "stdio" | "http";
  readonly returned: readonly Returned[];
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

What real clients do with this server, without an account: a small server on loopback plays their model and asks for
the tools; each client runs with a clean home, over stdio and over HTTP. \`npm run clients\` installs them, repeats all
of this and writes this page. Sizes are in characters, as the client hands them to its model.

- **Text or structured**: all of them hand the text content to the model, none the structured content as well (but Gemini CLI shows
  both in what it says of an error).
- **Large results**: none hands 10 MB to its model. Claude Code and opencode save the result to a file and name it,
  Gemini CLI and Codex hand over 40,000 and 12,000 characters. Ask \`get_kb_content\` for parts (\`offset\`, \`length\`).
- **Names**: each puts its own prefix before a tool's name (\`mcp__knowledge__\`, \`mcp_knowledge_\`, \`knowledge_\`); Codex
  writes \`_\` for \`-\`.
- **Start**: Codex asks its first question without waiting for servers unless \`required = true\` is set for them; Claude
  Code lets the model search for tools unless \`ENABLE_TOOL_SEARCH=false\`.
`;

export function report(path: string, outcomes: readonly Outcome[]): void {
  writeFileSync(path, `${[HEAD, ...outcomes.map(section)].join("\n")}`);
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
    const kept =
      cancelled.left === 0 ? "nothing of the document stays" : `${cancelled.left} document stored`;
    return `client ends with ${cancelled.exit}; ${kept}`;
  });
  lines.push(`| cancelling a slow add (Ctrl+C) | ${stdio} | ${http} |`, "");
  return lines.join("\n");
}

/** The size and the first words: enough to see what was cut or refused. */
function describe(returned: Returned | undefined): string {
  if (!returned) return "not reached";
  if (returned.tool === undefined) return "the client has no such tool";
  const { text } = returned;
  const start = text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").slice(0, 90);
  return `${text.length.toLocaleString("en")}: \`${start.replaceAll("`", "'")}…\``;
}
