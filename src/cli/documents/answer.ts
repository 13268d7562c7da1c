import { defined } from "../../domain/defined.ts";
import { type ErrorCode, KnowledgeError } from "../../domain/errors.ts";
import { isMessage } from "../../domain/phrases/messages.ts";
import { isJapanese } from "../../text/scripts.ts";
import { KB_ANSWER, type KbAnswer } from "../../tools/answers/contract.ts";
import type { Failure } from "../../tools/contract.ts";
import { call, listDocuments, noDocuments } from "../call.ts";
import { command, type OpenToolbox } from "../command.ts";
import { describePlace } from "../terminal/format.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { wrap } from "../terminal/wrap.ts";
import { openSpeech } from "../texts.ts";
import { showHidden } from "./search.ts";

type AnswerFailure = Failure<typeof KB_ANSWER>;
type Location = KbAnswer["citations"][number]["location"];

const SHOWN_LINES = 4;

/** The hint is in the question's language, like the tool's sentence above it. */
async function modelHint(query: string, terminal: Terminal): Promise<string> {
  const { t } = isJapanese(query) ? await openSpeech("ja") : terminal;
  return t("A language model can phrase an answer: set KNOWLEDGE_LLM_URL (docs/answers.md).");
}

export const answer = command({
  name: "answer",
  summary: "Answer a question, with sources",
  effect: "read",
  needs: "QUESTION",
  usage: "answer QUESTION [--top-k N] [--scope SCOPE] [--include-hidden]",
  options: {
    "top-k": {
      help: "maximum number of passages to use (1 to 100, default 4)",
      short: "n",
      value: "N",
      range: [1, 100],
    },
    scope: { help: "only this scope and what it inherits", value: "SCOPE" },
    "include-hidden": { help: "also show text that people cannot see in the files" },
  },
  parameters: { query: "Question", max_results: "--top-k" },
  examples: `
    knowledge-server answer "When does the warranty end?"  # answer, and list the sources
  `,
  async run({ args, options, config, openApp, terminal, signal }) {
    const query = args.join(" ");
    const { scope, "top-k": max_results, "include-hidden": include_hidden } = options;
    const asked = { query, include_hidden, ...defined({ max_results, scope }) };
    const app = await openApp();
    const answered = call(app, { contract: KB_ANSWER, args: asked, signal });
    const outcome = await terminal.during(terminal.t("Looking for an answer"), answered);
    if (terminal.asJson) terminal.json(outcome.payload);
    if (outcome.kind === "refused") {
      const { error_type, message } = outcome.error;
      throw new KnowledgeError(CODES[error_type], message);
    }
    if (await hasNoDocuments(outcome.value, app, signal)) throw noDocuments();
    if (terminal.asJson) return 0;
    const hint = config.llmUrl === undefined ? await modelHint(query, terminal) : undefined;
    show(outcome.value, { terminal, hint });
    const samples = new Set((await app.operations.samples()).ids);
    if (outcome.value.citations.some(({ location }) => samples.has(location.document_id ?? "")))
      terminal.notify(FROM_SAMPLES);
    return 0;
  },
});

const FROM_SAMPLES =
  "Some of this is from the samples. To remove them: knowledge-server remove --samples";

/** If the knowledge base is empty, no question can be answered. */
async function hasNoDocuments(
  { outcome, kind }: KbAnswer,
  app: OpenToolbox,
  signal: AbortSignal,
): Promise<boolean> {
  if (outcome !== "nothing" || kind === "bedrock") return false;
  return (await listDocuments(app, { limit: 1 }, signal)).total_count === 0;
}

const CODES: Readonly<Record<AnswerFailure["error_type"], ErrorCode>> = {
  ValidationError: "INVALID_PARAMETER",
  AuthenticationError: "ANSWER_AUTHENTICATION",
  NotFoundError: "ANSWER_NOT_FOUND",
  ServiceError: "ANSWER_SERVICE",
};

interface Shown {
  readonly terminal: Terminal;
  /** Explains how to get a phrased answer; undefined if a model is set up. */
  readonly hint: string | undefined;
}

function show(
  { answer: text, citations, outcome, warning_code: warning, hidden }: KbAnswer,
  { terminal, hint }: Shown,
): void {
  const columns = Math.min(terminal.width, 100);
  const isHeading = outcome === "related";
  const bold = (words: string) => terminal.style("bold", words);
  const lines = wrap(text, columns);
  const likely = citations[0] ? likelyWords(citations[0]) : "";
  for (const line of isHeading ? lines.map(bold) : boldIn(lines, likely, bold)) terminal.line(line);
  if (isHeading && hint !== undefined) for (const line of wrap(hint, columns)) terminal.note(line);
  for (const [at, citation] of citations.entries()) {
    terminal.line();
    showSource(citation, bold(`[${at + 1}]`), { terminal, columns: columns - 4 });
  }
  showHidden(hidden, terminal);
  if (isMessage(warning)) terminal.note(`\n${terminal.say(warning)}`);
}

function showSource(
  citation: KbAnswer["citations"][number],
  number: string,
  { terminal, columns }: { readonly terminal: Terminal; readonly columns: number },
): void {
  const [place = "", ...more] = wrap(describe(citation.location, terminal), columns);
  terminal.line(`${number} ${terminal.style("cyan", place)}`);
  for (const line of more) terminal.line(`    ${terminal.style("cyan", line)}`);
  const bold = (words: string) => terminal.style("bold", words);
  const lines = boldIn(wrap(citedText(citation), columns), likelyWords(citation), bold);
  for (const line of lines.slice(0, SHOWN_LINES)) terminal.line(`    ${line}`);
  if (lines.length > SHOWN_LINES) terminal.line(`    ${terminal.style("dim", "…")}`);
}

/** A local file with its page, or the address that the service returned. */
function describe(location: Location, { t }: Terminal): string {
  const { filename, page, slide, sheet } = location;
  if (filename === undefined) return firstAddress(location) ?? location.type ?? "";
  const place = describePlace({ page_num: page, slide_num: slide, sheet }, { t });
  const { number, cells = [] } = location.table ?? {};
  const table = number === undefined ? "" : t("table {0}", number);
  const read = location.ocr === true ? t("read by OCR") : "";
  const { uncertain = [], superseded_by } = location;
  const unsure = uncertain.length > 0 ? t("uncertain: {0}", uncertain.join(" ")) : "";
  const newer = superseded_by === undefined ? "" : t("there is a newer version");
  return [filename, place, table, cells.join(", "), read, unsure, newer]
    .filter((part) => part !== "")
    .join(", ");
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

type Citation = Pick<KbAnswer["citations"][number], "content" | "location">;

export function citedText({ content, location }: Citation): string {
  const { start = 0, quotes = [], table } = location;
  const rows = quotes.map((quote) => content.slice(quote.start - start, quote.end - start).trim());
  if (table !== undefined && rows.length > 0)
    return [`| ${table.header.join(" | ")} |`, ...rows].join("\n");
  const [first] = quotes;
  const at = first === undefined ? 0 : first.start - start;
  const line = content.lastIndexOf("\n", at) + 1;
  return line > 0 ? `… ${content.slice(line)}` : content;
}

/** The words that answer, or may answer; empty if none are marked. */
export function likelyWords({ content, location: { start = 0, span } }: Citation): string {
  return span
    ? content
        .slice(span.start - start, span.end - start)
        .replace(/\s+/g, " ")
        .trim()
    : "";
}

/** Makes the words bold where they first occur, also where a line breaks between them. */
export function boldIn(
  lines: readonly string[],
  words: string,
  bold: (words: string) => string,
): readonly string[] {
  const whole = lines.findIndex((line) => line.includes(words));
  if (words === "") return lines;
  if (whole >= 0)
    return lines.map((line, at) => (at === whole ? boldOnce(line, words, bold) : line));
  for (let cut = words.length - 1; cut > 0; cut--) {
    const [head, tail] = [words.slice(0, cut).trim(), words.slice(cut).trim()];
    const at = lines.findIndex(
      (line, number) => line.endsWith(head) && lines[number + 1]?.startsWith(tail),
    );
    if (at < 0 || head === "" || tail === "") continue;
    return lines.map((line, number) => {
      if (number === at) return line.slice(0, -head.length) + bold(head);
      return number === at + 1 ? bold(tail) + line.slice(tail.length) : line;
    });
  }
  return lines;
}

function boldOnce(line: string, words: string, bold: (words: string) => string): string {
  const at = line.indexOf(words);
  return line.slice(0, at) + bold(words) + line.slice(at + words.length);
}
