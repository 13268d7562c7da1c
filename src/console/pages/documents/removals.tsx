// Documents being removed: hidden at once, removed when the time to undo is over, or when the tab is closed before.
import type { DocumentRow } from "../../../tools/documents/contract.ts";
import { useI18n } from "../state/language.ts";
import { call } from "../state/mcp.ts";
import { useView } from "../state/use-view.ts";

type Leaving = Pick<DocumentRow, "id" | "filename">;

type RemovalView =
  | { readonly state: "idle" }
  | { readonly state: "leaving" | "removed"; readonly documents: readonly Leaving[] }
  | { readonly state: "failed"; readonly thrown: unknown };

export type RemovalQueue = ReturnType<typeof openRemovalQueue>;

/** Long enough to read a line and reach a button. */
const UNDO_MS = 7_000;
const NOTICE_MS = 4_000;
const AT_ONCE = 4;

interface RemovalState {
  readonly listeners: Set<() => void>;
  shown: RemovalView;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export function openRemovalQueue() {
  const state: RemovalState = { listeners: new Set(), shown: { state: "idle" }, timer: undefined };
  addEventListener("pagehide", () => {
    if (state.shown.state !== "leaving") return;
    void removeNow(state.shown.documents, state.shown.documents.length);
    show(state, { state: "idle" });
  });
  return {
    view: () => state.shown,
    subscribe(listener: () => void) {
      state.listeners.add(listener);
      return () => void state.listeners.delete(listener);
    },
    remove(documents: readonly Leaving[]) {
      // A second removal ends the waiting time of the first.
      if (state.shown.state === "leaving") void removeNow(state.shown.documents);
      show(state, { state: "leaving", documents });
      state.timer = setTimeout(() => void finish(state, documents), UNDO_MS);
    },
    undo: () => show(state, { state: "idle" }),
  };
}

async function finish(state: RemovalState, documents: readonly Leaving[]): Promise<void> {
  const [failure] = await removeNow(documents);
  // Another removal may have started in the meantime.
  if (state.shown.state !== "leaving" || state.shown.documents !== documents) return;
  if (failure === undefined) show(state, { state: "removed", documents });
  else show(state, { state: "failed", thrown: failure });
  state.timer = setTimeout(() => show(state, { state: "idle" }), NOTICE_MS);
}

/** Returns the errors of the documents that could not be removed. */
async function removeNow(
  documents: readonly Leaving[],
  atOnce = AT_ONCE,
): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  for (let at = 0; at < documents.length; at += atOnce) {
    const ends = await Promise.allSettled(
      documents
        .slice(at, at + atOnce)
        .map(({ id }) => call("knowledge-remove", { document_id: id, confirm: true })),
    );
    failures.push(...ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : [])));
  }
  return failures;
}

function show(state: RemovalState, next: RemovalView): void {
  clearTimeout(state.timer);
  state.shown = next;
  for (const listener of state.listeners) listener();
}

/** Documents hidden from lists because they are being removed or were removed. */
export function useGone(queue: RemovalQueue): ReadonlySet<string> {
  const view = useView(queue);
  return new Set("documents" in view ? view.documents.map(({ id }) => id) : []);
}

/** Shown at the bottom of every page until the removal is done: what is being removed, and how to undo it. */
export function RemovalToast({ queue }: { queue: RemovalQueue }) {
  const { t, explain } = useI18n();
  const view = useView(queue);
  if (view.state === "idle") return null;
  if (view.state === "failed") {
    return (
      <p class="toast problem" role="alert">
        {t("failed", explain(view.thrown))}
      </p>
    );
  }
  const { state, documents } = view;
  const [first, second] = documents;
  const isOne = first !== undefined && second === undefined;
  const what = isOne ? t("quoted", first.filename) : t("documentCount", documents.length);
  return (
    <div class="toast" role="status">
      <span>{t(state, what)}</span>
      {state === "leaving" && (
        <button type="button" class="link" onClick={queue.undo}>
          {t("undo")}
        </button>
      )}
    </div>
  );
}
