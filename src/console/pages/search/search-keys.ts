// "/" opens the search page; ⌘K or Ctrl-K opens the palette on top of the current page. On the search page, arrow keys move
// between the box and the results; Enter opens the focused link, as always.
import { useLayoutEffect } from "preact/hooks";
import { navigate, toPath } from "../state/route.ts";

export const SEARCH_BOX = "search-box";
export const PALETTE_KEY = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘K" : "Ctrl K";

export function useSearchKeys(offered: boolean, showOverlay: (shown: true) => void): void {
  useLayoutEffect(() => {
    if (!offered) return;
    const onKey = (event: KeyboardEvent) => {
      if (!isWanted(event)) return;
      event.preventDefault();
      if (event.key !== "/") return showOverlay(true);
      if (focusSearchBox()) return;
      // Escape leads back only if the search was opened by a key.
      navigate(toPath("search"), { fromKey: true });
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [offered, showOverlay]);
}

/** Returns false if the page has no search box. */
function focusSearchBox(): boolean {
  const box = document.getElementById(SEARCH_BOX);
  if (!(box instanceof HTMLInputElement)) return false;
  box.focus();
  box.select();
  return true;
}

function isWanted(event: KeyboardEvent): boolean {
  const { key, metaKey, ctrlKey, altKey } = event;
  // An open dialog keeps its keys, so that nothing behind it moves.
  if (event.isComposing || document.querySelector("dialog[open]")) return false;
  if (key.toLowerCase() === "k") return (metaKey || ctrlKey) && !altKey;
  return key === "/" && !metaKey && !ctrlKey && !altKey && !isTyping(event.target);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("input, textarea, select, [contenteditable]");
}

export function moveByKey(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
  const box = document.getElementById(SEARCH_BOX);
  if (!(box instanceof HTMLInputElement)) return;
  const stops = [box, ...hitsIn(event.currentTarget)];
  const at = stops.indexOf(document.activeElement as HTMLInputElement);
  if (event.key === "Escape") leave(event, box);
  if (at === -1 || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
  const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

/** Only visible hits, not those inside a closed fold. */
function hitsIn(page: HTMLElement): readonly HTMLElement[] {
  return [...page.querySelectorAll<HTMLElement>("[data-hit]")].filter((hit) =>
    hit.checkVisibility(),
  );
}

/** Escape first returns to the box, then empties it, then leads back to the page before the search. */
function leave(event: KeyboardEvent, box: HTMLInputElement): void {
  if (document.activeElement !== box) {
    event.preventDefault();
    box.focus();
    return;
  }
  // The browser empties a search box on Escape.
  if (box.value !== "") return;
  box.blur();
  if (history.length > 1 && history.state?.fromKey === true) history.back();
}
