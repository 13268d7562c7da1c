// Answers from search results without a language model: quoted sentences, table cells or form fields, whichever has the
// highest confidence.
import type { Passage } from "../domain/passage.ts";
import type { AnswerOutcome } from "./answer.ts";
import { hasRequiredForm } from "./asked/required-forms.ts";
import type { WordSimilarity } from "./asked/word-coverage.ts";
import { type Claim, cite, toCitation } from "./citations.ts";
import { type Confidence, confidenceOf } from "./confidence/confidence.ts";
import type {
  FormSignals,
  OtherLanguageSignal,
  QuoteSignal,
  QuoteSignals,
  TableSignals,
} from "./confidence/signals.ts";
import { FORM, OTHER_LANGUAGE, QUOTE, RELATED, TABLE } from "./confidence/weights.ts";
import type { DocumentReader, Library } from "./document-reader.ts";
import { answerFromForms } from "./form/answer-form.ts";
import { readFields } from "./form/fields.ts";
import { noteOtherLanguage, sayNothing, sayRelated } from "./phrases.ts";
import { type Quote, quote } from "./quote/quote.ts";
import type { QuestionSimilarity } from "./quote/score-sentences.ts";
import { type KnownDocument, openReadingCache, type ReadingCache } from "./reading-cache.ts";
import { answerFromTables } from "./table/answer-table.ts";
import { readTableQuestion } from "./table/table-question.ts";

/** What answers need in addition to the passages. */
export interface Reading {
  readonly documents: DocumentReader;
  /** Encodes all languages into one vector space; absent if the encoder is not installed. */
  readonly encode?: ((text: string) => Float32Array) | undefined;
  /** Cache shared between questions; without it nothing is cached. */
  readonly cache?: ReadingCache;
}

export interface FoundPassages {
  readonly query: string;
  readonly found: readonly Passage[];
  readonly maxResults: number;
}

interface Found<Way extends string, Signals> {
  readonly way: Way;
  readonly claims: readonly Claim[];
  readonly signals: Signals;
}

export type Candidate =
  | Found<"quote", QuoteSignals>
  | Found<"otherLanguage", QuoteSignals>
  | Found<"table", TableSignals>
  | Found<"form", FormSignals>;

export interface WayModels {
  readonly quote: Confidence<QuoteSignal>;
  readonly otherLanguage: Confidence<OtherLanguageSignal>;
  readonly table: Confidence<keyof TableSignals>;
  readonly form: Confidence<keyof FormSignals>;
}

const MODELS: WayModels = {
  quote: QUOTE,
  otherLanguage: OTHER_LANGUAGE,
  table: TABLE,
  form: FORM,
};

export async function answerFromPassages(
  asked: FoundPassages,
  reading: Reading,
): Promise<AnswerOutcome> {
  const { candidates, quoted } = await gatherCandidates(asked, reading);
  const best = mostConfident(candidates);
  const passages = asked.found.slice(0, asked.maxResults);
  if (!best) return withoutAnswer(asked.query, passages, quoted);
  const { answer, citations } = cite(fromFirst(best.claims, asked.maxResults));
  const cited = new Set(citations.map(({ location }) => location["chunk_id"]));
  return {
    answer: best.way === "otherLanguage" ? noteOtherLanguage(asked.query, answer) : answer,
    citations,
    related: passages
      .filter(({ chunkId }) => !cited.has(chunkId))
      .map((one) => closest(one, quoted)),
    outcome: "answered",
    grounded: true,
    kind: best.way === "table" || best.way === "form" ? "table" : "quote",
  };
}

/** The claims from the first sources, all of each: a list of steps is not cut off. */
function fromFirst(claims: readonly Claim[], maxSources: number): readonly Claim[] {
  const sources = [...new Set(claims.map(({ passage }) => passage.chunkId))].slice(0, maxSources);
  return claims.filter(({ passage }) => sources.includes(passage.chunkId));
}

/** Tries every way and compares their confidence: a table row can also look like a sentence. */
export async function gatherCandidates(
  { query, found, maxResults }: FoundPassages,
  { documents, encode, cache = openReadingCache() }: Reading,
): Promise<{ readonly candidates: readonly Candidate[]; readonly quoted: Quote | undefined }> {
  const questionSimilarity = encode && toQuestionSimilarity(query, encode, cache);
  const wordSimilarity = encode && toWordSimilarity(encode, cache);
  const library = openLibrary(documents, cache);
  // The store reads the documents while this thread scores sentences.
  const question = readTableQuestion(query);
  const whole = Promise.all([
    answerFromTables(question, found, library),
    answerFromForms(question, found, library),
  ]);
  whole.catch(() => undefined);
  const quoted = quote(query, { found, maxResults, questionSimilarity, wordSimilarity, cache });
  const [tables, forms] = await whole;
  const way = quoted?.isOtherLanguage ? ("otherLanguage" as const) : ("quote" as const);
  const candidates: Candidate[] = [
    ...(quoted && quoted.claims.length > 0 ? [{ way, ...quoted }] : []),
    ...tables.map((table) => ({ way: "table" as const, ...table })),
    ...forms.map((form) => ({ way: "form" as const, ...form })),
  ];
  return { candidates: candidates.filter(({ claims }) => hasRequiredForm(query, claims)), quoted };
}

function toQuestionSimilarity(
  query: string,
  encode: (text: string) => Float32Array,
  cache: ReadingCache,
): QuestionSimilarity {
  const own = encode(query);
  return (text) => cosine(own, cache.vector(text, encode));
}

function toWordSimilarity(
  encode: (text: string) => Float32Array,
  cache: ReadingCache,
): WordSimilarity {
  return (one, other) => cosine(cache.word(one, encode), cache.word(other, encode));
}

function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

/** Each document is read once, even if it is requested again before it has been read. */
function openLibrary(documents: DocumentReader, cache: ReadingCache): Library {
  const asked = new Map<string, Promise<KnownDocument | undefined>>();
  return {
    chunksOf: (id) => documents.chunksOf(id),
    fieldsOf: (passage) => cache.passage(passage, "fields", ({ text }) => readFields(text)),
    known(passage) {
      const { documentId: id } = passage;
      const known = asked.get(id) ?? cache.document(passage, () => documents.extracted(id));
      asked.set(id, known);
      // Several are read at once and awaited in turn: if the first fails, nobody waits for the others.
      known.catch(() => undefined);
      return known;
    },
  };
}

export function mostConfident(
  candidates: readonly Candidate[],
  models: WayModels = MODELS,
): Candidate | undefined {
  const sure = candidates
    .map((candidate) => ({ candidate, by: confidenceIn(candidate, models) }))
    .filter(({ candidate, by }) => by >= models[candidate.way].least)
    .sort((a, b) => b.by - a.by)
    .map(({ candidate }) => candidate);
  const [best] = sure;
  if (best?.way !== "quote") return best;
  // The quote may be a whole row or receipt. The cell or field inside it is the actual answer.
  const better = (other: Candidate) => isMoreSpecific(other, best) || matchesMore(other, best);
  return sure.find((other) => other.way !== "quote" && better(other)) ?? best;
}

function confidenceIn(candidate: Candidate, models: WayModels): number {
  switch (candidate.way) {
    case "quote":
      return confidenceOf(models.quote, candidate.signals);
    case "otherLanguage":
      return confidenceOf(models.otherLanguage, candidate.signals);
    case "table":
      return confidenceOf(models.table, candidate.signals);
    case "form":
      return confidenceOf(models.form, candidate.signals);
  }
}

type QuoteCandidate = Extract<Candidate, { readonly way: "quote" }>;

/** The quoted row shares only some words with the question, while another table matches all of them. */
function matchesMore(other: Candidate, { claims, signals }: QuoteCandidate): boolean {
  if (other.way !== "table" || claims[0]?.isRow !== true) return false;
  return other.signals.explained === 1 && signals.covered !== 1;
}

/** A cell or field inside the quote, or a field of the same document that the question names. */
function isMoreSpecific(other: Candidate, quoted: QuoteCandidate): boolean {
  if (isInside(other.claims, quoted.claims)) return true;
  const same = other.claims[0]?.passage.documentId === quoted.claims[0]?.passage.documentId;
  if (other.way !== "form" || !same) return false;
  return other.signals.head === 1 && other.signals.shaped === 1;
}

function isInside(inner: readonly Claim[], outer: readonly Claim[]): boolean {
  const [a, b] = [inner[0], outer[0]];
  if (!a || !b || a.passage.documentId !== b.passage.documentId) return false;
  if (b.isRow) return true;
  return a.spans.every(({ start, end }) =>
    b.spans.some((span) => span.start <= start && span.end >= end),
  );
}

/** Returns the closest passages if they are about the question's subject, else none. */
function withoutAnswer(
  query: string,
  passages: readonly Passage[],
  quoted: Quote | undefined,
): AnswerOutcome {
  const near = isNear(passages, quoted);
  const shown = withNaming(withoutWeak(passages), quoted?.naming);
  const citations = near ? shown.map((passage) => closest(passage, quoted)) : [];
  const answer = near ? sayRelated(query) : sayNothing(query);
  return {
    answer,
    citations,
    related: [],
    outcome: near ? "related" : "nothing",
    grounded: false,
    kind: "quote",
  };
}

/** True if the sentences or the search say so; the search also knows names, and pictures without sentences. */
function isNear(passages: readonly Passage[], quoted: Quote | undefined): boolean {
  if (passages.some(({ strength }) => strength !== "weak")) return true;
  return quoted !== undefined && confidenceOf(RELATED, quoted.signals) >= RELATED.least;
}

/** Weak passages are shown only if there is nothing better. */
function withoutWeak(passages: readonly Passage[]): readonly Passage[] {
  const better = passages.filter(({ strength }) => strength !== "weak");
  return better.length > 0 ? better : passages;
}

/** A later passage whose file the question names replaces the last one shown. */
function withNaming(passages: readonly Passage[], naming: Passage | undefined): readonly Passage[] {
  return naming && passages.length > 1 ? [...passages.slice(0, -1), naming] : passages;
}

/** Cites a passage with its best sentence marked. */
function closest(passage: Passage, quoted: Quote | undefined) {
  const best = quoted?.closest.find((claim) => claim.passage === passage);
  return toCitation(passage, best?.spans ?? []);
}
