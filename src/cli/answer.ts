import { KnowledgeError } from "../domain/errors.ts";
import type { Command } from "./command.ts";
import type { Terminal } from "./terminal.ts";

interface Payload {
  readonly answer: string;
  readonly citations: readonly {
    readonly content: string;
    readonly location: Readonly<Record<string, unknown>>;
    readonly score: number | null;
  }[];
  readonly warning?: string;
}

const EXCERPT_CHARACTERS = 240;

export const answer: Command = {
  name: "answer",
  summary: "Answer a question from the knowledge base, with its sources",
  usage: "answer QUESTION [--limit N]",
  options: {
    limit: { type: "string", short: "n", value: "N", help: "most source chunks (default 4)" },
  },
  examples: [
    {
      line: 'knowledge-server answer "When does the warranty end?"',
      does: "answer and list the passages it rests on",
    },
  ],
  async run({ args, options, openApp, terminal, signal }) {
    const query = args.join(" ");
    if (query === "") throw new KnowledgeError("MISSING_REQUIRED_PARAMETER", "Give a question.");
    const app = await openApp();
    const limit = options["limit"];
    const call = { query, ...(limit !== undefined && { max_results: Number(limit) }) };
    const { payload, structured, isError } = await app.call("kb_answer", call, { signal });
    if (terminal.asJson) terminal.json(structured ?? payload);
    else if (isError) terminal.note((payload as { message: string }).message);
    else show(structured as unknown as Payload, terminal);
    return isError ? 1 : 0;
  },
};

function show({ answer: text, citations, warning }: Payload, terminal: Terminal): void {
  terminal.line(text);
  if (citations.length > 0) terminal.line();
  for (const [at, { content, location }] of citations.entries()) {
    const number = terminal.style("bold", `[${at + 1}]`);
    terminal.line(`${number} ${terminal.style("cyan", describe(location))}`);
    terminal.line(`    ${terminal.style("dim", excerpt(content))}`);
  }
  if (warning !== undefined) terminal.note(warning);
}

function excerpt(content: string): string {
  const flat = content.replace(/\s+/g, " ").trim();
  return flat.length > EXCERPT_CHARACTERS ? `${flat.slice(0, EXCERPT_CHARACTERS)}…` : flat;
}

/** A local file with its page, or the address that the service gave. */
function describe(location: Readonly<Record<string, unknown>>): string {
  const { filename, page, slide, sheet } = location;
  if (typeof filename !== "string") return firstAddress(location) ?? String(location["type"] ?? "");
  const place = [
    ...(page === undefined ? [] : [`page ${page}`]),
    ...(slide === undefined ? [] : [`slide ${slide}`]),
    ...(sheet === undefined ? [] : [`sheet ${sheet}`]),
  ];
  return [filename, ...place].join(", ");
}

function firstAddress(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, item] of Object.entries(value)) {
    if (/^(uri|url|id)$/.test(name) && typeof item === "string") return item;
    const inner = firstAddress(item);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
