import type { ComponentChildren } from "preact";
import type {
  DocumentRow,
  ListedTask,
  Status,
  TasksView,
} from "../../../tools/documents/contract.ts";
import { Icon } from "../parts/icon.tsx";
import { Failed, NoDocuments } from "../parts/notices.tsx";
import { RelativeDate } from "../parts/relative-date.tsx";
import { Samples } from "../parts/samples.tsx";
import { Tiles } from "../parts/tiles.tsx";
import { formatBytes, useI18n } from "../state/language.ts";
import { CallFailed, call, readJson } from "../state/mcp.ts";
import { toHash } from "../state/route.ts";
import { TASK_WORD } from "../state/translations.ts";
import { useLive } from "../state/use-live.ts";
import { Growth, UsageByDay } from "./charts.tsx";

const STATUS_MS = 3_000;

export function Overview() {
  const { t } = useI18n();
  const {
    data: status,
    error,
    refresh,
  } = useLive((signal) => call("knowledge-status", {}, signal), STATUS_MS);
  if (error && !status) return <Failed reason={error} onRetry={refresh} />;
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
      <Samples />
      <Totals status={status} />
      <Work />
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

function Totals({ status: { knowledge_base: base, last_updated: updated } }: { status: Status }) {
  const { t, language } = useI18n();
  const tiles = [
    [t("documents"), base.document_count.toLocaleString(language)],
    [t("chunks"), base.total_chunks.toLocaleString(language)],
    [t("size"), formatBytes(base.total_size_bytes, language)],
    [t("lastUpdated"), updated ? <RelativeDate key="when" iso={updated} /> : t("never")],
  ] as const;
  return <Tiles tiles={tiles} />;
}

/** Says what is wrong and what helps; shows only a mark if everything works. */
function Health({ health }: { health: Status["health"] }) {
  const { t, sayMessage } = useI18n();
  const issues = health.issue_codes ?? [];
  if (issues.length === 0) return null;
  const isDown = !health.vector_db_connected || !health.storage_accessible;
  return (
    <section class={`notice ${isDown ? "bad" : ""}`} aria-label={t("degraded")}>
      <Icon name="warning" />
      <div>
        <strong>{t(isDown ? "healthDown" : "healthPart")}</strong>
        {issues.map((issue) => (
          <p key={issue.code}>{sayMessage(issue)}</p>
        ))}
        <p>
          {t("healthRemedy")} <code>knowledge-server doctor</code>
        </p>
      </div>
    </section>
  );
}

const TASKS = 6;
const TASKS_MS = 1_500;

/** The server's tasks: running ones first, then finished ones, failures last. */
function Work() {
  const { t } = useI18n();
  const { data } = useLive((signal) => readJson<TasksView>("knowledge://tasks", signal), TASKS_MS);
  if (!data || data.tasks.length === 0) return null;
  const { queued, running } = data.open;
  const isOpen = ({ status }: ListedTask) => status === "queued" || status === "running";
  const active = data.tasks.filter(isOpen).slice(0, TASKS);
  const ended = data.tasks.filter((task) => !isOpen(task)).slice(0, TASKS);
  return (
    <section class="card" aria-labelledby="work">
      <h2 id="work">{running + queued > 0 ? t("workNow", running, queued) : t("recentTasks")}</h2>
      <Rows tasks={active.length > 0 ? active : ended} />
      {active.length > 0 && ended.length > 0 && (
        <details>
          <summary class="muted">{t("recentTasks")}</summary>
          <Rows tasks={ended} />
        </details>
      )}
    </section>
  );
}

function Rows({ tasks }: { tasks: readonly ListedTask[] }) {
  const { t } = useI18n();
  return (
    <ul class="tasks">
      {tasks.map((task) => (
        <li key={task.task_id}>
          <span class="grow">
            {task.status === "completed" && task.result?.document_id ? (
              <a href={toHash("documents", task.result.document_id)}>{task.filename}</a>
            ) : (
              task.filename
            )}
          </span>
          {task.status === "running" && (
            <progress max={1} value={task.progress} aria-label={task.filename} />
          )}
          <span class={`badge ${task.status}`}>{t(TASK_WORD[task.status])}</span>
          <span class="muted small">
            <RelativeDate iso={task.created_at} />
          </span>
          <Note task={task} />
        </li>
      ))}
    </ul>
  );
}

function Note({ task }: { task: ListedTask }) {
  const { explain, sayStep } = useI18n();
  if (task.status === "running") return <span class="note small">{sayStep(task.step_codes)}</span>;
  if (task.status !== "failed") return null;
  return <span class="note small">{explain(new CallFailed(task.message, task))}</span>;
}

const TOP = 5;

/** Shows the newest and the largest side by side; reloads when the knowledge base changes. */
function TopDocuments({ changed }: { changed: string }) {
  const { t, language } = useI18n();
  const { data } = useLive(
    async (signal) => {
      const list = (sort_by: "date_added" | "size") =>
        call("knowledge-show", { limit: TOP, sort_by }, signal);
      const [newest, largest] = await Promise.all([list("date_added"), list("size")]);
      return { newest: newest.documents, largest: largest.documents };
    },
    0,
    [changed],
  );
  if (!data || data.newest.length === 0) return null;
  const size = ({ size_bytes }: DocumentRow) => formatBytes(size_bytes, language);
  return (
    <div class="pair">
      <List
        title={t("newest")}
        rows={data.newest}
        toFact={(row) => <RelativeDate iso={row.date_added} />}
      />
      <List title={t("largest")} rows={data.largest} toFact={size} />
    </div>
  );
}

interface ListProps {
  readonly title: string;
  readonly rows: readonly DocumentRow[];
  readonly toFact: (row: DocumentRow) => ComponentChildren;
}

function List({ title, rows, toFact }: ListProps) {
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      <ul class="tasks">
        {rows.map((row) => (
          <li key={row.id}>
            <a class="grow" href={toHash("documents", row.id)}>
              {row.filename}
            </a>
            <span class="muted small">{toFact(row)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
