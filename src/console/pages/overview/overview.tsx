import type { ListedTask, Status, TasksView } from "../../../tools/documents/contract.ts";
import type { StaleDocument } from "../../../tools/operations.ts";
import { Card, Icon, NoDocuments, RelativeDate, Tiles } from "../parts/parts.tsx";
import { Samples } from "../parts/samples.tsx";
import { formatBytes, formatDay, languageNow, sayMessage, t } from "../state/language.ts";
import { call, readJson } from "../state/mcp.ts";
import { toPath } from "../state/route.ts";
import { useApi, useLive } from "../state/use-live.tsx";
import { fromTask, type Item } from "../uploads/upload-items.ts";
import { ItemRow } from "../uploads/upload-tray.tsx";

const STATUS_MS = 3_000;

export function Overview() {
  const { data: status, failed } = useLive(
    (signal) => call("knowledge-status", {}, signal),
    STATUS_MS,
  );
  if (failed && !status) return failed;
  if (!status) return <p aria-busy="true">{t("Loading…")}</p>;
  const { knowledge_base: base, health, refining } = status;
  const isWell = health.status === "healthy";
  return (
    <>
      <div class="row between">
        <h1>{t("Overview")}</h1>
        <span class={`badge ${isWell ? "good" : "bad"}`}>{t(isWell ? "Healthy" : "Degraded")}</span>
      </div>
      <Health health={health} />
      {base.document_count === 0 && <NoDocuments />}
      <Samples />
      <Totals status={status} />
      <Work />
      {refining && (
        <p class="muted">
          {t(
            "{0|passage|passages} can already be found; the model is still reading them.",
            refining.chunks,
          )}
        </p>
      )}
      <Stale />
      <UsageByDay />
      <p class="muted small">
        {t("Embedding model")}: <code>{status.configuration.embedding_model}</code> (
        {t(health.embedding_model_loaded ? "loaded" : "loads at first use")})
      </p>
    </>
  );
}

function Totals({ status: { knowledge_base: base, last_updated: updated } }: { status: Status }) {
  const tiles = [
    [t("Documents"), base.document_count.toLocaleString(languageNow())],
    [t("Passages"), base.total_chunks.toLocaleString(languageNow())],
    [t("Size"), formatBytes(base.total_size_bytes)],
    [t("Last change"), updated ? <RelativeDate key="when" iso={updated} /> : t("never")],
  ] as const;
  return <Tiles tiles={tiles} />;
}

/** Says what is wrong and what helps; shows only a mark if everything works. */
function Health({ health }: { health: Status["health"] }) {
  const issues = health.issue_codes ?? [];
  if (issues.length === 0) return null;
  const isDown = !health.vector_db_connected || !health.storage_accessible;
  return (
    <section class={`notice ${isDown ? "bad" : ""}`} aria-label={t("Degraded")}>
      <Icon name="warning" />
      <div>
        <strong>
          {t(
            isDown
              ? "The knowledge base cannot be reached"
              : "Searching works, but something needs attention",
          )}
        </strong>
        {issues.map((issue) => (
          <p key={issue.code}>{sayMessage(issue)}</p>
        ))}
        <p>
          {t("For details and fixes, run")} <code>knowledge-server doctor</code>
        </p>
      </div>
    </section>
  );
}

const TASKS = 6;
const TASKS_MS = 1_500;

/** The server's tasks: running ones first, then finished ones, failures last. */
function Work() {
  const { data } = useLive((signal) => readJson<TasksView>("knowledge://tasks", signal), TASKS_MS);
  if (!data || data.tasks.length === 0) return null;
  const { queued, running } = data.open;
  const isOpen = ({ status }: ListedTask) => status === "queued" || status === "running";
  const active = data.tasks.filter(isOpen).slice(0, TASKS);
  const ended = data.tasks.filter((task) => !isOpen(task)).slice(0, TASKS);
  return (
    <Card
      title={
        running + queued > 0 ? t("{0} being read, {1} waiting", running, queued) : t("Recent tasks")
      }
    >
      <Rows tasks={active.length > 0 ? active : ended} />
      {active.length > 0 && ended.length > 0 && (
        <details>
          <summary class="muted">{t("Recent tasks")}</summary>
          <Rows tasks={ended} />
        </details>
      )}
    </Card>
  );
}

function Rows({ tasks }: { tasks: readonly ListedTask[] }) {
  return (
    <ul class="tasks">
      {tasks.map((task) => (
        <ItemRow key={task.task_id} item={toItem(task)}>
          <span class="muted small">
            <RelativeDate iso={task.created_at} />
          </span>
        </ItemRow>
      ))}
    </ul>
  );
}

function toItem(task: ListedTask): Item {
  const { task_id: key, filename: name } = task;
  return { key, name, state: "queued", fraction: 0, step: [], ...fromTask(task) };
}

/** What to check or replace first. */
function Stale() {
  const { data } = useApi<{ documents: readonly StaleDocument[] }>("/api/stale");
  if (!data || data.documents.length === 0) return null;
  return (
    <Card title={t("Old, and often shown")}>
      <p class="muted">
        {t("Not changed for a year, but found again and again: check these first.")}
      </p>
      <ul class="tasks">
        {data.documents.map(({ document_id: id, title, filename, shown, ...dates }) => (
          <li key={id}>
            <a class="grow" href={toPath("documents", id)}>
              {title ?? filename}
            </a>
            <span class="muted small">
              {t("shown {0|time|times}", shown)} ·{" "}
              <RelativeDate iso={dates.modified ?? dates.date_added} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface UsageDay {
  readonly day: string;
  readonly searches: number;
  readonly answers: number;
  readonly nothing: number;
}

interface Counted {
  readonly counting: boolean;
  readonly days: readonly UsageDay[];
}

const USAGE_MS = 5_000;
const SHOWN = 7;

/** The last week, newest first. Hidden if nothing is counted. */
function UsageByDay() {
  const { data } = useApi<Counted>("/api/usage", USAGE_MS);
  if (!data?.counting) return null;
  const days = data.days.slice(-SHOWN).toReversed();
  const most = Math.max(...days.map(askedOn), 1);
  return (
    <Card title={t("Usage")}>
      <ul class="bars">
        {days.map((day) => (
          <Bar key={day.day} day={day} most={most} />
        ))}
      </ul>
      <p class="muted small">
        {t(
          days.length === 0
            ? "No searches or questions yet. Those from this server's clients are counted here by day, those from the command line are not. Their text is not stored."
            : "Searches and questions from this server's clients. Only counts are kept; their text is not stored.",
        )}
      </p>
    </Card>
  );
}

function Bar({ day, most }: { readonly day: UsageDay; readonly most: number }) {
  const { searches, answers, nothing } = day;
  const facts = [
    searches > 0 && t("{0|search|searches}", searches),
    answers > 0 && t("{0|answer|answers}", answers),
    nothing > 0 && t("{0} found nothing", nothing),
  ];
  // Noon, so that a time zone cannot move it to another day.
  const noon = Date.parse(`${day.day}T12:00:00`);
  return (
    <li>
      <time dateTime={day.day}>{formatDay(noon)}</time>
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width={(askedOn(day) / most) * 100} height="1" />
      </svg>
      <span class="muted small">{facts.filter(Boolean).join(" · ")}</span>
    </li>
  );
}

function askedOn({ searches, answers }: UsageDay): number {
  return searches + answers;
}
