// The palette's options: what was pinned or asked before, pages and actions; then the documents found, and ways to go on.
import type { SearchResult } from "../../../tools/documents/contract.ts";
import type { IconName } from "../parts/parts.tsx";
import type { Translate } from "../state/language.ts";
import { toPath } from "../state/route.ts";
import { groupHits, nameOf } from "./group-hits.ts";
import { placeQuery, whereOf } from "./place.ts";
import { fromAddress, questionOf } from "./search-query.ts";
import type { Found } from "./use-found.ts";

/** Something to choose, by the name that people type: it runs, leads to an address, or is a search to go on with. */
export interface Option {
  readonly id: string;
  readonly icon: IconName;
  readonly text: string;
  readonly run?: () => void;
  readonly href?: string;
  readonly query?: string;
  /** The passage, whose place is the text. */
  readonly hit?: SearchResult;
}

// As many as fit on a phone without much scrolling.
const SHOWN = 8;
const RECENT = 4;
const QUESTION = /[?？か]$/u;

interface Offered {
  readonly recent: readonly string[];
  /** Addresses of questions. */
  readonly pinned: readonly string[];
  readonly commands: readonly Option[];
  /** Whether this server answers questions. */
  readonly asks: boolean;
  readonly t: Translate;
}

export function optionsOf(query: string, found: Found, offered: Offered): readonly Option[] {
  const { recent, pinned, commands, asks, t } = offered;
  if (query === "") {
    const before = recent.slice(0, RECENT).map((text, at) => ({ text, query: text, at }));
    return [
      ...pinned.map((href, at) => {
        return {
          id: `pinned-${at}`,
          icon: "pin" as const,
          text: questionOf(fromAddress(href)),
          href,
        };
      }),
      ...before.map(({ at, ...each }) => ({ id: `recent-${at}`, icon: "clock" as const, ...each })),
      ...commands,
    ];
  }
  const toSearch = (more = {}) => toPath("search", "", { q: query, ...more });
  const ask: Option = {
    ...{ id: "ask", icon: "spark", text: t("Ask: {0}", query) },
    href: toSearch({ ask: "1" }),
  };
  const isQuestion = QUESTION.test(query);
  return [
    ...commandsNamed(query, commands),
    ...(asks && isQuestion ? [ask] : []),
    ...hitsOf(query, found, t),
    ...(asks && !isQuestion ? [ask] : []),
    {
      id: "all-results",
      icon: "search",
      text: t("All results on the search page"),
      href: toSearch(),
    },
  ];
}

/** By the beginning of any of its words. */
function commandsNamed(query: string, commands: readonly Option[]) {
  const typed = query.toLowerCase();
  return commands.filter(({ text }) => {
    const name = text.toLowerCase();
    return name.startsWith(typed) || name.includes(` ${typed}`);
  });
}

/** One place of each document, its best; weak ones only if there is nothing else. */
function hitsOf(query: string, found: Found, t: Translate): readonly Option[] {
  if (found.state !== "found") return [];
  const { good, weak } = groupHits(found.answer.results);
  return (good.length > 0 ? good : weak).slice(0, SHOWN).map(({ id, hits: [hit], ...group }) => ({
    ...{ id: `hit-${hit.chunk_id}`, icon: "file", hit },
    text: [nameOf(group), whereOf(hit, t, group.title)].filter(Boolean).join(" · "),
    href: toPath("documents", id, placeQuery(hit.metadata.span, query)),
  }));
}
