// `@path` alone on a line in AGENTS.md or CLAUDE.md includes that file's text.
import { dirname, resolve } from "node:path";
import type { Refusal } from "../formats/rules.ts";
import { MAX_TEXT_BYTES, readInside } from "../walk.ts";
import { forEachOutsideCode } from "./page.ts";

/** `seen` has the real paths already read for this scope. Each file is read once, so references cannot loop. */
export async function followReferences(
  file: { readonly text: string; readonly real: string; readonly source: string },
  root: string,
  seen: Set<string>,
): Promise<{ readonly text: string; readonly refused: readonly Refusal[] }> {
  const { source } = file;
  const lines = file.text.split(/\r?\n/);
  const refused: Refusal[] = [];
  for (const { at, target } of referencesIn(lines)) {
    const absolute = resolve(dirname(file.real), target);
    const read = await readInside(root, absolute, { source, maxBytes: MAX_TEXT_BYTES });
    lines[at] = "";
    if (!read.ok) {
      refused.push({ ...read.refusal, line: at + 1, reason: `@${target} ${read.refusal.reason}` });
      continue;
    }
    if (seen.has(read.real)) continue;
    seen.add(read.real);
    const inner = await followReferences({ ...read, source }, root, seen);
    lines[at] = inner.text;
    refused.push(...inner.refused);
  }
  return { text: lines.join("\n"), refused };
}

function referencesIn(lines: readonly string[]) {
  const found: { at: number; target: string }[] = [];
  forEachOutsideCode(lines, 0, (line, at) => {
    const target = /^\s*(?:[-*]\s+)?@([\w.~/-]+\.\w+)\s*$/.exec(line)?.[1];
    if (target !== undefined) found.push({ at, target });
  });
  return found;
}
