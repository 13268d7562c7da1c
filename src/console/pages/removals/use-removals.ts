import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { openRemovalQueue, type RemovalQueue, type RemovalView } from "./removal-queue.ts";

/** Provided by the shell to every page. */
export const RemovalsContext = createContext<RemovalQueue | undefined>(undefined);

export function useRemovalQueue(): RemovalQueue {
  const [queue] = useState(openRemovalQueue);
  return queue;
}

interface Removals {
  readonly view: RemovalView;
  readonly remove: RemovalQueue["remove"];
  /** Documents hidden from lists because they are being removed or were removed. */
  readonly gone: ReadonlySet<string>;
}

export function useRemovals(): Removals {
  const queue = useContext(RemovalsContext);
  const view = useRemovalView(queue);
  const documents = view.state === "leaving" || view.state === "removed" ? view.documents : [];
  const gone = new Set(documents.map(({ id }) => id));
  return { view, gone, remove: (leaving) => queue?.remove(leaving) };
}

export function useRemovalView(queue: RemovalQueue | undefined): RemovalView {
  const [view, setView] = useState<RemovalView>(() => queue?.view() ?? { state: "idle" });
  useEffect(() => queue?.subscribe(() => setView(queue.view())), [queue]);
  return view;
}
