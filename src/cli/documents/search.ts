import { defined } from "../../domain/defined.ts";
import { FORMATS } from "../../domain/document.ts";
import type { KnowledgeError } from "../../domain/errors.ts";
import { markHeadings, withoutLeadingHeadings } from "../../text/clean/headings.ts";
import { highlights } from "../../text/highlights.ts";
import { cutTo } from "../../text/width.ts";
import {
  KNOWLEDGE_SEARCH,
  type Refused,
  type SearchAnswer,
} from "../../tools/documents/contract.ts";
import { call, noDocuments, toError } from "../call.ts";
import { type CommandContext, command } from "../command.ts";
import { describePlace } from "../terminal/format.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { wrap } from "../terminal/wrap.ts";

const SHOWN_LINES = 6;

const OPTIONS = {
  "top-k": {
    help: "number of results (1 to 50, default 10)",
    short: "n",
    value: "N",
    range: [1, 50],
  },
  format: { help: "only this format", value: "F…", choices: FORMATS },
  tag: { help: "only documents with this tag", value: "NAME…" },
  filter: { help: "only documents with this metadata", value: "KEY=VALUE" },
  scope: { help: "only this scope and what it inherits", value: "SCOPE" },
  "min-relevance": {
    help: "leave out results below X (0 to 1); 0 also shows weak ones",
    value: "X",
    range: [0, 1],
    isFraction: true,
  },
  "include-hidden": { help: "also show text that people cannot see in the files" },
} as const;

export const search = command({
  name: "search",
  summary: "Search the documents",
  effect: "read",
  needs: "QUERY",
  usage:
    "search QUERY [--top-k N] [--format F]… [--tag NAME]… [--filter KEY=VALUE]… [--scope SCOPE] [--include-hidden]",
  options: OPTIONS,
  parameters: { query: "QUERY", "filters.tags": "--tag", filters: "--filter" },
  examples: `
    knowledge-server search "how do refunds work"       # search by meaning and keyword
    knowledge-server search 'error E1234' --format pdf  # only in PDF files
    knowledge-server search budget -n 3 --tag 2026      # the best three with this tag
  `,
  async run({ args: words, options, openApp, terminal, signal }) {
    const query = words.join(" ");
    const args = toArguments(query, options);
    const app = await openApp();
    const found = call(app, { contract: KNOWLEDGE_SEARCH, args, signal });
    const outcome = await terminal.during(terminal.t("Searching"), found);
    if (terminal.asJson) terminal.json(outcome.payload);
    if (outcome.kind === "refused") throw problemOf(outcome.error);
    if (!terminal.asJson) show(outcome.value, query, terminal);
    return 0;
  },
});

/** The tool's message names another tool; a person needs the command. */
function problemOf(error: Refused): KnowledgeError {
  return error.error === "empty_knowledge_base" ? noDocuments() : toError(error);
}

function toArguments(query: string, options: CommandContext<typeof OPTIONS>["options"]) {
  const { format, tag: tags, filter, scope } = options;
  const filters = {
    ...filter,
    ...(format.length > 0 && { format }),
    ...(tags.length > 0 && { tags }),
  };
  return {
    query,
    include_hidden: options["include-hidden"],
    ...defined({ top_k: options["top-k"], min_relevance: options["min-relevance"], scope }),
    ...(Object.keys(filters).length > 0 && { filters }),
  };
}

type Result = SearchAnswer["results"][number];

// The first few weak matches are shown in full, the rest on one line each.
const WEAK_IN_FULL = 3;

function show(
  { results, hidden, weak_left_out: weak = 0, search_time_ms }: SearchAnswer,
  query: string,
  terminal: Terminal,
): void {
  for (const [at, result] of results.entries()) {
    const isBrief = result.strength === "weak" && at >= WEAK_IN_FULL;
    if (isBrief ? at === WEAK_IN_FULL : at > 0) terminal.line();
    terminal.line(headOf(at, result, terminal));
    if (!isBrief) showText(result, query, terminal);
  }
  const { t } = terminal;
  showHidden(hidden, terminal);
  if (results.length === 0)
    terminal.notify("No documents found matching your query. Try other words.");
  if (weak > 0)
    terminal.notify(
      "{0|weak match was|weak matches were} left out; pass --min-relevance 0 to see them.",
      weak,
    );
  if (results.length > 0)
    terminal.note(`\n${t("{0|result|results} in {1} ms", results.length, search_time_ms)}`);
}

function headOf(at: number, { filename, metadata, ...result }: Result, terminal: Terminal): string {
  const place = describePlace(metadata, terminal);
  const score = `${result.relevance_score.toFixed(2)} ${terminal.t(result.strength)}`;
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
  for (const warning of warningsOf(result, terminal))
    terminal.line(`   ${terminal.style("yellow", warning)}`);
}

/** Why the text may be wrong, or no longer hold. */
function warningsOf({ ocr, uncertain = [], metadata }: Result, { t }: Terminal): readonly string[] {
  return [
    ocr && t("read by OCR"),
    uncertain.length > 0 && t("uncertain: {0}", uncertain.join(", ")),
    metadata.superseded_by && t("there is a newer version"),
  ].filter((warning) => typeof warning === "string");
}

export function showHidden(hidden: SearchAnswer["hidden"] = [], terminal: Terminal): void {
  for (const { filename, kind, text, ...place } of hidden) {
    const named = [filename, describePlace(place, terminal)]
      .filter((part) => part !== "")
      .join(", ");
    terminal.line(
      `\n${terminal.style("yellow", terminal.t("Hidden text ({0}) in {1}", kind, named))}`,
    );
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
