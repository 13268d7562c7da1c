// The pages, in the order of the navigation.
import type { IconName } from "./parts/icon.tsx";
import { isOffered, type ToolRow } from "./state/offered-tools.ts";

const PAGES = ["overview", "search", "documents", "scopes", "connect"] as const;
export type PageName = (typeof PAGES)[number];

/** The tool that each page requires. */
const NEEDS: Partial<Record<PageName, string>> = {
  overview: "knowledge-status",
  documents: "knowledge-show",
  search: "knowledge-search",
  scopes: "get_categories",
};

export const PAGE_ICONS: Record<PageName, IconName> = {
  overview: "gauge",
  documents: "file",
  search: "search",
  scopes: "tree",
  connect: "plug",
};

export function offeredPages(offered: readonly ToolRow[] | undefined): readonly PageName[] {
  return PAGES.filter((name) => isOffered(offered, NEEDS[name]));
}
