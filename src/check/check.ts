// Does a search still find what it found? Questions are pinned by people or made from the documents; a run compares
// with the runs before it.

import { defined } from "../domain/defined.ts";
import type { ExtractedDocument, StoredDocument } from "../domain/document.ts";
import { KnowledgeError } from "../domain/errors.ts";
import type { DocumentStore } from "../store/store.ts";
import { countDocuments, type MadeQuestion, makeQuestions } from "./make-questions.ts";
import { type Encode, openOtherWords } from "./other-words.ts";
import { type Question, toQuestion } from "./question.ts";
import { append, type QuestionLog, type Run, readQuestionLog, type Score } from "./question-log.ts";
import { ask, type RunParts, type Step, scoreOf, type Verdict } from "./run-questions.ts";

export type { Question } from "./question.ts";

export interface CheckParts extends RunParts {
  readonly documents: Pick<DocumentStore, "get" | "chunksOf" | "list" | "extracted">;
  readonly path: string;
  /** A word's meaning as a vector, for questions that do not repeat the document's words. */
  readonly encode?: Encode | undefined;
}

interface MakeParts {
  readonly documents: Pick<DocumentStore, "extracted">;
  readonly encode?: Encode | undefined;
}

export interface Lost extends Question {
  readonly step: Step;
  /** Found before, or pinned; a made question that was never found is no loss. */
  readonly isLoss: boolean;
}

export interface CheckState {
  readonly questions: readonly Question[];
  readonly last?: CheckReport;
  /** Of the latest runs, oldest first. */
  readonly scores: readonly Score[];
}

export interface CheckReport {
  readonly at: string;
  readonly score: number;
  /** Of the run before. */
  readonly before?: number;
  readonly asked: number;
  readonly found: number;
  /** Losses first. */
  readonly lost: readonly Lost[];
}

export interface Pin {
  readonly question: string;
  readonly documentId: string;
  readonly phrase?: string;
}

export interface RunOptions {
  /** Takes what is not found now as it is. */
  readonly accept?: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

const MAX_QUESTIONS = 2_000;

export function openCheck(parts: CheckParts) {
  const { documents, path } = parts;
  return {
    async state(): Promise<CheckState> {
      const known = await readQuestionLog(path);
      const questions = [...known.questions.values()];
      const { scores, last } = known;
      return { questions, scores, ...(last && { last: reportOf(known, last) }) };
    },
    async pin({ question, documentId, phrase }: Pin): Promise<Question> {
      const document = await documents.get(documentId);
      if (document === undefined)
        throw new KnowledgeError(
          "DOCUMENT_NOT_FOUND",
          "The document is not in this knowledge base.",
        );
      const { filename } = document;
      const asked = { question, kind: "pinned" as const, documentId, filename };
      const pinned = toQuestion({ ...asked, ...(phrase && { phrase }) });
      await add(path, [pinned]);
      return pinned;
    },
    async remove(ids: readonly string[]): Promise<number> {
      const { questions } = await readQuestionLog(path);
      const known = ids.filter((id) => questions.has(id));
      if (known.length > 0) await append(path, { remove: known });
      return known.length;
    },
    make: (count: number) => make(parts, count),
    run: (options: RunOptions) => run(parts, options),
  };
}

export type Check = ReturnType<typeof openCheck>;

/** Adds questions until `count` are made ones; those of removed documents go. */
async function make(parts: CheckParts, count: number): Promise<number> {
  const { documents, path } = parts;
  const { questions } = await readQuestionLog(path);
  const all = await everyDocument(documents);
  const ids = new Set(all.map(({ id }) => id));
  const made = [...questions.values()].filter(({ kind }) => kind !== "pinned");
  const gone = made.filter(({ documentId }) => !ids.has(documentId)).map(({ id }) => id);
  if (gone.length > 0) await append(path, { remove: gone });
  const fresh = await chooseQuestions(parts, all, count);
  const room = Math.max(0, count - made.length + gone.length);
  const added = fresh.filter(({ id }) => !questions.has(id)).slice(0, room);
  if (added.length > 0) await add(path, added);
  return added.length;
}

async function run(parts: CheckParts, options: RunOptions): Promise<CheckReport> {
  const { accept = false } = options;
  const { questions } = await readQuestionLog(parts.path);
  const verdicts = await askAll(parts, [...questions.values()], options);
  // Others may have changed it meanwhile.
  const { found, last } = await readQuestionLog(parts.path);
  const done = toRun(verdicts);
  if (questions.size > 0)
    await append(parts.path, { run: { ...done, ...(accept && { accepted: true }) } });
  const report = reportOf({ questions, found }, done, accept);
  return { ...report, ...(last && { before: last.score }) };
}

async function add(path: string, questions: readonly Question[]): Promise<void> {
  const { questions: known } = await readQuestionLog(path);
  if (known.size + questions.length > MAX_QUESTIONS)
    throw new KnowledgeError(
      "INVALID_PARAMETER",
      `There may be ${MAX_QUESTIONS} questions; remove some first.`,
    );
  await append(path, { add: [...questions] });
}

const PER_PAGE = 1_000;

async function everyDocument({ list }: CheckParts["documents"]) {
  const found: StoredDocument[] = [];
  for (;;) {
    const page = { limit: PER_PAGE, offset: found.length } as const;
    const { documents, total } = await list({ ...page, sortBy: "filename", sortOrder: "asc" });
    found.push(...documents);
    if (found.length >= total || documents.length === 0) return found;
  }
}

// Who finds a document of a page or less has found every place in it.
const SHORT = 2_000;

/** Spread over the documents, and in each over its text; a question that two places would answer asks for neither. */
export async function chooseQuestions(
  { documents, encode }: MakeParts,
  all: readonly Pick<StoredDocument, "id" | "filename">[],
  count: number,
): Promise<readonly Question[]> {
  // A few more than needed, because some documents have nothing to ask about.
  const step = Math.max(1, all.length / (count * 1.5));
  const read = all.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
  const each = Math.max(1, Math.ceil((2 * count) / Math.max(1, read.length)));
  const texts = new Map<Pick<StoredDocument, "id" | "filename">, ExtractedDocument>();
  for (const document of read) {
    const text = await documents.extracted(document.id);
    if (text) texts.set(document, text);
  }
  const frequencies = countDocuments([...texts.values()]);
  const otherWord = encode ? openOtherWords(encode, frequencies) : () => undefined;
  const byText = new Map<string, Question[]>();
  for (const [{ id: documentId, filename }, text] of texts) {
    for (const { phrase, ...made } of spread(
      makeQuestions(text, { frequencies, otherWord }),
      each,
    )) {
      const isLong = text.text.length > SHORT;
      const expected = { documentId, filename, ...(isLong && defined({ phrase })) };
      const question = toQuestion({ ...made, ...expected });
      byText.set(made.question, [...(byText.get(made.question) ?? []), question]);
    }
  }
  const only = [...byText.values()].flatMap((same) => (same.length === 1 ? same : []));
  return spread(only, count);
}

/** At most `count` of them, at even distances. */
function spread<Each extends MadeQuestion>(all: readonly Each[], count: number): readonly Each[] {
  if (all.length <= count) return all;
  return Array.from(
    { length: count },
    (_, at) => all[Math.floor((at * all.length) / count)] as Each,
  );
}

type Watch = Pick<RunOptions, "signal" | "onProgress">;

async function askAll(parts: CheckParts, questions: readonly Question[], watch: Watch) {
  const verdicts = new Map<string, Verdict>();
  for (const question of questions) {
    watch.signal.throwIfAborted();
    verdicts.set(question.id, await ask(parts, question, watch.signal));
    watch.onProgress(verdicts.size, questions.length);
  }
  return verdicts;
}

function toRun(verdicts: ReadonlyMap<string, Verdict>): Run {
  const ranks: Record<string, number> = {};
  const lost: Record<string, Step> = {};
  for (const [id, verdict] of verdicts) {
    if ("rank" in verdict) ranks[id] = verdict.rank;
    else lost[id] = verdict.lost;
  }
  const at = new Date().toISOString();
  return { at, score: scoreOf([...verdicts.values()]), ranks, lost };
}

function reportOf(
  { questions, found }: Pick<QuestionLog, "questions" | "found">,
  run: Run,
  accepted = false,
): CheckReport {
  const lost = Object.entries(run.lost).flatMap(([id, step]): readonly Lost[] => {
    const question = questions.get(id);
    if (question === undefined || step === "gone") return [];
    const isLoss = !accepted && (found.has(id) || question.kind === "pinned");
    return [{ ...question, step, isLoss }];
  });
  const answered = Object.keys(run.ranks).length;
  return {
    at: run.at,
    score: run.score,
    asked: answered + lost.length,
    found: answered,
    lost: lost.sort((a, b) => Number(b.isLoss) - Number(a.isLoss)),
  };
}
