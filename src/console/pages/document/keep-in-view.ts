// Scrolls to a place and keeps it in view while the content above it still changes its height.

const SETTLING_MS = 2_500;
const HANDS = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/**
 * The place may be rendered later, or again. Stops when a person scrolls, or when the returned
 * function is called.
 */
export function keepInView(pane: Element, selector: string): () => void {
  const state: { timer?: ReturnType<typeof setTimeout> } = {};
  const scroll = () => {
    const place = pane.querySelector(selector);
    if (place === null) return;
    place.scrollIntoView({ block: "center" });
    // Counted from the last change: on a slow server the place and the content above it may appear
    // much later than the page.
    clearTimeout(state.timer);
    state.timer = setTimeout(letGo, SETTLING_MS);
  };
  const resized = new ResizeObserver(scroll);
  const rendered = new MutationObserver(scroll);
  const letGo = () => {
    resized.disconnect();
    rendered.disconnect();
    clearTimeout(state.timer);
    for (const hand of HANDS) removeEventListener(hand, letGo);
  };
  for (const child of pane.querySelectorAll(":scope > *, :scope > .pages > *")) {
    resized.observe(child);
  }
  rendered.observe(pane, { childList: true, subtree: true });
  for (const hand of HANDS) addEventListener(hand, letGo, { passive: true });
  scroll();
  return letGo;
}
