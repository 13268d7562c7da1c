import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** Reports the page in the middle of the visible area. */
export function useVisiblePage(
  pages: RefObject<HTMLElement | null>,
  onPage: (page: number) => void,
): void {
  useEffect(() => {
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
