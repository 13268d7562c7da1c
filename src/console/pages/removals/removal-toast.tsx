import { useI18n } from "../state/language.ts";
import type { RemovalQueue } from "./removal-queue.ts";
import { useRemovalView } from "./use-removals.ts";

/** Shown at the bottom of every page until the removal is done: what is being removed, and how to undo it. */
export function RemovalToast({ queue }: { queue: RemovalQueue }) {
  const { t, explain } = useI18n();
  const view = useRemovalView(queue);
  if (view.state === "idle") return null;
  if (view.state === "failed") {
    return (
      <p class="toast problem" role="alert">
        {t("failed", explain(view.thrown))}
      </p>
    );
  }
  const [first] = view.documents;
  const what =
    view.documents.length === 1 && first
      ? t("quoted", first.filename)
      : t("documentCount", view.documents.length);
  return (
    <div class="toast" role="status">
      <span>{t(view.state === "leaving" ? "leaving" : "removed", what)}</span>
      {view.state === "leaving" && (
        <button type="button" class="link" onClick={queue.undo}>
          {t("undo")}
        </button>
      )}
    </div>
  );
}
