// Documents being removed: hidden at once, removed when the time to undo is over, or when the tab is closed before.
import type { DocumentRow } from "../../../tools/documents/contract.ts";
import { explain, t } from "../state/language.ts";
import { call } from "../state/mcp.ts";
import { openStore, useStore } from "../state/store.ts";

type Leaving = Pick<DocumentRow, "id" | "filename">;

type RemovalView =
  | { readonly state: "idle" }
  | { readonly state: "leaving" | "removed"; readonly documents: readonly Leaving[] }
  | { readonly state: "failed"; readonly failure: unknown };

export type RemovalQueue = ReturnType<typeof openRemovalQueue>;

/** Long enough to read a line and reach a button. */
const UNDO_MS = 7_000;
const NOTICE_MS = 4_000;
const AT_ONCE = 4;

export function openRemovalQueue() {
  const store = openStore<RemovalView>({ state: "idle" });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (next: RemovalView) => {
    clearTimeout(timer);
    store.set(next);
  };
  const finish = async (documents: readonly Leaving[]) => {
    const [failure] = await removeNow(documents);
    const view = store.get();
    // Another removal may have started in the meantime.
    if (view.state !== "leaving" || view.documents !== documents) return;
    show(failure === undefined ? { state: "removed", documents } : { state: "failed", failure });
    timer = setTimeout(() => show({ state: "idle" }), NOTICE_MS);
  };
  addEventListener("pagehide", () => {
    const view = store.get();
    if (view.state !== "leaving") return;
    void removeNow(view.documents, view.documents.length);
    show({ state: "idle" });
  });
  return {
    ...store,
    remove(documents: readonly Leaving[]) {
      const view = store.get();
      // A second removal ends the waiting time of the first.
      if (view.state === "leaving") void removeNow(view.documents);
      show({ state: "leaving", documents });
      timer = setTimeout(() => void finish(documents), UNDO_MS);
    },
    undo: () => show({ state: "idle" }),
  };
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

/** Documents hidden from lists because they are being removed or were removed. */
export function useGone(queue: RemovalQueue): ReadonlySet<string> {
  const view = useStore(queue);
  return new Set("documents" in view ? view.documents.map(({ id }) => id) : []);
}

/** Shown at the bottom of every page until the removal is done: what is being removed, and how to undo it. */
export function RemovalToast({ queue }: { queue: RemovalQueue }) {
  const view = useStore(queue);
  if (view.state === "idle") return null;
  if (view.state === "failed") {
    return (
      <p class="toast problem" role="alert">
        {t("Error: {0}", explain(view.failure))}
      </p>
    );
  }
  const { state, documents } = view;
  const [first, second] = documents;
  const isOne = first !== undefined && second === undefined;
  const what = isOne ? t("“{0}”", first.filename) : t("{0|document|documents}", documents.length);
  return (
    <div class="row toast" role="status">
      <span>{t(state === "leaving" ? "Removing {0}…" : "Removed {0}", what)}</span>
      {state === "leaving" && (
        <button type="button" class="link" onClick={queue.undo}>
          {t("Undo")}
        </button>
      )}
    </div>
  );
}
