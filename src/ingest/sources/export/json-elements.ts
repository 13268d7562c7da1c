// The elements of a JSON array that may be larger than memory: each object in it is found by its brackets, and parsed
// alone.
import { KnowledgeError } from "../../../domain/errors.ts";
import { type MessageCode, toMessage } from "../../../domain/phrases/messages.ts";

/** Far more than the longest conversation; parsing so much takes half a second. */
const MAX_ELEMENT_BYTES = 32 * 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const CHANGES = new Map([..."[{]}"].map((each, at) => [each.charCodeAt(0), at < 2 ? 1 : -1]));

interface Scan {
  depth: number;
  isText: boolean;
  isEscaped: boolean;
  /** The parts of the element that is not complete yet. */
  parts: Uint8Array[];
  size: number;
}

export async function* elementsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const scan: Scan = { depth: 0, isText: false, isEscaped: false, parts: [], size: 0 };
  for await (const part of bytes) yield* elementsIn(part, scan);
  if (scan.depth !== 0 || scan.isText) throw damaged("exportCutOff");
}

function* elementsIn(part: Uint8Array, scan: Scan): Generator<unknown> {
  let start = scan.depth > 1 ? 0 : -1;
  for (let at = 0; at < part.length; at += 1) {
    const change = step(part[at] ?? 0, scan);
    if (change > 0 && scan.depth === 2) start = at;
    if (change < 0 && scan.depth === 1) {
      keep(part.subarray(start, at + 1), scan);
      start = -1;
      yield take(scan);
    }
  }
  if (start >= 0) keep(part.subarray(start), scan);
}

/** 1 if the byte opens an object or array, -1 if it closes one. */
function step(byte: number, scan: Scan): number {
  if (scan.isText) {
    if (scan.isEscaped) scan.isEscaped = false;
    else if (byte === BACKSLASH) scan.isEscaped = true;
    else if (byte === QUOTE) scan.isText = false;
    return 0;
  }
  if (byte === QUOTE) scan.isText = true;
  const change = CHANGES.get(byte) ?? 0;
  scan.depth += change;
  if (scan.depth < 0) throw damaged("exportBrackets");
  return change;
}

function keep(part: Uint8Array, scan: Scan): void {
  scan.size += part.byteLength;
  if (scan.size > MAX_ELEMENT_BYTES)
    throw new KnowledgeError("EXTRACTION_LIMIT", toMessage("exportEntry"));
  scan.parts.push(part);
}

function take(scan: Scan): unknown {
  const text = Buffer.concat(scan.parts).toString("utf8");
  Object.assign(scan, { parts: [], size: 0 });
  try {
    return JSON.parse(text);
  } catch {
    throw damaged("exportNotJson");
  }
}

function damaged(problem: MessageCode): KnowledgeError {
  return new KnowledgeError("CORRUPT_FILE", toMessage(problem));
}
