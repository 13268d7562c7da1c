// The document's toolbar: tabs on a phone, zoom, next and previous match, how the text is shown.
import type { OriginalView } from "../../../tools/documents/contract.ts";
import { Button } from "../parts/button.tsx";
import { keep, useKept } from "../state/kept.ts";
import { useI18n } from "../state/language.ts";
import type { Hits } from "./hits.ts";

export type Tab = "original" | "text";

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

export function Toolbar({ kind, hits, tab, setTab, drawn, setDrawn, zoom, setZoom }: ToolbarProps) {
  const { t } = useI18n();
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
          {t("showChunks")}
        </label>
        <Button
          class="quiet"
          text={t("showSource")}
          aria-pressed={showsSource}
          onClick={() => keep("showsSource", !showsSource)}
        />
      </span>
    </div>
  );
}

function Tabs({ tab, setTab }: Pick<ToolbarProps, "tab" | "setTab">) {
  const { t } = useI18n();
  return (
    <span class="viewer-tabs tabs" role="tablist" aria-label={t("originalAndText")}>
      {(["original", "text"] as const).map((name) => (
        <Button
          key={name}
          role="tab"
          text={t(name === "original" ? "originalTab" : "textTab")}
          aria-selected={tab === name}
          onClick={() => setTab(name)}
        />
      ))}
    </span>
  );
}

const STEPS = [0.5, 0.75, 1, 1.5, 2, 3];

function Zoom({ zoom, setZoom }: Pick<ToolbarProps, "zoom" | "setZoom">) {
  const { t } = useI18n();
  const at = STEPS.indexOf(zoom);
  const step = (to: number) => setZoom(STEPS[to] ?? zoom);
  const percent = `${Math.round(zoom * 100)}%`;
  return (
    <span class="viewer-group viewer-zoom">
      <Button
        class="quiet"
        icon="minus"
        aria-label={t("zoomOut")}
        disabled={at === 0}
        onClick={() => step(at - 1)}
      />
      <Button
        class="quiet"
        text={percent}
        aria-label={`${percent} · ${t("zoomFit")}`}
        title={t("zoomFit")}
        onClick={() => setZoom(1)}
      />
      <Button
        class="quiet"
        icon="plus"
        aria-label={t("zoomIn")}
        disabled={at === STEPS.length - 1}
        onClick={() => step(at + 1)}
      />
    </span>
  );
}

function HitSteps({ hits }: Pick<ToolbarProps, "hits">) {
  const { t } = useI18n();
  return (
    <span class="viewer-group">
      <Button
        class="quiet turned"
        icon="chevron"
        aria-label={t("previousHit")}
        title={`${t("previousHit")} (P)`}
        onClick={() => hits.go(-1)}
      />
      <span role="status" class="viewer-count">
        {hits.at === -1
          ? t("hitCount", hits.list.length)
          : t("hitOf", hits.at + 1, hits.list.length)}
      </span>
      <Button
        class="quiet"
        icon="chevron"
        aria-label={t("nextHit")}
        title={`${t("nextHit")} (N)`}
        onClick={() => hits.go(1)}
      />
    </span>
  );
}
