// "/" opens the search page; ⌘K or Ctrl-K searches on top of the current page.
import { useEffect } from "preact/hooks";
import { toHash } from "./route.ts";

export const SEARCH_BOX = "search-box";

/** `onOverlay` opens the search without leaving the page. */
export function useSearchKeys(offered: boolean, onOverlay: () => void): void {
  useEffect(() => {
    if (!offered) return;
    const onKey = (event: KeyboardEvent) => {
      if (!isWanted(event)) return;
      event.preventDefault();
      if (focusSearchBox()) return;
      if (event.key !== "/") return onOverlay();
      location.hash = toHash("search");
      // Escape leads back only if the search was opened by a key.
      history.replaceState({ fromKey: true }, "");
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [offered, onOverlay]);
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
