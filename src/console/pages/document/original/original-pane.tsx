// The original's pages with their thumbnails, or its picture, or nothing if it cannot be shown.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { DocumentView, OriginalView } from "../../../../tools/documents/contract.ts";
import { useI18n } from "../../state/language.ts";
import type { CitedPlace } from "../cited-place.ts";
import type { Hits } from "../hits.ts";
import { keepInView } from "../keep-in-view.ts";
import { type Section, sectionAt } from "../text/sections.ts";
import { Drawing } from "./drawing.tsx";
import { PagesPane } from "./pages-pane.tsx";
import { useCard } from "./slide-card.tsx";
import { Thumbnails } from "./thumbnails.tsx";

interface OriginalPaneProps {
  readonly original: OriginalView;
  readonly view: DocumentView;
  readonly sections: readonly Section[];
  readonly query: string;
  readonly hits: Hits;
  readonly zoom: number;
  readonly goal: { readonly page: number } | undefined;
  readonly setGoal: (goal: { readonly page: number }) => void;
}

type Pages = Extract<OriginalView, { readonly kind: "pages" }>;

export function OriginalPane({ original, ...props }: OriginalPaneProps) {
  const { t } = useI18n();
  const { id, filename } = props.view.document;
  if (original.kind === "pages") return <PaintedPages {...props} original={original} />;
  if (original.kind !== "drawing") return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section class="viewer-scroll original" aria-label={t("originalTab")} tabIndex={0}>
      <Drawing id={id} name={filename} />
    </section>
  );
}

function PaintedPages(props: OriginalPaneProps & { readonly original: Pages }) {
  const { t } = useI18n();
  const { original, view, query, zoom, goal, setGoal } = props;
  const { id, processing_method } = view.document;
  const [seen, setSeen] = useState(1);
  const [ratio, setRatio] = useState<number>();
  const { hitPages, citedOn } = usePlaces(props);
  const pane = useCitedInView(props);
  const otherwise = useCard(props);
  const shared = { id, view: original };
  return (
    <>
      {original.count > 1 && (
        <Thumbnails
          {...shared}
          page={seen}
          hits={hitPages}
          onPage={(page) => setGoal({ page })}
          waits={ratio === undefined}
        />
      )}
      <section
        ref={pane}
        class="viewer-scroll original"
        aria-label={t("originalTab")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
      >
        <PagesPane
          {...{ ...shared, query, zoom, goal, citedOn, ratio, otherwise }}
          hasWords={processing_method === "text_extraction"}
          onPage={setSeen}
          onRatio={setRatio}
        />
      </section>
    </>
  );
}

function useCitedInView({ sections, hits, setGoal }: Omit<OriginalPaneProps, "original">) {
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    if (hits.current === undefined || pane.current === null) return;
    setGoal({ page: pageOf(sections, hits.current) });
    return keepInView(pane.current, ".box.cited");
  }, [hits.current, sections, setGoal]);
  return pane;
}

/** Finds the pages with a match, and what is cited on each. */
function usePlaces({
  view,
  sections,
  hits,
}: Pick<OriginalPaneProps, "view" | "sections" | "hits">) {
  const hitPages = useMemo(
    () => new Set(hits.list.map((hit) => pageOf(sections, hit))),
    [hits.list, sections],
  );
  const citedOn = useCallback(
    (page: number) => partOn(page, { text: view.text, sections, cited: hits.current }),
    [view, sections, hits.current],
  );
  return { hitPages, citedOn };
}

/** Pictures have one page, which is not numbered. */
function pageOf(sections: readonly Section[], { start }: CitedPlace): number {
  const place = sectionAt(sections, start)?.place;
  return place?.page ?? place?.slide ?? 1;
}

interface CitedText {
  readonly text: string;
  readonly sections: readonly Section[];
  readonly cited: CitedPlace | undefined;
}

/** The part of the cited text that is on this page. */
function partOn(page: number, { text, sections, cited }: CitedText): string | undefined {
  if (cited === undefined) return undefined;
  const part = sections
    .filter(({ place }) => (place.page ?? place.slide ?? 1) === page)
    .map(({ start, end }) => text.slice(Math.max(start, cited.start), Math.min(end, cited.end)))
    .join(" ");
  return part.trim() === "" ? undefined : part;
}
