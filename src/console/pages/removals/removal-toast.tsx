import { useSpeech } from "../state/language.ts";
import type { RemovalQueue } from "./removal-queue.ts";
import { useRemovalView } from "./use-removals.ts";

/** Shown at the bottom of every page until the removal is done: what is being removed, and how to undo it. */
export function RemovalToast({ queue }: { queue: RemovalQueue }) {
  const { say, explain } = useSpeech();
  const view = useRemovalView(queue);
  if (view.state === "idle") return null;
  if (view.state === "failed") {
    return (
      <p class="toast problem" role="alert">
        {say("failed", explain(view.thrown))}
      </p>
    );
  }
  const [first] = view.documents;
  const what =
    view.documents.length === 1 && first
      ? say("quoted", first.filename)
      : say("documentCount", view.documents.length);
  return (
    <div class="toast" role="status">
      <span>{say(view.state === "leaving" ? "leaving" : "removed", what)}</span>
      {view.state === "leaving" && (
        <button type="button" class="link" onClick={queue.undo}>
          {say("undo")}
        </button>
      )}
    </div>
  );
}
