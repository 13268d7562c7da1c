// One worker thread: what is said to it, what is heard from it, and how it is ended when it is heard no more.
import type { TransferListItem, Worker } from "node:worker_threads";
import { type SilenceWatch, settlesWithin, watchSilence } from "../../../observe/silence.ts";
import type { CallMessage, ReplyMessage } from "./call-messages.ts";

export interface ThreadOptions {
  /** `pulse` is counted up by the thread while it works. */
  readonly start: (pulse: Int32Array) => Worker;
  /** How long a method may go without a sign of life. The first call of a thread also opens the database: "open". */
  readonly silentMs: (method: string) => number;
}

export interface ThreadEvents {
  readonly onReply: (reply: ReplyMessage) => void;
  /** It ended, it failed, it is silent, or what it said cannot be read. Comes once. */
  readonly onLost: (cause: unknown) => void;
}

export interface Thread {
  ask(call: CallMessage, transfer: readonly TransferListItem[]): void;
  /** Nothing is asked of it: it does not keep the process alive. */
  rest(): void;
  /** False when it hangs in the operating system, which alone can let it go. */
  end(): Promise<boolean>;
}

// Ending a thread takes milliseconds, unless it is inside a call to SQLite, which has to return first.
const END_MS = 1_000;

export function openThread({ start, silentMs }: ThreadOptions, events: ThreadEvents): Thread {
  const pulse = new Int32Array(new SharedArrayBuffer(4));
  const worker = start(pulse);
  const state: { isOpen: boolean; isLost: boolean; watch?: SilenceWatch } = {
    isOpen: false,
    isLost: false,
  };
  const end = () => settlesWithin(worker.terminate(), END_MS);
  const lose = (cause: unknown) => {
    if (state.isLost) return;
    state.isLost = true;
    state.watch?.end();
    // Nobody waits for it any more; what it had not committed is rolled back.
    worker.unref();
    void worker.terminate();
    events.onLost(cause);
  };
  worker.on("message", (reply: ReplyMessage) => {
    state.isOpen = true;
    state.watch?.end();
    if (!state.isLost) events.onReply(reply);
  });
  worker.on("messageerror", lose);
  worker.on("error", lose);
  worker.on("exit", (code) => lose(new Error(`the thread ended (${code})`)));
  return {
    ask(call, transfer) {
      worker.ref();
      state.watch = watchSilence({
        silentMs: silentMs(state.isOpen ? call.method : "open"),
        pulse: () => Atomics.load(pulse, 0),
        // What it says while it is being ended still counts: it was only slow.
        onSilent: () =>
          void end().then(() => lose(new Error(`no sign of life during '${call.method}'`))),
      });
      worker.postMessage(call, transfer);
    },
    rest: () => worker.unref(),
    end,
  };
}
