import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { followTasks } from "./follow-tasks.ts";
import { hasEnded } from "./upload-items.ts";
import { openUploadQueue, type QueueView, type UploadQueue } from "./upload-queue.ts";

export const UploadsContext = createContext<UploadQueue | undefined>(undefined);

/** There is one queue per tab; `active` is true once the server has accepted this person. */
export function useUploadQueue(active: boolean): UploadQueue {
  const [queue] = useState(openUploadQueue);
  useEffect(() => {
    if (!active) return;
    const abort = new AbortController();
    void followTasks(queue, abort.signal);
    return () => abort.abort();
  }, [queue, active]);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      const isLost = queue
        .view()
        .items.some((item) => item.file && !item.taskId && !hasEnded(item));
      if (isLost) event.preventDefault();
    };
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [queue]);
  return queue;
}

export function useUploads(): UploadQueue | undefined {
  return useContext(UploadsContext);
}

export function useQueueView(queue: UploadQueue): QueueView {
  const [view, setView] = useState(queue.view);
  useEffect(() => queue.subscribe(() => setView(queue.view())), [queue]);
  return view;
}

/** Calls back when more documents can be found. */
export function useOnAdded(onAdded: () => void): void {
  const queue = useUploads();
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (!queue) return;
    const countReady = () =>
      setCount(queue.view().items.filter(({ state }) => state === "completed").length);
    return queue.subscribe(countReady);
  }, [queue]);
  useEffect(() => {
    if (count > 0) onAdded();
  }, [count]);
}
