// One document: its original beside its text, with the cited place marked in both.
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { DocumentView, OriginalView } from "../../../tools/documents/contract.ts";
import { Failed } from "../parts/notices.tsx";
import { useI18n } from "../state/language.ts";
import { readJson } from "../state/mcp.ts";
import { type Route, toPath } from "../state/route.ts";
import { useLive } from "../state/use-live.ts";
import { Head } from "./head.tsx";
import { citedPlaceOf, useHits } from "./hits.ts";
import { OriginalPane } from "./original-pane.tsx";
import { useLoaded } from "./page-image.tsx";
import { sectionsOf } from "./sections.ts";
import { TextPane } from "./text-pane.tsx";
import { type Tab, Toolbar } from "./toolbar.tsx";
import "./viewer.css";

const asView = (response: Response): Promise<OriginalView> => response.json();
const TEXT_ONLY: OriginalView = { kind: "text-only" };

export function Viewer({ id, route }: { readonly id: string; readonly route: Route }) {
  const { t } = useI18n();
  const {
    data: view,
    error,
    refresh,
  } = useLive(
    (signal) => readJson<DocumentView>(`knowledge://documents/${id}/passages`, signal),
    0,
    [id],
  );
  const original = useLoaded(`${encodeURIComponent(id)}/view`, asView);
  if (error) return <NotShown reason={error} onRetry={refresh} />;
  if (!view || !(original.value || original.failed)) {
    return <p aria-busy="true">{t("loading")}</p>;
  }
  return <Opened view={view} route={route} original={original.value ?? TEXT_ONLY} />;
}

function NotShown(failed: { readonly reason: string; readonly onRetry: () => void }) {
  const { t } = useI18n();
  return (
    <div class="viewer">
      <a class="viewer-back" href={toPath("documents")}>
        ← {t("backToDocuments")}
      </a>
      <h1>{t("documentFailed")}</h1>
      <Failed {...failed} />
    </div>
  );
}

interface OpenedProps {
  readonly view: DocumentView;
  readonly route: Route;
  readonly original: OriginalView;
}

function Opened({ view, route, original }: OpenedProps) {
  const { t } = useI18n();
  const query = route.query.get("q") ?? "";
  const cited = useMemo(() => citedPlaceOf(route, view), [route, view]);
  const sections = useMemo(() => sectionsOf(view), [view]);
  const hits = useHits(view, query, cited);
  const [tab, setTab] = useState<Tab>("original");
  const [drawn, setDrawn] = useState(false);
  const [zoom, setZoom] = useState(1);
  const [goal, setGoal] = useState<{ readonly page: number }>();
  const isBeside = original.kind === "pages" || original.kind === "drawing";
  const showPage = useCallback((page: number) => {
    setGoal({ page });
    setTab("original");
  }, []);
  const { filename } = view.document;
  // After the page's own title, which changes with the language.
  useEffect(() => {
    document.title = `${filename} · knowledge-server`;
  }, [filename, t]);
  return (
    <div class={isBeside ? "viewer beside" : "viewer"} data-tab={isBeside ? tab : "text"}>
      <Head document={view.document} original={original} />
      <Toolbar {...{ hits, tab, setTab, drawn, setDrawn, zoom, setZoom }} kind={original.kind} />
      <div class="viewer-panes">
        <OriginalPane {...{ original, view, sections, query, hits, zoom, goal, setGoal }} />
        <TextPane
          {...{ view, sections, query, drawn }}
          cited={hits.current}
          onPage={original.kind === "pages" ? showPage : undefined}
        />
      </div>
    </div>
  );
}
