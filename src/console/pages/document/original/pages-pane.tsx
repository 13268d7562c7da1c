// The original's pages below each other, rendered as they come into view.
import { useEffect, useRef } from "preact/hooks";
import type { OriginalView } from "../../../../tools/documents/contract.ts";
import { LazyRender } from "../lazy-render.tsx";
import { PageImage, type PageImageProps } from "./page-image.tsx";
import { useVisiblePage } from "./visible-page.ts";

export interface PagesPaneProps
  extends Pick<PageImageProps, "id" | "query" | "hasWords" | "otherwise"> {
  readonly view: Extract<OriginalView, { readonly kind: "pages" }>;
  /** At 1, a page is as wide as the pane. */
  readonly zoom: number;
  readonly citedOn: (page: number) => string | undefined;
  /** The page to scroll to; a new object for the same page scrolls to it again. */
  readonly goal: { readonly page: number } | undefined;
  readonly onPage: (page: number) => void;
  /** The ratio of height to width; undefined until the first page is loaded. */
  readonly ratio: number | undefined;
  readonly onRatio: (ratio: number) => void;
}

// A4 pages or wide-screen slides, until the first page is loaded.
const USUAL_RATIOS = { page: Math.SQRT2, slide: 9 / 16 } as const;
// Above this width the normal picture would be enlarged beyond its pixels.
const FINE = 1_100;

export function PagesPane(props: PagesPaneProps) {
  const { view, zoom, citedOn, goal, onPage, ...shared } = props;
  const ratio = props.ratio ?? USUAL_RATIOS[view.unit];
  const pane = useRef<HTMLDivElement>(null);
  const width = (pane.current?.clientWidth ?? 600) * zoom;
  const isFine = width * devicePixelRatio > FINE * 1.2;
  const size = isFine && view.unit === "page" ? "large" : "normal";
  useVisiblePage(pane, onPage);
  useEffect(() => {
    if (goal === undefined) return;
    pane.current?.querySelector(`[data-page="${goal.page}"]`)?.scrollIntoView({ block: "start" });
  }, [goal]);
  return (
    <div class="pages" ref={pane}>
      {Array.from({ length: view.count }, (_, at) => at + 1).map((page) => (
        <div key={page} class="page-sheet" data-page={page} style={{ width: `${zoom * 100}%` }}>
          <LazyRender
            now={page === (goal?.page ?? 1) || citedOn(page) !== undefined}
            // The page that the reader is looking at loads first.
            waits={props.ratio === undefined}
            height={width * ratio}
          >
            {() => (
              <PageImage
                {...shared}
                page={page}
                count={view.count}
                unit={view.unit}
                version={view.version}
                size={size}
                cited={citedOn(page)}
                ratio={ratio}
              />
            )}
          </LazyRender>
        </div>
      ))}
    </div>
  );
}
