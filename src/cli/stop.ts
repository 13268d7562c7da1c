// How the process ends: signals, deadlines, and the exit code whatever is still open.

export interface Stop {
  /** Aborted by the first request to stop. */
  readonly signal: AbortSignal;
  /** By Ctrl-C, rather than by a supervisor's request. */
  isInterrupted(): boolean;
  /** Closes what was opened and sets the exit code; the process ends soon after, even if something lingers. */
  end(code: number, close: () => Promise<boolean>): Promise<void>;
}

export interface StopOptions {
  /** For those who ask a second time. */
  readonly hurriedCode: number;
  readonly deadlines?: Deadlines;
}

interface Deadlines {
  /** From the first request to stop, for a command that does not notice it. */
  readonly stopMs: number;
  /** For closing what was opened. */
  readonly closeMs: number;
  /** After everything is closed: a forgotten handle must not keep the process alive. */
  readonly lingerMs: number;
}

// Running calls get 10 s to finish and closing takes up to 15 s more; orchestrators kill after 30 s.
const DEADLINES: Deadlines = { stopMs: 28_000, closeMs: 24_000, lingerMs: 1_000 };

export function openStop({ hurriedCode, deadlines = DEADLINES }: StopOptions): Stop {
  const stop = new AbortController();
  const state = { code: hurriedCode, isInterrupted: false };
  const leave = () => {
    if (!isPoolBusy()) process.exit(state.code);
    // Exiting waits for every thread of the pool, and one may hang in the operating system.
    setTimeout(() => (isPoolBusy() ? kill() : process.exit(state.code)), deadlines.lingerMs);
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      // A second request means: do not wait.
      if (stop.signal.aborted) leave();
      state.isInterrupted = name === "SIGINT";
      killAfter(deadlines.stopMs + deadlines.lingerMs);
      after(deadlines.stopMs, leave);
      stop.abort();
    });
  }
  return {
    signal: stop.signal,
    isInterrupted: () => state.isInterrupted,
    async end(code, close) {
      state.code = code;
      process.exitCode = code;
      const deadline = after(deadlines.closeMs, leave);
      const isClosed = await close();
      clearTimeout(deadline);
      // Every other exit would wait for a thread that hangs in the operating system.
      if (!isClosed) kill();
      after(deadlines.lingerMs, leave);
    },
  };
}

function kill(): void {
  process.kill(process.pid, "SIGKILL");
}

/** By another thread: a file on a disk that hangs, or endless work, may keep the main one from ever leaving. */
function killAfter(ms: number): void {
  // Loaded here, because a start has no use for it.
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const code = `setTimeout(() => process.kill(process.pid, "SIGKILL"), ${ms})`;
  const watchdog = new Worker(code, { eval: true, execArgv: [], env: {} });
  watchdog.on("error", () => {});
  watchdog.unref();
}

/** Whether a thread of Node's pool works for this one: on a file, or on the address of a host. */
function isPoolBusy(): boolean {
  return process.getActiveResourcesInfo().some((name) => POOLED.test(name));
}

const POOLED = /^(?:FS|Close|GetAddrInfo|GetNameInfo)Req/;

/** Does not itself keep the process alive. */
function after(ms: number, then: () => void): NodeJS.Timeout {
  return setTimeout(then, ms).unref();
}
