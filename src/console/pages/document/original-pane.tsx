// The original's pages with their thumbnails, or its picture, or nothing if it cannot be shown.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { DocumentView, OriginalView } from "../../../tools/documents/contract.ts";
import { Markdown } from "../parts/markdown.tsx";
import type { Span } from "../search/place.ts";
import { t } from "../state/language.ts";
import type { Hits } from "./hits.ts";
import { cleanDrawing, PageImage, type Pages, Thumbnails, usePicture } from "./page-image.tsx";
import { keepInView, LazyRender, ScrollArea, useVisiblePage } from "./scrolling.tsx";
import { type Section, sectionAt } from "./sections.ts";

interface OriginalPaneProps {
  readonly original: OriginalView;
  readonly view: DocumentView;
  readonly sections: readonly Section[];
  readonly query: string;
  readonly hits: Hits;
  /** At 1, a page is as wide as the pane. */
  readonly zoom: number;
  /** The page to scroll to; a new object for the same page scrolls to it again. */
  readonly goal: { readonly page: number } | undefined;
  readonly setGoal: (goal: { readonly page: number }) => void;
}

type PaintedProps = OriginalPaneProps & { readonly original: Pages };

export function OriginalPane({ original, ...props }: OriginalPaneProps) {
  if (original.kind === "pages") return <PaintedPages {...props} original={original} />;
  return original.kind === "drawing" ? <Drawing {...props.view.document} /> : null;
}

// Browsers take too long to paint larger drawings.
const MAX_DRAWING = 8 * 1024 * 1024;

async function asDrawing(response: Response): Promise<Blob> {
  const source = await response.text();
  if (source.length > MAX_DRAWING) throw new Error("too large");
  return cleanDrawing(source);
}

/** An SVG as a picture: cleaned, and shown in an element where nothing would run or be fetched. */
function Drawing({ id, filename }: Pick<DocumentView["document"], "id" | "filename">) {
  const { url, failed } = usePicture(`${id}/original`, asDrawing);
  return (
    <ScrollArea class="original" label={t("Original")}>
      {failed ? (
        <p class="page-note muted">{t("This page cannot be shown. Its text is complete.")}</p>
      ) : (
        <div class="pages">
          <div class="page-sheet drawing">
            {url === undefined ? (
              <div class="page-note" aria-busy="true" />
            ) : (
              <img src={url} alt={t("Drawing {0}", filename)} />
            )}
          </div>
        </div>
      )}
    </ScrollArea>
  );
}

function PaintedPages(props: PaintedProps) {
  const { original, view, sections, hits, setGoal } = props;
  const [seen, setSeen] = useState(1);
  const [ratio, setRatio] = useState<number>();
  const hitPages = useMemo(
    () => new Set(hits.list.map((hit) => pageOf(sections, hit))),
    [hits.list, sections],
  );
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    if (hits.current === undefined || pane.current === null) return;
    setGoal({ page: pageOf(sections, hits.current) });
    return keepInView(pane.current, ".box.cited");
  }, [hits.current, sections, setGoal]);
  return (
    <>
      {original.count > 1 && (
        <Thumbnails
          id={view.document.id}
          view={original}
          page={seen}
          hits={hitPages}
          onPage={(page) => setGoal({ page })}
          waits={ratio === undefined}
        />
      )}
      <ScrollArea pane={pane} class="original" label={t("Original")}>
        <PageList {...props} ratio={ratio} onPage={setSeen} onRatio={setRatio} />
      </ScrollArea>
    </>
  );
}

interface PageListProps extends PaintedProps {
  readonly onPage: (page: number) => void;
  /** The ratio of height to width; undefined until the first page is loaded. */
  readonly ratio: number | undefined;
  readonly onRatio: (ratio: number) => void;
}

// A4 pages or wide-screen slides, until the first page is loaded.
const USUAL_RATIOS = { page: Math.SQRT2, slide: 9 / 16 } as const;
// Above this width the normal picture would be enlarged beyond its pixels.
const FINE = 1_100;

/** The pages below each other, rendered as they come into view. */
function PageList(props: PageListProps) {
  const { original, view, zoom, goal, query } = props;
  const ratio = props.ratio ?? USUAL_RATIOS[original.unit];
  const pane = useRef<HTMLDivElement>(null);
  const width = (pane.current?.clientWidth ?? 600) * zoom;
  const isFine = width * devicePixelRatio > FINE * 1.2 && original.unit === "page";
  const pages = Array.from({ length: original.count }, (_, at) => citedPart(at + 1, props));
  useVisiblePage(pane, props.onPage);
  useEffect(() => {
    if (goal === undefined) return;
    pane.current?.querySelector(`[data-page="${goal.page}"]`)?.scrollIntoView({ block: "start" });
  }, [goal]);
  return (
    <div class="pages" ref={pane}>
      {pages.map((cited, at) => (
        <div key={at} class="page-sheet" data-page={at + 1} style={{ width: `${zoom * 100}%` }}>
          <LazyRender
            now={at + 1 === (goal?.page ?? 1) || cited !== undefined}
            // The page that the reader is looking at loads first.
            waits={props.ratio === undefined}
            height={width * ratio}
          >
            {() => (
              <PageImage
                {...{ original, query, cited, ratio }}
                id={view.document.id}
                page={at + 1}
                size={isFine ? "large" : "normal"}
                hasWords={view.document.processing_method === "text_extraction"}
                onRatio={props.onRatio}
                otherwise={<SlideCard {...props} slide={at + 1} />}
              />
            )}
          </LazyRender>
        </div>
      ))}
    </div>
  );
}

/** The text of a slide that cannot be drawn; a page's text is beside it. */
function SlideCard({ view, sections, query, original, slide }: PaintedProps & { slide: number }) {
  if (original.unit !== "slide")
    return <p class="page-note muted">{t("This page cannot be shown. Its text is complete.")}</p>;
  const own = sections.filter(({ place }) => place.slide === slide);
  return (
    <div class="page-card">
      <p class="muted small">{t("This slide cannot be drawn; this is its text.")}</p>
      {own.map(({ start, end }) => (
        <Markdown key={start} text={view.text.slice(start, end)} query={query} />
      ))}
    </div>
  );
}

/** Pictures have one page, which is not numbered. */
function pageOf(sections: readonly Section[], { start }: Span): number {
  const place = sectionAt(sections, start)?.place;
  return place?.page ?? place?.slide ?? 1;
}

type Citing = Pick<OriginalPaneProps, "view" | "sections" | "hits">;

/** The part of the cited text that is on this page. */
function citedPart(page: number, { view: { text }, sections, hits }: Citing): string | undefined {
  const cited = hits.current;
  if (cited === undefined) return undefined;
  const part = sections
    .filter(({ place }) => (place.page ?? place.slide ?? 1) === page)
    .map(({ start, end }) => text.slice(Math.max(start, cited.start), Math.min(end, cited.end)))
    .join(" ");
  return part.trim() === "" ? undefined : part;
}
