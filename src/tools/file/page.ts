import type { Success } from "../contract.ts";
import type { GET_KB_CONTENT } from "./contract.ts";

/** Consecutive pages add up to the whole text, and none splits a surrogate pair. */
export function page(
  text: string,
  offset: number,
  length = text.length,
): Success<typeof GET_KB_CONTENT> {
  const start = toBoundary(text, offset);
  const end = toBoundary(text, offset + length);
  const content = text.slice(start, end);
  return {
    status: text === "" ? "empty" : "ok",
    contentLength: content.length,
    content,
    offset: start,
    totalLength: text.length,
    ...(end < text.length ? { nextOffset: end } : {}),
  };
}

function toBoundary(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const inside = isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at));
  return inside ? at - 1 : at;
}

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
