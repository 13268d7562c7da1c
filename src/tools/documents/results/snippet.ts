// Cuts found text to the size that the contract promises.
import { queryWords } from "../../../text/highlights.ts";

/** The part of `text` that holds the query's words, at most `maxChars` long, with an ellipsis where it is cut. */
export function snippet(text: string, query: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const room = maxChars - 2;
  const start = toWordStart(text, bestStart(text, query, room));
  const end = toPair(text, Math.min(text.length, start + room));
  const head = start === 0 ? "" : "…";
  const tail = end === text.length ? "" : "…";
  return `${head}${text.slice(start, end)}${tail}`;
}

/** The window with the most different words of the query. */
function bestStart(text: string, query: string, room: number): number {
  const lower = text.toLowerCase();
  const places = queryWords(query.toLowerCase())
    .flatMap((word) => {
      const at = lower.indexOf(word);
      return at < 0 ? [] : [at];
    })
    .sort((a, b) => a - b);
  let best = 0;
  let most = 0;
  for (const [index, at] of places.entries()) {
    const count = places.slice(index).filter((place) => place < at + room * 0.8).length;
    if (count > most) {
      most = count;
      best = at;
    }
  }
  // A little text before the words gives them context.
  return Math.max(0, Math.min(best - Math.floor(room * 0.2), text.length - room));
}

function toWordStart(text: string, at: number): number {
  if (at === 0) return 0;
  const space = text.slice(at, at + 30).search(/\s/);
  return space < 0 ? toPair(text, at) : at + space + 1;
}

function toPair(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
