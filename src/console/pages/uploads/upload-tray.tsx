// The tray at the bottom of every page: one bar for all files, with details behind it.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button, Icon } from "../parts/parts.tsx";
import { explain, formatDuration, sayStep, t } from "../state/language.ts";
import { CallFailed, call } from "../state/mcp.ts";
import { useOffers } from "../state/offered-tools.ts";
import { onMoved, toPath } from "../state/route.ts";
import { useStore } from "../state/store.ts";
import type { Text } from "../state/texts.ts";
import { useLive } from "../state/use-live.tsx";

import { useDrop } from "./dropped-files.ts";
import {
  canTryAgain,
  hasEnded,
  type Item,
  type ItemState,
  remainingMs,
  type Summary,
  summarise,
} from "./upload-items.ts";
import type { UploadQueue } from "./upload-queue.ts";

export function UploadTray({ queue }: { queue: UploadQueue }) {
  const over = useDrop({
    isOffered: useOffers("knowledge-add"),
    onFiles: queue.add,
  });
  const { items, unlisted, since, place } = useStore(queue);
  const [open, setOpen] = useOpen();
  const summary = summarise(items, unlisted);
  return (
    <>
      {over && (
        <div class="drop-veil">
          {place.scope
            ? t("Drop to add to {0}", place.scope)
            : t("Drop to add to the knowledge base")}
        </div>
      )}
      {summary.total > 0 && (
        <section class="tray" aria-label={t("Uploads")}>
          <TrayHead
            {...{ summary, since, open }}
            onToggle={() => setOpen(!open)}
            onClose={queue.clear}
          />
          {open && <TrayRows {...{ summary, unlisted, queue }} />}
        </section>
      )}
    </>
  );
}

// Same width as in the styles, where the tray becomes as wide as the page.
const isNarrow = () => matchMedia("(max-width: 820px)").matches;

/** If the tray would cover the page, it starts folded, also on every new page. */
function useOpen() {
  const [open, setOpen] = useState(() => !isNarrow());
  useEffect(() => {
    return onMoved(() => {
      if (isNarrow()) setOpen(false);
    });
  }, []);
  return [open, setOpen] as const;
}

interface TrayHeadProps {
  readonly summary: Summary;
  readonly since: number;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly onClose: () => void;
}

function TrayHead({ summary, since, open, onToggle, onClose }: TrayHeadProps) {
  const { done, total, failed, fraction } = summary;
  const left = remainingMs(summary, Date.now() - since);
  const isOver = done === total;
  const text = isOver
    ? t("{0|file|files} ready", total - failed.length)
    : t("{0} of {1}", done, total) +
      (left === undefined ? "" : ` · ${t("about {0}", formatDuration(left))}`);
  return (
    <div class="row tray-head">
      <button type="button" class="quiet" aria-expanded={open} onClick={onToggle}>
        <span role="status">{text}</span>
        {failed.length > 0 && <span class="badge failed">{t("{0} failed", failed.length)}</span>}
        <Icon name="chevron" />
      </button>
      {isOver && (
        <Button class="quiet icon-only" icon="close" aria-label={t("Close")} onClick={onClose} />
      )}
      {!isOver && <progress max={1} value={fraction} aria-label={t("Uploads")} />}
    </div>
  );
}

const STATE_WORD: Readonly<Record<ItemState, Text>> = {
  queued: "Queued",
  running: "Reading",
  completed: "Ready",
  failed: "Failed",
  cancelled: "Cancelled",
  waiting: "Queued",
  uploading: "Uploading",
  present: "Already here",
};

// Thousands of rows would take longer to draw than the files take to read.
const SHOWN = { active: 8, failed: 50, waiting: 5, finished: 100 } as const;

interface TrayRowsProps {
  readonly summary: Summary;
  readonly unlisted: number;
  readonly queue: UploadQueue;
}

function TrayRows({ summary, unlisted, queue }: TrayRowsProps) {
  const { active, failed, waiting, finished, done, total } = summary;
  const waits = waiting.length + unlisted;
  const isOver = done === total;
  return (
    <div class="tray-body">
      <Rows items={active} most={SHOWN.active} queue={queue} />
      <Rows items={failed} most={SHOWN.failed} queue={queue} />
      {waits > 0 && (
        <details>
          <summary>{t("{0} waiting", waits)}</summary>
          <Rows items={waiting} most={SHOWN.waiting} queue={queue} />
        </details>
      )}
      {finished.length > 0 && (
        <details>
          <summary>{t("{0} finished", finished.length)}</summary>
          <Rows items={finished.toReversed()} most={SHOWN.finished} queue={queue} />
        </details>
      )}
      <Refining done={done} />
      {!isOver && (
        <div class="row end">
          <Button class="quiet" text={t("Cancel all")} onClick={queue.cancelAll} />
        </div>
      )}
    </div>
  );
}

interface RowsProps extends Pick<TrayRowsProps, "queue"> {
  readonly items: readonly Item[];
  readonly most: number;
}

function Rows({ items, most, queue }: RowsProps) {
  return (
    <ul class="tasks">
      {items.slice(0, most).map((item) => (
        <Row key={item.key} item={item} queue={queue} />
      ))}
      {items.length > most && <li class="muted">{t("and {0} more", items.length - most)}</li>}
    </ul>
  );
}

function Row({ item, queue }: { item: Item; queue: UploadQueue }) {
  const { key, name } = item;
  return (
    <ItemRow item={item}>
      {canTryAgain(item) && (
        <Button
          class="outline small"
          icon="again"
          text={t("Try again")}
          onClick={() => queue.retry(key)}
        />
      )}
      {!hasEnded(item) && (
        <Button
          class="quiet icon-only"
          icon="close"
          aria-label={`${t("Cancel")} ${name}`}
          onClick={() => queue.cancel(key)}
        />
      )}
    </ItemRow>
  );
}

interface ItemRowProps {
  readonly item: Item;
  /** At the end of its line. */
  readonly children: ComponentChildren;
}

/** A file that is or was added: its state, what is being done with it, and why it failed. */
export function ItemRow({ item, children }: ItemRowProps) {
  const { name, state, documentId, step, failure } = item;
  const doing = state === "uploading" ? t("Uploading") : sayStep(step);
  const note = failure ? explain(failure) : doing;
  const isActive = state === "uploading" || state === "running";
  return (
    <li>
      <span class="grow">
        {documentId ? <a href={toPath("documents", documentId)}>{name}</a> : name}
      </span>
      {isActive && <progress max={1} value={item.fraction} aria-label={name} />}
      {!isActive && <span class={`badge ${state}`}>{t(STATE_WORD[state])}</span>}
      {children}
      {note && <span class="note small">{note}</span>}
      {item.folder && <FolderNote folder={item.folder} />}
    </li>
  );
}

/** The outcome of an archive's files, with those that failed. */
function FolderNote({ folder }: { folder: NonNullable<Item["folder"]> }) {
  const { added, unchanged, skipped, failed, failures } = folder;
  const counts = [
    t("{0|file|files} added", added),
    unchanged > 0 && t("{0} already here", unchanged),
    skipped > 0 && t("{0|picture|pictures} without text skipped", skipped),
    failed > 0 && t("{0} failed", failed),
  ];
  return (
    <>
      <span class="note">{counts.filter(Boolean).join(" · ")}</span>
      {failures.map((failure) => (
        <span class="note" key={failure.file}>
          {failure.file}: {explain(new CallFailed(failure.message, failure))}
        </span>
      ))}
      {failed > failures.length && (
        <span class="note">{t("and {0} more", failed - failures.length)}</span>
      )}
    </>
  );
}

const REFINING_MS = 5_000;

/** Shows the second stage in one unobtrusive line, because its documents can already be found. */
function Refining({ done }: { done: number }) {
  const { data } = useLive((signal) => call("knowledge-status", {}, signal), REFINING_MS, [done]);
  if (!data?.refining) return null;
  return (
    <p class="muted small">
      {t(
        "{0|passage|passages} can already be found; the model is still reading them.",
        data.refining.chunks,
      )}
    </p>
  );
}
