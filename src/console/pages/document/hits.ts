// The stops of "next" and "previous" in a document: the cited place, and where the query's words are close together.
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { highlights, queryWords } from "../../../text/highlights.ts";
import type { DocumentView } from "../../../tools/documents/contract.ts";
import type { Span } from "../search/place.ts";
import type { Route } from "../state/route.ts";

export type Hits = ReturnType<typeof useHits>;

// About three lines; words further apart have little to do with each other.
const NEAR = 240;

export function useHits(view: DocumentView, query: string, cited: Span | undefined) {
  const list = useMemo(() => hitsOf(view.text, query, cited), [view, query, cited]);
  const first = cited === undefined ? -1 : list.indexOf(cited);
  // The index of the current hit, or -1.
  const [at, setAt] = useState(first);
  // Set before the page is painted, so that a key pressed at once is neither missed nor undone.
  useLayoutEffect(() => setAt(first), [list, first]);
  const go = (step: 1 | -1) => {
    if (list.length > 0) setAt((at + step + list.length) % list.length);
  };
  useHitKeys(go);
  return { list, at, current: at === -1 ? undefined : list[at], go };
}

/** The place that a link points to: ?chunk=ID or ?span=START-END, with the words of ?q= marked in it. */
export function citedPlaceOf({ query }: Route, { passages }: DocumentView): Span | undefined {
  const [start, end] = (query.get("span") ?? "").split("-").map(Number);
  if (start !== undefined && end !== undefined && end > start) return { start, end };
  const id = query.get("chunk");
  return passages.find((passage) => passage.id === id);
}

export function hitsOf(text: string, query: string, cited?: Span): readonly Span[] {
  const words = highlights(text, query);
  const parts = cited
    ? [
        words.filter(({ end }) => end <= cited.start),
        words.filter(({ start }) => start >= cited.end),
      ]
    : [words];
  // Words before and after the cited place do not form one group, because it lies between them.
  const others = parts.flatMap((part) => groupsOf(text, query, part));
  return [...others, ...(cited ? [cited] : [])].sort((a, b) => a.start - b.start);
}

interface Group {
  readonly start: number;
  readonly words: Set<string>;
  end: number;
}

/** A group has at least half of the query's words; one with fewer is about something else. */
function groupsOf(text: string, query: string, found: readonly Span[]): readonly Span[] {
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

/** Same keys as in pagers: n for the next hit, p or N for the previous one. */
function useHitKeys(go: (step: 1 | -1) => void): void {
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
