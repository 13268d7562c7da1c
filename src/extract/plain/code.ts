// Source code and configuration: kept as it is, cut where functions, classes and sections begin.
import { clean } from "../../text/clean/clean.ts";
import type { ReadContext, ReadOutcome } from "../reader.ts";
import { type Declaration, declarationsOf, isComment } from "./declarations.ts";
import { rawText } from "./raw-text.ts";

interface Part {
  readonly heading?: Declaration;
  readonly from: number;
}

// Shorter parts, such as one-line functions or lists of keys, get no heading.
const MIN_LINES = 3;

export function readCode({ bytes, filename, out }: ReadContext): ReadOutcome {
  const lines = clean(rawText({ bytes, out })).split("\n");
  const parts = partsOf(lines, declarationsOf(filename));
  for (const [at, { heading, from }] of parts.entries()) {
    if (heading !== undefined) out.heading(heading.level, heading.name);
    out.code(lines.slice(from, parts[at + 1]?.from ?? lines.length).join("\n"));
  }
  out.report("text");
  return { method: "text_extraction", title: /[^/\\]*$/.exec(filename)?.[0] ?? filename };
}

/** Lines of a log have no structure; only neighbouring lines belong together. */
export function readLog({ bytes, out }: ReadContext): ReadOutcome {
  out.code(clean(rawText({ bytes, out })));
  out.report("text");
  return { method: "text_extraction" };
}

function partsOf(
  lines: readonly string[],
  declarationIn: (line: string) => Declaration | undefined,
): readonly Part[] {
  const parts: Part[] = [{ from: 0 }];
  const isInside = openCommentBlocks();
  for (const [at, line] of lines.entries()) {
    const heading = isInside(line) ? undefined : declarationIn(line);
    if (heading === undefined) continue;
    const from = withComments(lines, at);
    const last = parts.at(-1);
    if (last !== undefined && from - last.from < MIN_LINES && last.heading !== undefined) continue;
    parts.push({ heading, from });
  }
  return parts;
}

function withComments(lines: readonly string[], at: number): number {
  let from = at;
  while (from > 0 && isComment(lines[from - 1] ?? "")) from -= 1;
  return from;
}

const ENDS = new Map(Object.entries({ "/*": "*/", '"""': '"""', "'''": "'''" }));
const OPENS = /^\s*(?:[rbfu]{0,2}|.*[=(,]\s*[rbfu]{0,2})("""|''')|^\s*(\/\*)/i;

/**
 * Call it for each line: returns whether the line is inside a block comment or a multi-line string,
 * in which words look like declarations. The line that opens a block is not, the line that ends it is.
 */
function openCommentBlocks(): (line: string) => boolean {
  let end: string | undefined;
  return (line) => {
    if (end !== undefined) {
      if (line.includes(end)) end = undefined;
      return true;
    }
    const found = OPENS.exec(line);
    const opened = found?.[1] ?? found?.[2];
    if (found === null || opened === undefined) return false;
    const closing = ENDS.get(opened) ?? opened;
    if (!line.includes(closing, found[0].length)) end = closing;
    return false;
  };
}
