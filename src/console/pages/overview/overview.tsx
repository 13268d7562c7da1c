import type { ListedTask, TasksView } from "../../../tools/documents/contract.ts";
import { Empty } from "../parts/empty.tsx";
import { Progress } from "../parts/progress.tsx";
import { When } from "../parts/when.tsx";
import { formatBytes, formatDate, useSpeech } from "../state/language.ts";
import { useLive } from "../state/live.ts";
import { call, readJson } from "../state/mcp.ts";
import { toHash } from "../state/route.ts";
import { TASK_WORD } from "../state/task-words.ts";
import { GrowthChart, growth } from "./growth-chart.tsx";

const PAGE = 1_000;
const TWO_DAYS_MS = 2 * 86_400_000;

async function allDates(signal: AbortSignal): Promise<readonly string[]> {
  const dates: string[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await call("knowledge-show", { limit: PAGE, offset }, signal);
    dates.push(...page.documents.map((document) => document.date_added));
    if (dates.length >= page.total_count || page.documents.length === 0) return dates;
  }
}

export function Overview() {
  const { say, language } = useSpeech();
  const { data: status, error } = useLive((signal) => call("knowledge-status", {}, signal), 3_000);
  const changed = status?.last_updated ?? "";
  const { data: dates } = useLive(allDates, 0, [changed, status?.knowledge_base.document_count]);
  if (error && !status) return <p class="problem">{say("failed", error)}</p>;
  if (!status) return <p aria-busy="true">{say("loading")}</p>;
  const { knowledge_base: base, health } = status;
  const points = growth(dates ?? []);
  const day = new Intl.DateTimeFormat(language, { month: "short", day: "numeric" });
  const hour = new Intl.DateTimeFormat(language, { hour: "numeric", minute: "2-digit" });
  return (
    <>
      <div class="row between">
        <h1>{say("overview")}</h1>
        <span class={`badge ${health.status === "healthy" ? "good" : "bad"}`}>
          {say(health.status === "healthy" ? "healthy" : "degraded")}
        </span>
      </div>
      {health.issues?.map((issue) => (
        <p key={issue} class="problem">
          {issue}
        </p>
      ))}
      {base.document_count === 0 && <EmptyHint />}
      <dl class="tiles">
        <Tile label={say("documents")} value={base.document_count.toLocaleString(language)} />
        <Tile label={say("chunks")} value={base.total_chunks.toLocaleString(language)} />
        <Tile label={say("size")} value={formatBytes(base.total_size_bytes, language)} />
        <Tile
          label={say("lastUpdated")}
          value={formatDate(status.last_updated ?? "", language) || say("never")}
        />
      </dl>
      {status.refining && <p class="muted">{say("refining", status.refining.chunks)}</p>}
      <section class="card" aria-labelledby="growth">
        <h2 id="growth">{say("growth")}</h2>
        {points.length === 0 ? (
          <p class="muted">{say("growthEmpty")}</p>
        ) : (
          <GrowthChart
            points={points}
            label={say("growthOf", points.length)}
            formatTime={(at, spanMs) => (spanMs > TWO_DAYS_MS ? day : hour).format(at)}
          />
        )}
      </section>
      <RecentTasks />
      <p class="muted">
        {say("model")}: <code>{status.configuration.embedding_model}</code> (
        {say(health.embedding_model_loaded ? "modelReady" : "modelCold")})
      </p>
    </>
  );
}

function Tile({ label, value }: { label: string; value: string }) {
  return (
    <div class="tile">
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function EmptyHint() {
  const { say } = useSpeech();
  return (
    <Empty icon="upload" title={say("emptyTitle")} text={say("emptyHint")}>
      <a class="button" href={toHash("documents")}>
        {say("goDocuments")}
      </a>
    </Empty>
  );
}

function noteOf(task: ListedTask): string {
  if (task.status === "running") return task.current_step;
  return "message" in task ? task.message : "";
}

function RecentTasks() {
  const { say } = useSpeech();
  const { data } = useLive((signal) => readJson<TasksView>("knowledge://tasks", signal), 1_500);
  const tasks = data?.tasks ?? [];
  return (
    <section class="card" aria-labelledby="tasks">
      <h2 id="tasks">{say("recentTasks")}</h2>
      {tasks.length === 0 && <p class="muted">{say("noTasks")}</p>}
      <ul class="tasks">
        {tasks.slice(0, 10).map((task) => (
          <li key={task.task_id}>
            <span class="grow">
              {task.status === "completed" && task.result?.document_id ? (
                <a href={toHash("documents", task.result.document_id)}>{task.filename}</a>
              ) : (
                task.filename
              )}
            </span>
            <span class="muted">{noteOf(task)}</span>
            {task.status === "running" && <Progress value={task.progress} label={task.filename} />}
            <span class={`badge ${task.status}`}>{say(TASK_WORD[task.status])}</span>
            <span class="muted">
              <When iso={task.created_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
