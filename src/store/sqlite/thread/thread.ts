// One worker thread: its messages, its heartbeat, and its end when the heartbeat stops.
import type { Worker } from "node:worker_threads";
import { type SilenceWatch, settlesWithin, watchSilence } from "../../../observe/silence.ts";
import type { CallMessage, ReplyMessage } from "./serve-calls.ts";

export interface ThreadOptions {
  /** The thread increments `pulse` while it works. */
  readonly start: (pulse: Int32Array) => Worker;
  /** How long a method may go without a heartbeat. A thread's first call counts as "open": it opens the database. */
  readonly silentMs: (method: string) => number;
}

export interface ThreadEvents {
  readonly onReply: (reply: ReplyMessage) => void;
  /** The thread ended, failed, stopped its heartbeat or sent an unreadable message. Called once. */
  readonly onLost: (cause: unknown) => void;
}

export interface Thread {
  ask(call: CallMessage): void;
  /** Call it when the thread has no work: it then does not keep the process alive. */
  unref(): void;
  /** False if it hangs in a system call, which only the operating system can end. */
  end(): Promise<boolean>;
}

// Terminating a thread takes milliseconds of the processor, unless it is inside a SQLite call, which must return first.
const END_MS = 2_500;

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
    // Nobody waits for it any more; uncommitted work is rolled back.
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
    ask(call) {
      worker.ref();
      state.watch = watchSilence({
        silentMs: silentMs(state.isOpen ? call.method : "open"),
        pulse: () => Atomics.load(pulse, 0),
        // A reply during termination still counts: the thread was only slow.
        onSilent: () =>
          void end().then(() => lose(new Error(`no sign of life during '${call.method}'`))),
      });
      worker.postMessage(call);
    },
    unref: () => worker.unref(),
    end,
  };
}
