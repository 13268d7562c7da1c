// Arrow keys move between the search box and the results; Enter opens the focused link, as always.
import { SEARCH_BOX } from "../state/search-keys.ts";

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
