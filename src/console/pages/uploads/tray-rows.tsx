import { Icon } from "../parts/icon.tsx";
import { Progress } from "../parts/progress.tsx";
import { useI18n } from "../state/language.ts";
import { CallFailed } from "../state/mcp.ts";
import { toHash } from "../state/route.ts";
import { TASK_WORD } from "../state/task-words.ts";
import type { MessageKey } from "../state/translations.ts";
import { Refining } from "./refining.tsx";
import { canTryAgain, type Item, type ItemState, type Summary } from "./upload-items.ts";
import type { UploadQueue } from "./upload-queue.ts";

const STATE_WORD: Record<ItemState, MessageKey> = {
  ...TASK_WORD,
  waiting: "queued",
  uploading: "uploading",
  present: "alreadyPresent",
};

// Thousands of rows would take longer to draw than the files take to read.
const SHOWN = { active: 8, failed: 50, waiting: 5, finished: 100 } as const;

interface TrayRowsProps {
  readonly summary: Summary;
  readonly unlisted: number;
  readonly queue: UploadQueue;
}

export function TrayRows({ summary, unlisted, queue }: TrayRowsProps) {
  const { t } = useI18n();
  const { active, failed, waiting, finished, done, total } = summary;
  const waits = waiting.length + unlisted;
  const isOver = done === total;
  return (
    <div class="tray-body">
      <Rows items={active} most={SHOWN.active} queue={queue} />
      <Rows items={failed} most={SHOWN.failed} queue={queue} />
      {waits > 0 && (
        <details>
          <summary>{t("waitingCount", waits)}</summary>
          <Rows items={waiting} most={SHOWN.waiting} queue={queue} />
        </details>
      )}
      {finished.length > 0 && (
        <details>
          <summary>{t("finishedCount", finished.length)}</summary>
          <Rows items={finished.toReversed()} most={SHOWN.finished} queue={queue} />
        </details>
      )}
      <Refining done={done} />
      <div class="row end">
        <button type="button" class="quiet" onClick={isOver ? queue.clear : queue.cancelAll}>
          {t(isOver ? "close" : "cancelAll")}
        </button>
      </div>
    </div>
  );
}

interface RowsProps extends Pick<TrayRowsProps, "queue"> {
  readonly items: readonly Item[];
  readonly most: number;
}

function Rows({ items, most, queue }: RowsProps) {
  const { t } = useI18n();
  return (
    <ul class="tasks">
      {items.slice(0, most).map((item) => (
        <Row key={item.key} item={item} queue={queue} />
      ))}
      {items.length > most && <li class="muted">{t("andMore", items.length - most)}</li>}
    </ul>
  );
}

function Row({ item, queue }: { item: Item; queue: UploadQueue }) {
  const { t, sayStep, explain } = useI18n();
  const { key, name, state, documentId, step, failure } = item;
  const doing = state === "uploading" ? t("uploading") : sayStep(step);
  const note = state === "failed" ? failure && explain(failure) : doing;
  const isActive = state === "uploading" || state === "running";
  const isOpen = isActive || state === "waiting" || state === "queued";
  return (
    <li>
      <span class="grow">
        {documentId ? <a href={toHash("documents", documentId)}>{name}</a> : name}
      </span>
      {isActive && <Progress value={item.fraction} label={name} />}
      {!isActive && <span class={`badge ${state}`}>{t(STATE_WORD[state])}</span>}
      {canTryAgain(item) && (
        <button type="button" class="outline small" onClick={() => queue.retry(key)}>
          <Icon name="again" /> {t("tryAgain")}
        </button>
      )}
      {isOpen && (
        <button
          type="button"
          class="quiet icon-only"
          aria-label={`${t("cancel")} ${name}`}
          onClick={() => queue.cancel(key)}
        >
          <Icon name="close" />
        </button>
      )}
      {note && <span class="note">{note}</span>}
      {item.folder && <FolderNote folder={item.folder} />}
    </li>
  );
}

/** The outcome of an archive's files, with those that failed. */
function FolderNote({ folder }: { folder: NonNullable<Item["folder"]> }) {
  const { t, explain } = useI18n();
  const { added, unchanged, skipped, failed, failures } = folder;
  const counts = [
    t("folderAdded", added),
    ...(unchanged > 0 ? [t("folderUnchanged", unchanged)] : []),
    ...(skipped > 0 ? [t("folderSkipped", skipped)] : []),
    ...(failed > 0 ? [t("failedCount", failed)] : []),
  ];
  return (
    <>
      <span class="note">{counts.join(" · ")}</span>
      {failures.map((failure) => (
        <span class="note" key={failure.file}>
          {failure.file}: {explain(new CallFailed(failure.message, failure))}
        </span>
      ))}
      {failed > failures.length && (
        <span class="note">{t("andMore", failed - failures.length)}</span>
      )}
    </>
  );
}
