// The palette's options: what was asked before, pages and actions; then the documents found, and ways to go on.
import type { SearchResult } from "../../../tools/documents/contract.ts";
import type { IconName } from "../parts/icon.tsx";
import { toPath } from "../state/route.ts";
import { groupHits } from "./group-hits.ts";
import { placeQuery } from "./place.ts";
import type { Found } from "./use-found.ts";

/** A page to open or something to do, by the name that people type. */
export interface PaletteCommand {
  readonly id: string;
  readonly icon: IconName;
  readonly text: string;
  readonly run: () => void;
}

export type Option =
  | { readonly kind: "recent"; readonly id: string; readonly query: string }
  | { readonly kind: "hit"; readonly id: string; readonly hit: SearchResult; readonly href: string }
  | { readonly kind: "command"; readonly id: string; readonly command: PaletteCommand }
  | { readonly kind: "ask" | "all"; readonly id: string; readonly href: string };

// As many as fit on a phone without much scrolling.
const SHOWN = 8;
const RECENT = 4;
const QUESTION = /[?？か]$/u;

interface Offered {
  readonly recent: readonly string[];
  readonly commands: readonly PaletteCommand[];
  /** Whether this server answers questions. */
  readonly asks: boolean;
}

export function optionsOf(query: string, found: Found, offered: Offered): readonly Option[] {
  const { recent, commands, asks } = offered;
  if (query === "") {
    return [
      ...recent
        .slice(0, RECENT)
        .map((each, at): Option => ({ kind: "recent", id: `recent-${at}`, query: each })),
      ...commands.map(toOption),
    ];
  }
  const ask: Option = {
    kind: "ask",
    id: "ask",
    href: toPath("search", "", { q: query, ask: "1" }),
  };
  const isQuestion = QUESTION.test(query);
  return [
    ...commandsNamed(query, commands).map(toOption),
    ...(asks && isQuestion ? [ask] : []),
    ...hitsOf(query, found),
    ...(asks && !isQuestion ? [ask] : []),
    { kind: "all", id: "all-results", href: toPath("search", "", { q: query }) },
  ];
}

function toOption(command: PaletteCommand): Option {
  return { kind: "command", id: command.id, command };
}

/** By the beginning of any of its words. */
function commandsNamed(query: string, commands: readonly PaletteCommand[]) {
  const typed = query.toLowerCase();
  return commands.filter(({ text }) => {
    const name = text.toLowerCase();
    return name.startsWith(typed) || name.includes(` ${typed}`);
  });
}

/** One place of each document, its best; weak ones only if there is nothing else. */
function hitsOf(query: string, found: Found): readonly Option[] {
  if (found.state !== "found") return [];
  const { good, weak } = groupHits(found.answer.results);
  return (good.length > 0 ? good : weak).slice(0, SHOWN).map(({ id, hits: [hit] }) => {
    const href = toPath("documents", id, placeQuery(hit.metadata.span, query));
    return { kind: "hit", id: `hit-${hit.chunk_id}`, hit, href };
  });
}
