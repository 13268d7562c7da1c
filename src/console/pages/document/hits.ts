// The stops of "next" and "previous" in a document: the cited place, and where the query's words are close together.
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { highlights, queryWords } from "../../../text/highlights.ts";
import type { DocumentView } from "../../../tools/documents/contract.ts";
import type { Cited } from "./cited.ts";

export interface Hits {
  readonly list: readonly Cited[];
  /** Of the current one; -1 while there is none. */
  readonly at: number;
  readonly current: Cited | undefined;
  readonly go: (step: 1 | -1) => void;
}

// About three lines: words that are further apart have little to do with each other.
const NEAR = 240;

export function useHits(view: DocumentView, query: string, cited: Cited | undefined): Hits {
  const list = useMemo(() => hitsOf(view.text, query, cited), [view, query, cited]);
  const first = cited === undefined ? -1 : list.indexOf(cited);
  const [at, setAt] = useState(first);
  // Before the page is painted: a key that is pressed at once is neither missed nor undone.
  useLayoutEffect(() => setAt(first), [list, first]);
  const go = (step: 1 | -1) => {
    if (list.length > 0) setAt((at + step + list.length) % list.length);
  };
  useHitKeys(go);
  return { list, at, current: at === -1 ? undefined : list[at], go };
}

export function hitsOf(text: string, query: string, cited?: Cited): readonly Cited[] {
  const words = highlights(text, query);
  const parts = cited
    ? [
        words.filter(({ end }) => end <= cited.start),
        words.filter(({ start }) => start >= cited.end),
      ]
    : [words];
  // Words on its two sides are no one place: it lies between them.
  const others = parts.flatMap((part) => groupsOf(text, query, part));
  return [...others, ...(cited ? [cited] : [])].sort((a, b) => a.start - b.start);
}

interface Group {
  readonly start: number;
  readonly words: Set<string>;
  end: number;
}

/** Groups with at least half of the query's words; one that has fewer is about something else. */
function groupsOf(text: string, query: string, found: readonly Cited[]): readonly Cited[] {
  const groups: Group[] = [];
  for (const { start, end } of found) {
    const last = groups.at(-1);
    const word = text.slice(start, start + 4).toLowerCase();
    if (last && start - last.end <= NEAR) {
      last.end = end;
      last.words.add(word);
    } else groups.push({ start, end, words: new Set([word]) });
  }
  const needed = Math.ceil(queryWords(query).length / 2);
  return groups.filter(({ words }) => words.size >= needed);
}

/** As in pagers: n for the next one, p or N for the one before. */
function useHitKeys(go: Hits["go"]): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest("input, textarea, select, dialog");
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "n") go(1);
      else if (event.key === "p" || event.key === "N") go(-1);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}
