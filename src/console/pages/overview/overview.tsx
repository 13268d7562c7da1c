import type { Status } from "../../../tools/documents/contract.ts";
import { NoDocuments } from "../parts/notices.tsx";
import { RelativeDate } from "../parts/relative-date.tsx";
import { formatBytes, useI18n } from "../state/language.ts";
import { call } from "../state/mcp.ts";
import { useLive } from "../state/use-live.ts";
import { growthByDay } from "./growth.ts";
import { GrowthChart } from "./growth-chart.tsx";
import { Health } from "./health.tsx";
import { TopDocuments } from "./top-documents.tsx";
import { UsageByDay } from "./usage-by-day.tsx";
import { Work } from "./work.tsx";

const EVERY_MS = 3_000;

export function Overview() {
  const { t } = useI18n();
  const { data: status, error } = useLive(
    (signal) => call("knowledge-status", {}, signal),
    EVERY_MS,
  );
  if (error && !status) return <p class="problem">{t("failed", error)}</p>;
  if (!status) return <p aria-busy="true">{t("loading")}</p>;
  const { knowledge_base: base, health, refining } = status;
  const changed = `${status.last_updated ?? ""} ${base.document_count}`;
  const isWell = health.status === "healthy";
  return (
    <>
      <div class="row between">
        <h1>{t("overview")}</h1>
        <span class={`badge ${isWell ? "good" : "bad"}`}>{t(isWell ? "healthy" : "degraded")}</span>
      </div>
      <Health health={health} />
      {base.document_count === 0 && <NoDocuments />}
      <Work />
      <Tiles status={status} />
      {refining && <p class="muted">{t("refining", refining.chunks)}</p>}
      <UsageByDay />
      <Growth changed={changed} />
      <TopDocuments changed={changed} />
      <p class="muted small">
        {t("model")}: <code>{status.configuration.embedding_model}</code> (
        {t(health.embedding_model_loaded ? "modelReady" : "modelCold")})
      </p>
    </>
  );
}

function Tiles({ status: { knowledge_base: base, last_updated: updated } }: { status: Status }) {
  const { t, language } = useI18n();
  const tiles = [
    [t("documents"), base.document_count.toLocaleString(language)],
    [t("chunks"), base.total_chunks.toLocaleString(language)],
    [t("size"), formatBytes(base.total_size_bytes, language)],
    [t("lastUpdated"), updated ? <RelativeDate key="when" iso={updated} /> : t("never")],
  ] as const;
  return (
    <dl class="tiles">
      {tiles.map(([label, value]) => (
        <div key={label} class="tile">
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A single day shows no growth, so nothing is drawn. */
function Growth({ changed }: { changed: string }) {
  const { t } = useI18n();
  const { data: dates = [] } = useLive(allDates, 0, [changed]);
  const days = growthByDay(dates, Date.now());
  if (days.length < 2) return null;
  return (
    <section class="card" aria-labelledby="growth">
      <h2 id="growth">{t("growth")}</h2>
      <GrowthChart days={days} />
    </section>
  );
}

const PAGE = 1_000;

async function allDates(signal: AbortSignal): Promise<readonly string[]> {
  const dates: string[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await call("knowledge-show", { limit: PAGE, offset }, signal);
    dates.push(...page.documents.map((document) => document.date_added));
    if (dates.length >= page.total_count || page.documents.length === 0) return dates;
  }
}
