// Notices changes below a folder, debounced: a burst of them counts as one.
import { type FSWatcher, watch } from "node:fs";
import type { Log } from "../../observe/log.ts";

export const DEBOUNCE_MS = 250;

export interface ChangeSignal {
  notify(): void;
  /** Waits for a change and then for the rest of the burst, or until the time is up. */
  wait(ms: number): Promise<void>;
}

export function openChangeSignal(signal: AbortSignal): ChangeSignal {
  let isNotified = false;
  let wake = () => {};
  signal.addEventListener("abort", () => wake());
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  return {
    notify() {
      isNotified = true;
      wake();
    },
    async wait(ms: number) {
      if (!isNotified && !signal.aborted) await sleep(ms);
      if (isNotified && !signal.aborted)
        await new Promise((resolve) => setTimeout(resolve, DEBOUNCE_MS));
      isNotified = false;
    },
  };
}

export function watchFolder(root: string, notify: () => void, log: Log): FSWatcher | undefined {
  try {
    const watcher = watch(root, { recursive: true, persistent: false }, notify);
    watcher.on("error", (error) => log.warn("ingest.watch-failed", { error }));
    return watcher;
  } catch (error) {
    log.warn("ingest.watch-failed", { error });
    return undefined;
  }
}
