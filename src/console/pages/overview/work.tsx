// The server's tasks: running ones first, then finished ones, failures last.
import type { ListedTask, TasksView } from "../../../tools/documents/contract.ts";
import { RelativeDate } from "../parts/relative-date.tsx";
import { useI18n } from "../state/language.ts";
import { CallFailed, readJson } from "../state/mcp.ts";
import { toHash } from "../state/route.ts";
import { TASK_WORD } from "../state/translations.ts";
import { useLive } from "../state/use-live.ts";

const SHOWN = 6;
const EVERY_MS = 1_500;

export function Work() {
  const { t } = useI18n();
  const { data } = useLive((signal) => readJson<TasksView>("knowledge://tasks", signal), EVERY_MS);
  if (!data || data.tasks.length === 0) return null;
  const { queued, running } = data.open;
  const isOpen = ({ status }: ListedTask) => status === "queued" || status === "running";
  const active = data.tasks.filter(isOpen).slice(0, SHOWN);
  const ended = data.tasks.filter((task) => !isOpen(task)).slice(0, SHOWN);
  return (
    <section class="card" aria-labelledby="work">
      <h2 id="work">{running + queued > 0 ? t("workNow", running, queued) : t("recentTasks")}</h2>
      {active.length > 0 && <Rows tasks={active} />}
      {active.length === 0 && <Rows tasks={ended} />}
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
