// One document: its original beside its text, with the cited place marked in both.
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { DocumentView, OriginalView } from "../../../tools/documents/contract.ts";
import { languageNow, t } from "../state/language.ts";
import { readJson } from "../state/mcp.ts";
import { type Route, toPath } from "../state/route.ts";
import { useLive } from "../state/use-live.tsx";
import { Head } from "./head.tsx";
import { citedPlaceOf, type Hits, useHits } from "./hits.ts";
import { OriginalPane } from "./original-pane.tsx";
import { useLoaded } from "./page-image.tsx";
import { sectionsOf } from "./sections.ts";
import { TextPane } from "./text-pane.tsx";
import "./viewer.css";
import { Button } from "../parts/parts.tsx";
import { keep, useKept } from "../state/kept.ts";

const asView = (response: Response): Promise<OriginalView> => response.json();
const TEXT_ONLY: OriginalView = { kind: "text-only" };

export function Viewer({ id, route }: { readonly id: string; readonly route: Route }) {
  const { data: view, failed } = useLive(
    (signal) => readJson<DocumentView>(`knowledge://documents/${id}/passages`, signal),
    0,
    [id],
  );
  const original = useLoaded(`${encodeURIComponent(id)}/view`, asView);
  if (failed)
    return (
      <div class="viewer">
        <a class="viewer-back" href={toPath("documents")}>
          ← {t("All documents")}
        </a>
        <h1>{t("This document cannot be shown")}</h1>
        {failed}
      </div>
    );
  if (!view || !(original.value || original.failed)) {
    return <p aria-busy="true">{t("Loading…")}</p>;
  }
  return <Opened view={view} route={route} original={original.value ?? TEXT_ONLY} />;
}

interface OpenedProps {
  readonly view: DocumentView;
  readonly route: Route;
  readonly original: OriginalView;
}

function Opened({ view, route, original }: OpenedProps) {
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
  }, [filename, languageNow()]);
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

type Tab = "original" | "text";

interface ToolbarProps {
  readonly kind: OriginalView["kind"];
  readonly hits: Hits;
  readonly tab: Tab;
  readonly setTab: (tab: Tab) => void;
  readonly drawn: boolean;
  readonly setDrawn: (drawn: boolean) => void;
  readonly zoom: number;
  readonly setZoom: (zoom: number) => void;
}

function Toolbar({ kind, hits, tab, setTab, drawn, setDrawn, zoom, setZoom }: ToolbarProps) {
  const showsSource = useKept("showsSource");
  const isBeside = kind === "pages" || kind === "drawing";
  return (
    <div class="row viewer-bar">
      {isBeside && <Tabs tab={tab} setTab={setTab} />}
      {kind === "pages" && <Zoom zoom={zoom} setZoom={setZoom} />}
      {hits.list.length > 0 && <HitSteps hits={hits} />}
      <span class="row viewer-bar-text">
        <label class="inline">
          <input
            type="checkbox"
            checked={drawn}
            onChange={(event) => setDrawn(event.currentTarget.checked)}
          />
          {t("Show passages")}
        </label>
        <Button
          class="quiet"
          text={t("Source text")}
          aria-pressed={showsSource}
          onClick={() => keep("showsSource", !showsSource)}
        />
      </span>
    </div>
  );
}

function Tabs({ tab, setTab }: Pick<ToolbarProps, "tab" | "setTab">) {
  return (
    <span class="viewer-tabs tabs" role="tablist" aria-label={t("Original and text")}>
      {(["original", "text"] as const).map((name) => (
        <Button
          key={name}
          role="tab"
          text={t(name === "original" ? "Original" : "Text")}
          aria-selected={tab === name}
          onClick={() => setTab(name)}
        />
      ))}
    </span>
  );
}

const STEPS = [0.5, 0.75, 1, 1.5, 2, 3];

function Zoom({ zoom, setZoom }: Pick<ToolbarProps, "zoom" | "setZoom">) {
  const at = STEPS.indexOf(zoom);
  const step = (to: number) => setZoom(STEPS[to] ?? zoom);
  const percent = `${Math.round(zoom * 100)}%`;
  return (
    <span class="viewer-group viewer-zoom">
      <Button
        class="quiet"
        icon="minus"
        aria-label={t("Zoom out")}
        disabled={at === 0}
        onClick={() => step(at - 1)}
      />
      <Button
        class="quiet"
        text={percent}
        aria-label={`${percent} · ${t("Fit the width")}`}
        title={t("Fit the width")}
        onClick={() => setZoom(1)}
      />
      <Button
        class="quiet"
        icon="plus"
        aria-label={t("Zoom in")}
        disabled={at === STEPS.length - 1}
        onClick={() => step(at + 1)}
      />
    </span>
  );
}

function HitSteps({ hits }: Pick<ToolbarProps, "hits">) {
  return (
    <span class="viewer-group">
      <Button
        class="quiet turned"
        icon="chevron"
        aria-label={t("Previous match")}
        title={`${t("Previous match")} (P)`}
        onClick={() => hits.go(-1)}
      />
      <span role="status" class="viewer-count">
        {hits.at === -1
          ? t("{0|match|matches}", hits.list.length)
          : t("Match {0} of {1}", hits.at + 1, hits.list.length)}
      </span>
      <Button
        class="quiet"
        icon="chevron"
        aria-label={t("Next match")}
        title={`${t("Next match")} (N)`}
        onClick={() => hits.go(1)}
      />
    </span>
  );
}
