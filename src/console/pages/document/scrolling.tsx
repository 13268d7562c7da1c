// What a document's panes do as they scroll.
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

interface ScrollAreaProps {
  readonly class: string;
  readonly label: string;
  readonly pane?: RefObject<HTMLElement | null>;
  readonly children: ComponentChildren;
}

export function ScrollArea({ class: name, label, pane, children }: ScrollAreaProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section ref={pane ?? null} class={`viewer-scroll ${name}`} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

interface LazyRenderProps {
  /** Render at once, wherever it is. */
  readonly now?: boolean;
  /** Do not render yet, however near it is. */
  readonly waits?: boolean;
  /** The height in pixels until the content is rendered. */
  readonly height: number;
  readonly children: () => ComponentChildren;
}

const AHEAD = "800px";
/** The pane scrolls; on a phone, the page itself. */
const NEAR = { rootMargin: AHEAD, scrollMargin: AHEAD };

/** Renders its content once it comes near the viewport, and keeps it. */
export function LazyRender({ now = false, waits = false, height, children }: LazyRenderProps) {
  const [reached, setReached] = useState(now);
  const element = useRef<HTMLDivElement>(null);
  const shown = now || reached;
  useEffect(() => {
    const target = element.current;
    if (now) setReached(true);
    if (shown || waits || target === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setReached(true);
    }, NEAR);
    observer.observe(target);
    return () => observer.disconnect();
  }, [now, shown, waits]);
  if (shown) return <div>{children()}</div>;
  return <div ref={element} style={{ height: `${height}px` }} />;
}

// A person who scrolls ends it at once; pages above may arrive late from a busy server.
const SETTLING_MS = 10_000;
const HANDS = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/**
 * Scrolls to a place and keeps it in view while the content above it still changes its height. The place may be
 * rendered later, or again. Stops when a person scrolls, or when the returned function is called.
 */
export function keepInView(pane: Element, selector: string): () => void {
  const ended = new AbortController();
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
    ended.abort();
  };
  for (const child of pane.querySelectorAll(":scope > *, :scope > .pages > *")) {
    resized.observe(child);
  }
  rendered.observe(pane, { childList: true, subtree: true });
  const { signal } = ended;
  for (const hand of HANDS) addEventListener(hand, letGo, { passive: true, signal });
  scroll();
  return letGo;
}

/** Reports the page in the middle of the visible area; between two pages, the upper one. */
export function useVisiblePage(
  pages: RefObject<HTMLElement | null>,
  onPage: (page: number) => void,
): void {
  useLayoutEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      const sheets = [...(pages.current?.querySelectorAll<HTMLElement>("[data-page]") ?? [])];
      const pane = pages.current?.parentElement?.getBoundingClientRect();
      const top = Math.max(0, pane?.top ?? 0);
      const bottom = Math.min(innerHeight, pane?.bottom ?? innerHeight);
      const middle = (top + bottom) / 2;
      const seen = sheets.findLast((sheet) => sheet.getBoundingClientRect().top <= middle);
      onPage(Number(seen?.dataset["page"] ?? 1));
    };
    const soon = () => {
      frame ||= requestAnimationFrame(look);
    };
    // The pane or the page may scroll: scroll events do not bubble, but they can be captured.
    addEventListener("scroll", soon, { capture: true, passive: true });
    soon();
    return () => {
      removeEventListener("scroll", soon, { capture: true });
      cancelAnimationFrame(frame);
    };
  }, [pages, onPage]);
}
