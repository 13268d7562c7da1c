// Answers from what a search found, without a model: a sentence, a table's cells or a form's field, whichever is surest.
import type { Passage } from "../domain/passage.ts";
import type { AnswerOutcome } from "./answer.ts";
import { type Claim, cite, toCitation } from "./citations.ts";
import { type Confidence, confidenceOf } from "./confidence.ts";
import type { DocumentReader } from "./documents.ts";
import { answerFromForms } from "./form/answer-form.ts";
import { noteAbroad, sayNothing, sayRelated } from "./notices.ts";
import type { Likeness } from "./quote/evidence.ts";
import { type Quote, quote } from "./quote/quote.ts";
import { answerFromTables, readTableQuestion } from "./table/answer-table.ts";
import { ABROAD, FORM, QUOTE, RELATED, TABLE } from "./weights.ts";

/** What answers need beside the passages. */
export interface Reading {
  readonly documents: DocumentReader;
  /** Encodes any language into one space; absent where it is not shipped. */
  readonly encode?: ((text: string) => Float32Array) | undefined;
}

export interface FoundPassages {
  readonly query: string;
  readonly found: readonly Passage[];
  readonly maxResults: number;
}

export interface Candidate {
  readonly way: "quote" | "abroad" | "table" | "form";
  readonly claims: readonly Claim[];
  readonly signals: object;
}

const MODELS: Readonly<Record<Candidate["way"], Confidence>> = {
  quote: QUOTE,
  abroad: ABROAD,
  table: TABLE,
  form: FORM,
};

export async function answerFromPassages(
  asked: FoundPassages,
  reading: Reading,
): Promise<AnswerOutcome> {
  const { candidates, quoted } = await gatherCandidates(asked, reading);
  const best = surest(candidates);
  const passages = asked.found.slice(0, asked.maxResults);
  if (!best) return withoutAnswer(asked.query, passages, quoted);
  const { answer, citations } = cite(best.claims.slice(0, asked.maxResults));
  const cited = new Set(citations.map(({ location }) => location["chunk_id"]));
  return {
    answer: best.way === "abroad" ? noteAbroad(asked.query, answer) : answer,
    citations,
    related: passages
      .filter(({ chunkId }) => !cited.has(chunkId))
      .map((one) => closest(one, quoted)),
    outcome: "answered",
    grounded: true,
    kind: best.way === "table" || best.way === "form" ? "table" : "quote",
  };
}

/** All ways are tried: a table's words also make a sentence of sorts, and only figures tell which is right. */
export async function gatherCandidates(
  { query, found, maxResults }: FoundPassages,
  { documents, encode }: Reading,
): Promise<{ readonly candidates: readonly Candidate[]; readonly quoted: Quote | undefined }> {
  const likeness = encode && toLikeness(query, encode);
  const quoted = quote(query, { found, maxResults, likeness });
  const once = readOnce(documents);
  const tables = await answerFromTables(query, found, once);
  const forms = await answerFromForms(readTableQuestion(query), found, once);
  const candidates: Candidate[] = [
    ...(quoted && quoted.claims.length > 0 ? [{ way: wayOf(quoted), ...quoted }] : []),
    ...tables.map((table) => ({ way: "table" as const, ...table })),
    ...forms.map((form) => ({ way: "form" as const, ...form })),
  ];
  return { candidates, quoted };
}

function wayOf({ abroad }: Quote): Candidate["way"] {
  return abroad ? "abroad" : "quote";
}

function toLikeness(query: string, encode: (text: string) => Float32Array): Likeness {
  const own = encode(query);
  return (text) => {
    const other = encode(text);
    let sum = 0;
    for (let at = 0; at < own.length; at++) sum += (own[at] ?? 0) * (other[at] ?? 0);
    return sum;
  };
}

/** Tables and forms look at the same documents. */
function readOnce(documents: DocumentReader): DocumentReader {
  const read = new Map<string, ReturnType<DocumentReader["extracted"]>>();
  return {
    chunksOf: (id) => documents.chunksOf(id),
    extracted(id) {
      const known = read.get(id) ?? documents.extracted(id);
      read.set(id, known);
      return known;
    },
  };
}

function surest(candidates: readonly Candidate[]): Candidate | undefined {
  const sure = candidates
    .map((candidate) => ({ candidate, by: confidenceOf(MODELS[candidate.way], candidate.signals) }))
    .filter(({ candidate, by }) => by >= MODELS[candidate.way].least)
    .sort((a, b) => b.by - a.by)
    .map(({ candidate }) => candidate);
  const [best] = sure;
  if (best?.way !== "quote") return best;
  // A row or a whole receipt may be quoted too: the cell or field in it says which of its words are meant.
  return sure.find((other) => other.way !== "quote" && isNearer(other, best)) ?? best;
}

/** Inside of what is quoted, or the field of the same document that is asked for by its name. */
function isNearer(other: Candidate, quoted: Candidate): boolean {
  if (isInside(other.claims, quoted.claims)) return true;
  const { head, shaped } = other.signals as { readonly head?: number; readonly shaped?: number };
  const same = other.claims[0]?.passage.documentId === quoted.claims[0]?.passage.documentId;
  return other.way === "form" && same && head === 1 && shaped === 1;
}

function isInside(inner: readonly Claim[], outer: readonly Claim[]): boolean {
  const [a, b] = [inner[0], outer[0]];
  if (!a || !b || a.passage.documentId !== b.passage.documentId) return false;
  if (b.isRow) return true;
  return a.spans.every(({ start, end }) =>
    b.spans.some((span) => span.start <= start && span.end >= end),
  );
}

/** The closest passages where they are about the question's subject at all. */
function withoutAnswer(
  query: string,
  passages: readonly Passage[],
  quoted: Quote | undefined,
): AnswerOutcome {
  const near = quoted !== undefined && confidenceOf(RELATED, quoted.signals) >= RELATED.least;
  const shown = withNaming(passages, quoted?.naming);
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

/** What the question names and none of the first passages does: one that does takes the last place. */
function withNaming(passages: readonly Passage[], naming: Passage | undefined): readonly Passage[] {
  return naming && passages.length > 1 ? [...passages.slice(0, -1), naming] : passages;
}

/** A passage with its best sentence marked. */
function closest(passage: Passage, quoted: Quote | undefined) {
  const best = quoted?.closest.find((claim) => claim.passage === passage);
  return toCitation(passage, best?.spans ?? []);
}
