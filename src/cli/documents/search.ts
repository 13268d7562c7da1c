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
import { missing } from "../arguments.ts";
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
  usage:
    "search QUERY [--top-k N] [--format F]… [--tag NAME]… [--filter KEY=VALUE]… [--scope SCOPE] [--include-hidden]",
  options: {
    "top-k": { short: "n", value: "N" },
    format: { multiple: true, value: "F", choices: FORMATS },
    tag: { multiple: true, value: "NAME" },
    filter: { multiple: true, value: "KEY=VALUE" },
    scope: { value: "SCOPE" },
    "min-relevance": { value: "X" },
    "include-hidden": {},
  },
  parameters: { query: "QUERY", "filters.tags": "--tag", filters: "--filter" },
  examples: [
    'knowledge-server search "how do refunds work"',
    "knowledge-server search 'error E1234' --format pdf",
    "knowledge-server search budget -n 3 --tag 2026",
  ],
  async run({ args: words, options, openApp, terminal, signal }) {
    const query = words.join(" ");
    if (query === "") throw missing("QUERY");
    const args = toArguments(query, options);
    const app = await openApp();
    const found = call(app, { contract: KNOWLEDGE_SEARCH, args, signal });
    const outcome = await terminal.during(terminal.t("searching"), found);
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
  if (results.length === 0) terminal.note(t("nothingFound"));
  if (weak > 0) terminal.note(t("weakLeftOut", weak));
  if (results.length > 0) terminal.note(`\n${t("resultsIn", results.length, search_time_ms)}`);
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
    ocr && t("readByOcr"),
    uncertain.length > 0 && t("uncertainWords", uncertain.join(", ")),
    metadata.superseded_by && t("hasNewer"),
  ].filter((warning) => typeof warning === "string");
}

export function showHidden(hidden: SearchAnswer["hidden"] = [], terminal: Terminal): void {
  for (const { filename, kind, text, ...place } of hidden) {
    const named = [filename, describePlace(place, terminal)]
      .filter((part) => part !== "")
      .join(", ");
    terminal.line(`\n${terminal.style("yellow", terminal.t("hiddenIn", kind, named))}`);
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
