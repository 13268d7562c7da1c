import { defined } from "../../domain/defined.ts";
import { FORMATS } from "../../domain/document.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import { markHeadings, withoutLeadingHeadings } from "../../text/clean/headings.ts";
import { count } from "../../text/english/count.ts";
import { highlights } from "../../text/highlights.ts";
import { cutTo } from "../../text/width.ts";
import {
  KNOWLEDGE_SEARCH,
  type Refused,
  type SearchAnswer,
} from "../../tools/documents/contract.ts";
import { call, noDocuments, toError } from "../call.ts";
import type { Command, OptionValues } from "../command.ts";
import { listOf, readNumber, readPairs } from "../options.ts";
import { describePlace } from "../terminal/format.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { wrap } from "../terminal/wrap.ts";

const SHOWN_LINES = 6;

export const search: Command = {
  name: "search",
  effect: "read",
  summary: "Search the documents",
  usage:
    "search QUERY [--top-k N] [--format F]… [--tag NAME]… [--filter KEY=VALUE]… [--scope SCOPE] [--include-hidden]",
  options: {
    "top-k": { short: "n", value: "N", help: "number of results (1 to 50, default 10)" },
    format: { multiple: true, value: "F", choices: FORMATS, help: "only this format (repeatable)" },
    tag: { multiple: true, value: "NAME", help: "only documents with this tag" },
    filter: { multiple: true, value: "KEY=VALUE", help: "only documents with this metadata" },
    scope: { value: "SCOPE", help: "only this scope and what it inherits" },
    "include-hidden": { help: "also show text that people cannot see in the files" },
    "min-relevance": {
      value: "X",
      help: "leave out results below X (0 to 1); 0 also shows weak ones",
    },
  },
  parameters: { query: "QUERY", "filters.tags": "--tag", filters: "--filter" },
  examples: {
    'knowledge-server search "how do refunds work"': "search by meaning and keyword",
    "knowledge-server search 'error E1234' --format pdf": "only in PDF files",
    "knowledge-server search budget -n 3 --tag 2026": "the best three with this tag",
  },
  async run({ args: words, options, openApp, terminal, signal }) {
    const query = words.join(" ");
    if (query === "") throw new KnowledgeError("MISSING_REQUIRED_PARAMETER", "Missing query.");
    const args = toArguments(query, options);
    const app = await openApp();
    const found = call(app, { contract: KNOWLEDGE_SEARCH, args, signal });
    const outcome = await terminal.during("Searching", found);
    if (terminal.asJson) terminal.json(outcome.payload);
    if (outcome.kind === "refused") throw problemOf(outcome.error);
    if (!terminal.asJson) show(outcome.value, query, terminal);
    return 0;
  },
};

/** The tool's message names another tool; a person needs the command. */
function problemOf(error: Refused): KnowledgeError {
  return error.error === "empty_knowledge_base" ? noDocuments() : toError(error);
}

function toArguments(query: string, options: OptionValues) {
  const formats = listOf(options["format"]);
  const tags = listOf(options["tag"]);
  const filters = {
    ...readPairs(options, "filter"),
    ...(formats.length > 0 && { format: formats }),
    ...(tags.length > 0 && { tags }),
  };
  const limit = readNumber(options, "top-k", { least: 1, most: 50 });
  const least = readNumber(options, "min-relevance", { least: 0, most: 1, whole: false });
  const given = Object.keys(filters).length > 0 && { filters };
  const { scope } = options;
  const include_hidden = options["include-hidden"];
  const more = defined({ top_k: limit, min_relevance: least, scope, include_hidden });
  return { query, ...more, ...given };
}

type Result = SearchAnswer["results"][number];

// The first few weak matches are shown in full, the rest on one line each.
const WEAK_IN_FULL = 3;

function show(
  { results, hidden, message, search_time_ms }: SearchAnswer,
  query: string,
  terminal: Terminal,
): void {
  for (const [at, result] of results.entries()) {
    const isBrief = result.strength === "weak" && at >= WEAK_IN_FULL;
    if (isBrief ? at === WEAK_IN_FULL : at > 0) terminal.line();
    terminal.line(headOf(at, result, terminal));
    if (!isBrief) showText(result, query, terminal);
  }
  showHidden(hidden, terminal);
  if (message !== undefined) terminal.note(message.replace("min_relevance 0", "--min-relevance 0"));
  if (results.length > 0)
    terminal.note(`\n${count(results.length, "result")} in ${search_time_ms} ms`);
}

function headOf(at: number, { filename, metadata, ...result }: Result, terminal: Terminal): string {
  const place = describePlace(metadata);
  const score = `${result.relevance_score.toFixed(2)} ${result.strength}`;
  const number = `${at + 1}.`;
  const room = terminal.width - number.length - place.length - score.length - 5;
  const name = terminal.style("bold", cutTo(filename, Math.max(8, room)));
  const named = place === "" ? name : `${name}, ${place}`;
  return `${terminal.style("dim", number)} ${named}  ${terminal.style("dim", score)}`;
}

function showText(result: Result, query: string, terminal: Terminal): void {
  const columns = Math.min(terminal.width, 100) - 3;
  const path = (result.metadata.headings ?? []).join(" › ");
  if (path !== "") terminal.line(`   ${terminal.style("cyan", cutTo(path, columns))}`);
  const text = markHeadings(withoutLeadingHeadings(result.chunk_text), (heading) => heading);
  const lines = wrap(text, columns);
  for (const line of lines.slice(0, SHOWN_LINES)) {
    terminal.line(`   ${highlight(line, query, terminal)}`);
  }
  if (lines.length > SHOWN_LINES) terminal.line(`   ${terminal.style("dim", "…")}`);
  for (const warning of warningsOf(result))
    terminal.line(`   ${terminal.style("yellow", warning)}`);
}

/** Why the text may be wrong, or no longer hold. */
function warningsOf({ ocr, uncertain = [], metadata }: Result): readonly string[] {
  return [
    ocr && "Read by OCR",
    uncertain.length > 0 && `Uncertain: ${uncertain.join(", ")}`,
    metadata.superseded_by && "There is a newer version",
  ].filter((warning) => typeof warning === "string");
}

export function showHidden(hidden: SearchAnswer["hidden"] = [], terminal: Terminal): void {
  for (const { filename, kind, text, ...place } of hidden) {
    const named = [filename, describePlace(place)].filter((part) => part !== "").join(", ");
    terminal.line(`\n${terminal.style("yellow", `Hidden (${kind}) in ${named}`)}`);
    for (const line of wrap(text, Math.min(terminal.width, 100) - 3)) terminal.line(`   ${line}`);
  }
}

function highlight(line: string, query: string, terminal: Terminal): string {
  let [marked, at] = ["", 0];
  for (const { start, end } of highlights(line, query)) {
    marked += line.slice(at, start) + terminal.style(["bold", "yellow"], line.slice(start, end));
    at = end;
  }
  return marked + line.slice(at);
}
