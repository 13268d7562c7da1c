// Nested lists of a page, flattened into one list of items with their depths.

import type { ListItem } from "../writer.ts";
import type { Attributes } from "./style-sheets.ts";

export type HtmlLists = ReturnType<typeof openHtmlLists>;

interface OpenItem {
  at: number | undefined;
  readonly depth: number;
  readonly marker: string | undefined;
}

export function openHtmlLists(onList: (items: readonly ListItem[]) => void) {
  const lists: { readonly ordered: boolean; next: number }[] = [];
  const openItems: OpenItem[] = [];
  let items: ListItem[] = [];

  /** Hands over the gathered items, because what follows is below the list. */
  const end = () => {
    if (items.length === 0) return;
    onList(items);
    items = [];
    for (const open of openItems) open.at = undefined;
  };
  return {
    openList(name: "ul" | "ol", attributes: Attributes) {
      if (openItems.length === 0) end();
      const start = Number.parseInt(attributes["start"] ?? "1", 10) || 1;
      lists.push({ ordered: name === "ol", next: start });
    },
    closeList() {
      lists.pop();
      if (lists.length === 0) end();
    },
    openItem() {
      const list = lists.at(-1);
      const marker = list?.ordered ? `${list.next}.` : undefined;
      if (list !== undefined) list.next += 1;
      openItems.push({ at: undefined, depth: Math.max(0, lists.length - 1), marker });
    },
    closeItem: () => void openItems.pop(),
    inItem: () => openItems.length > 0,
    /** Adds text to the innermost open item. */
    add(text: string) {
      const open = openItems.at(-1);
      if (open !== undefined) addTo(items, open, text);
    },
    end,
  };
}

function addTo(items: ListItem[], open: OpenItem, text: string): void {
  const { at, depth, marker } = open;
  const before = at === undefined ? undefined : items[at];
  if (at !== undefined && before !== undefined) {
    items[at] = { ...before, text: `${before.text} ${text}` };
    return;
  }
  open.at = items.length;
  items.push({ text, depth, ...(marker === undefined ? {} : { marker }) });
}
