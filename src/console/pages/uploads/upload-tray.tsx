// The tray at the bottom of every page: one bar for all files, with details behind it.
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { Progress } from "../parts/progress.tsx";
import { formatDuration, useI18n } from "../state/language.ts";
import { TrayRows } from "./tray-rows.tsx";
import { remainingMs, type Summary, summarise } from "./upload-items.ts";
import type { UploadQueue } from "./upload-queue.ts";
import { useDrop } from "./use-drop.ts";
import { useQueueView } from "./use-uploads.ts";

export function UploadTray({ queue }: { queue: UploadQueue }) {
  const { t } = useI18n();
  const over = useDrop(queue);
  const { items, unlisted, since } = useQueueView(queue);
  const [open, setOpen] = useOpen();
  const summary = summarise(items, unlisted);
  return (
    <>
      {over && <div class="drop-veil">{t("dropAnywhere")}</div>}
      {summary.total > 0 && (
        <section class="tray" aria-label={t("uploads")}>
          <TrayHead
            summary={summary}
            elapsedMs={Date.now() - since}
            open={open}
            onToggle={() => setOpen(!open)}
          />
          {open && <TrayRows summary={summary} unlisted={unlisted} queue={queue} />}
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
    const fold = () => {
      if (isNarrow()) setOpen(false);
    };
    addEventListener("hashchange", fold);
    return () => removeEventListener("hashchange", fold);
  }, []);
  return [open, setOpen] as const;
}

interface TrayHeadProps {
  readonly summary: Summary;
  readonly elapsedMs: number;
  readonly open: boolean;
  readonly onToggle: () => void;
}

function TrayHead({ summary, elapsedMs, open, onToggle }: TrayHeadProps) {
  const { t, language } = useI18n();
  const { done, total, failed, fraction } = summary;
  const left = remainingMs(summary, elapsedMs);
  const isOver = done === total;
  const text = isOver
    ? t("allDone", total - failed.length)
    : t("progressOf", done, total) +
      (left === undefined ? "" : ` · ${t("about", formatDuration(left, language))}`);
  return (
    <div class="tray-head">
      <button type="button" class="quiet" aria-expanded={open} onClick={onToggle}>
        <span role="status">{text}</span>
        {failed.length > 0 && <span class="badge failed">{t("failedCount", failed.length)}</span>}
        <Icon name="chevron" />
      </button>
      {!isOver && <Progress value={fraction} label={t("uploads")} />}
    </div>
  );
}
