import { KnowledgeError } from "../../domain/errors.ts";
import { highlights } from "../../text/highlights.ts";
import { cutTo } from "../../text/width.ts";
import {
  KNOWLEDGE_SEARCH,
  type Refused,
  type SearchAnswer,
} from "../../tools/documents/contract.ts";
import { call } from "../call.ts";
import type { Command, OptionValues } from "../command.ts";
import { readNumber } from "../terminal/number.ts";
import { listOf, readPairs } from "../terminal/pairs.ts";
import { describePlace } from "../terminal/place.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { wrap } from "../terminal/wrap.ts";

const SHOWN_LINES = 6;

export const search: Command = {
  name: "search",
  effect: "read",
  summary: "Find the passages that answer a question",
  usage: "search QUERY [--limit N] [--format F]… [--tag NAME]… [--filter KEY=VALUE]…",
  options: {
    limit: {
      type: "string",
      short: "n",
      value: "N",
      help: "most results (default --top-k, at most 50)",
    },
    format: { type: "string", multiple: true, value: "F", help: "only this format (repeatable)" },
    tag: { type: "string", multiple: true, value: "NAME", help: "only documents so tagged" },
    filter: {
      type: "string",
      multiple: true,
      value: "KEY=VALUE",
      help: "only documents with this metadata",
    },
    "min-relevance": { type: "string", value: "X", help: "leave out scores under X (0 to 1)" },
  },
  examples: [
    { line: 'knowledge-server search "how do refunds work"', does: "search by meaning" },
    { line: "knowledge-server search 'error E1234' --format pdf", does: "only in PDF files" },
  ],
  async run({ args: words, options, openApp, terminal, signal }) {
    const query = words.join(" ");
    if (query === "") throw new KnowledgeError("MISSING_REQUIRED_PARAMETER", "Give a query.");
    const args = toArguments(query, options);
    const app = await openApp();
    const outcome = await call(app, { contract: KNOWLEDGE_SEARCH, args, signal });
    if (terminal.asJson) terminal.json(outcome.payload);
    else if (outcome.kind === "refused") terminal.note(problemOf(outcome.error));
    else show(outcome.value, query, terminal);
    return outcome.kind === "refused" ? 1 : 0;
  },
};

/** The tool's words name another tool where a person needs a command. */
function problemOf({ error, message }: Refused): string {
  if (error !== "empty_knowledge_base") return message;
  return "The knowledge base is empty: knowledge-server add PATH… fills it.";
}

function toArguments(query: string, options: OptionValues) {
  const formats = listOf(options["format"]);
  const tags = listOf(options["tag"]);
  const filters = {
    ...readPairs(options, "filter"),
    ...(formats.length > 0 ? { format: formats } : {}),
    ...(tags.length > 0 ? { tags } : {}),
  };
  const limit = readNumber(options, "limit", { least: 1, most: 50 });
  const least = readNumber(options, "min-relevance", { least: 0, most: 1, whole: false });
  return {
    query,
    ...(limit === undefined ? {} : { top_k: limit }),
    ...(least === undefined ? {} : { min_relevance: least }),
    ...(Object.keys(filters).length > 0 ? { filters } : {}),
  };
}

function show(
  { results, message, search_time_ms }: SearchAnswer,
  query: string,
  terminal: Terminal,
): void {
  const columns = Math.min(terminal.width, 100) - 3;
  for (const [
    at,
    { filename, chunk_text, relevance_score, strength, metadata },
  ] of results.entries()) {
    if (at > 0) terminal.line();
    const place = describePlace(metadata);
    const head = [terminal.style("bold", filename), ...(place === "" ? [] : [place])].join(", ");
    const score = terminal.style("dim", `${relevance_score.toFixed(2)} ${strength}`);
    terminal.line(`${terminal.style("dim", `${at + 1}.`)} ${head}  ${score}`);
    const path = (metadata.headings ?? []).join(" › ");
    if (path !== "") terminal.line(`   ${terminal.style("cyan", cutTo(path, columns))}`);
    const lines = wrap(withoutHeadings(chunk_text), columns);
    for (const line of lines.slice(0, SHOWN_LINES)) {
      terminal.line(`   ${highlight(line, query, terminal)}`);
    }
    if (lines.length > SHOWN_LINES) terminal.line(`   ${terminal.style("dim", "…")}`);
  }
  if (message !== undefined) terminal.note(message);
  if (results.length > 0) terminal.note(`\n${countOf(results.length)} in ${search_time_ms} ms`);
}

/** Headings are above the text already, as its path. */
function withoutHeadings(text: string): string {
  return text.replace(/^#{1,6} .*\n+/gm, "");
}

function countOf(results: number): string {
  return results === 1 ? "1 result" : `${results} results`;
}

function highlight(line: string, query: string, terminal: Terminal): string {
  let [marked, at] = ["", 0];
  for (const { start, end } of highlights(line, query)) {
    marked += line.slice(at, start) + terminal.style(["bold", "yellow"], line.slice(start, end));
    at = end;
  }
  return marked + line.slice(at);
}
