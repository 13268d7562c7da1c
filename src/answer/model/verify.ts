// Checks a model's statements against the passages they quote, and drops what the quote does not support.
import type { Passage } from "../../domain/passage.ts";
import { isJapanese } from "../../text/scripts.ts";
import { sentences } from "../../text/sentences.ts";
import { keysOf, type Word, words } from "../../text/words.ts";
import { type Claim, findQuote, type Span } from "../citations.ts";
import { addressesModel } from "./injection.ts";

const MAX_CLAIMS = 20;
const MAX_STATEMENT = 2_000;
/** This share of a statement's content words must be in the quoted sentences or in the question. */
const MIN_SUPPORTED = 0.6;
const MIN_QUOTE_LETTERS = 2;

export function verify(
  claims: readonly unknown[],
  query: string,
  passages: readonly Passage[],
): readonly Claim[] {
  const asked = keysOf(words(query));
  const kept: Claim[] = [];
  for (const claim of claims.slice(0, MAX_CLAIMS)) {
    const verified = verifyOne(claim, asked, passages);
    if (verified && !kept.some(({ text }) => text === verified.text)) kept.push(verified);
  }
  return kept;
}

function verifyOne(
  claim: unknown,
  asked: ReadonlySet<string>,
  passages: readonly Passage[],
): Claim | undefined {
  const { text, passage: number, quote } = (claim ?? {}) as Record<string, unknown>;
  if (typeof text !== "string" || typeof quote !== "string" || text.length > MAX_STATEMENT)
    return undefined;
  const statement = text.replace(/\s*\[\d+\]/g, "").trim();
  if (statement === "" || (quote.match(/[\p{L}\p{N}]/gu) ?? []).length < MIN_QUOTE_LETTERS)
    return undefined;
  const found = locate(quote, passages, typeof number === "number" ? number : 0);
  if (!found || addressesModel(found.context) || addressesModel(statement)) return undefined;
  // Words of two scripts cannot be compared, so the source's own words replace a translation.
  if (isJapanese(statement) !== isJapanese(found.context))
    return { text: found.context, passage: found.passage, spans: [found.around] };
  if (!isSupported(words(statement), keysOf(words(found.context)), asked)) return undefined;
  return { text: statement, passage: found.passage, spans: [found.span] };
}

interface LocatedQuote {
  readonly passage: Passage;
  readonly span: Span;
  /** The whole sentences that the quote overlaps. */
  readonly around: Span;
  readonly context: string;
}

/**
 * Looks in the numbered passage first, then in the others: a genuine quote with a wrong number
 * still counts.
 */
function locate(
  quote: string,
  passages: readonly Passage[],
  number: number,
): LocatedQuote | undefined {
  const named = passages[number - 1];
  for (const passage of named ? [named, ...passages] : passages) {
    const span = findQuote(passage.text, quote);
    if (!span) continue;
    const touched = sentences(passage.text).filter(
      ({ start, end }) => start < span.end && end > span.start,
    );
    const around = {
      start: Math.min(span.start, touched[0]?.start ?? span.start),
      end: Math.max(span.end, touched.at(-1)?.end ?? span.end),
    };
    return { passage, span, around, context: passage.text.slice(around.start, around.end) };
  }
  return undefined;
}

/** A number or name that is in neither the source nor the question is made up, even if the rest fits. */
function isSupported(
  statement: readonly Word[],
  source: ReadonlySet<string>,
  asked: ReadonlySet<string>,
): boolean {
  const content = statement.filter((word) => word.content);
  if (
    content.some(
      ({ number, proper, key }) => (number || proper) && !source.has(key) && !asked.has(key),
    )
  )
    return false;
  const known = content.filter(({ key }) => source.has(key) || asked.has(key)).length;
  // At least one word must come from the source, not only from the question.
  const fromSource = statement.some(({ key }) => source.has(key));
  return fromSource && known >= content.length * MIN_SUPPORTED;
}
