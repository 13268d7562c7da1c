// Bounded JSON parsing: scans the bytes first, so a value that is too deep or too large is never built. Linear in the
// input, and without recursion.

/** Far above what any protocol message needs, far below what would delay other callers. */
export const JSON_BOUNDS = {
  depth: 64,
  /** Counts each element, member, list and object. */
  values: 100_000,
  /** Counts the members of all objects together. */
  keys: 50_000,
  keysOfOneObject: 2_000,
} as const;

export type BoundedJson =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "not-json" }
  | { readonly kind: "out-of-bounds"; readonly reason: string };

export function parseBounded(bytes: Buffer): BoundedJson {
  const reason = excessOf(bytes);
  if (reason !== undefined) return { kind: "out-of-bounds", reason };
  try {
    return { kind: "value", value: JSON.parse(bytes.toString("utf8")) };
  } catch {
    return { kind: "not-json" };
  }
}

/**
 * Outside strings, brackets determine the depth, colons the members and commas the values. For text that is not JSON
 * the counts are meaningless; the parser refuses it afterwards.
 */
function excessOf(bytes: Buffer): string | undefined {
  const counts: Counts = { depth: 0, values: 1, keys: 0, keysAt: [0] };
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (DEPTH[byte] === 1) {
      counts.keysAt[++counts.depth] = 0;
      counts.values++;
    } else if (DEPTH[byte] === -1) counts.depth = Math.max(0, counts.depth - 1);
    else if (byte === COMMA) counts.values++;
    else if (byte === COLON) {
      counts.keysAt[counts.depth] = (counts.keysAt[counts.depth] ?? 0) + 1;
      counts.keys++;
    } else continue;
    const excess = excessIn(counts);
    if (excess !== undefined) return excess;
  }
  return undefined;
}

interface Counts {
  depth: number;
  values: number;
  keys: number;
  /** The members so far of each object that is open at this position. */
  readonly keysAt: number[];
}

function excessIn({ depth, values, keys, keysAt }: Counts): string | undefined {
  if (depth > JSON_BOUNDS.depth) return TOO_DEEP;
  if ((keysAt[depth] ?? 0) > JSON_BOUNDS.keysOfOneObject) return TOO_WIDE;
  return values > JSON_BOUNDS.values || keys > JSON_BOUNDS.keys ? TOO_MANY : undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
/** What brackets do to the depth: those of lists and of objects. */
const DEPTH: Readonly<Record<number, 1 | -1>> = { 91: 1, 93: -1, 123: 1, 125: -1 };

const TOO_DEEP = `The message is nested deeper than ${JSON_BOUNDS.depth} levels. Use fewer levels.`;
const TOO_WIDE = `An object of the message has more than ${JSON_BOUNDS.keysOfOneObject} members. Send fewer.`;
const TOO_MANY = `The message has more than ${JSON_BOUNDS.values} values or ${JSON_BOUNDS.keys} members. Send it in parts.`;

/** The position of the quote that ends the string opened at `at`, or the end of the bytes if there is none. */
function endOfString(bytes: Buffer, at: number): number {
  for (let next = at + 1; next < bytes.length; next++) {
    const byte = bytes[next];
    if (byte === QUOTE) return next;
    if (byte === BACKSLASH) next += 1;
  }
  return bytes.length;
}

/**
 * Finds the id of a message that is refused before parsing, so its sender learns which request failed. Clients often put
 * it last, so all members of the outermost object are checked.
 */
export function findId(bytes: Buffer): string | number | null {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    depth += DEPTH[byte] ?? 0;
    if (byte === QUOTE) {
      const end = endOfString(bytes, at);
      const found = depth === 1 && end - at === 3 ? idAt(bytes, at) : undefined;
      if (found !== undefined) return found;
      at = end;
    }
  }
  return null;
}

const MAX_ID_BYTES = 200;

function idAt(bytes: Buffer, at: number): string | number | undefined {
  const text = bytes.toString("utf8", at, at + MAX_ID_BYTES);
  const member = /^"id"\s*:\s*(-?\d{1,15}|"[^"\\]*")\s*[,}]/.exec(text)?.[1];
  return member === undefined ? undefined : (JSON.parse(member) as string | number);
}
