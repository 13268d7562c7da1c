// Renders its content once it comes near the viewport, and keeps it.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface LazyRenderProps {
  /** Render at once, wherever it is. */
  readonly now: boolean;
  /** Do not render yet, however near it is. */
  readonly waits?: boolean;
  /** The height in pixels until the content is rendered. */
  readonly height: number;
  readonly children: () => ComponentChildren;
}

const AHEAD = "800px";

export function LazyRender({ now, waits = false, height, children }: LazyRenderProps) {
  const [reached, setReached] = useState(now);
  const element = useRef<HTMLDivElement>(null);
  const shown = now || reached;
  useEffect(() => {
    const target = element.current;
    if (shown || waits || target === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setReached(true);
      },
      { root: scrollRoot(target), rootMargin: AHEAD },
    );
    observer.observe(target);
    return () => observer.disconnect();
  }, [shown, waits]);
  useEffect(() => {
    if (now) setReached(true);
  }, [now]);
  if (shown) return <div>{children()}</div>;
  return <div ref={element} style={{ height: `${height}px` }} />;
}

/** The pane that scrolls; on a phone, the page itself. */
function scrollRoot(element: Element): Element | null {
  const pane = element.closest(".viewer-scroll");
  return pane !== null && pane.scrollHeight > pane.clientHeight + 1 ? pane : null;
}
