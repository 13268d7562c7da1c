// Shows its content once it comes near to what is seen, and keeps it.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface NearProps {
  /** Shown at once, wherever it is. */
  readonly now: boolean;
  /** Until then, in pixels. */
  readonly height: number;
  readonly children: () => ComponentChildren;
}

const AHEAD = "1200px";

export function Near({ now, height, children }: NearProps) {
  const [reached, setReached] = useState(now);
  const element = useRef<HTMLDivElement>(null);
  const shown = now || reached;
  useEffect(() => {
    const target = element.current;
    if (shown || target === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setReached(true);
      },
      { root: target.closest(".viewer-scroll"), rootMargin: AHEAD },
    );
    observer.observe(target);
    return () => observer.disconnect();
  }, [shown]);
  if (shown) return <div>{children()}</div>;
  return <div ref={element} style={{ height: `${height}px` }} />;
}
