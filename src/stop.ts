// How the process ends: signals, deadlines, and the exit code whatever is still open.

export interface Stop {
  /** Aborted by the first request to stop. */
  readonly signal: AbortSignal;
  /** Closes what was opened and sets the exit code; the process ends soon after, even if something lingers. */
  end(code: number, close: () => Promise<void>): Promise<void>;
}

export interface StopOptions {
  /** For those who ask a second time. */
  readonly hurriedCode: number;
}

// Calls that run may take 10 s to end; what takes longer than this to close is stuck.
const CLOSE_MS = 20_000;
// From the first request to stop, for a command that does not notice it. Orchestrators kill after 30 s.
const STOP_MS = 28_000;
// After everything was closed: a handle that was forgotten must not keep the process.
const LINGER_MS = 1_000;

export function openStop({ hurriedCode }: StopOptions): Stop {
  const stop = new AbortController();
  const state = { code: hurriedCode };
  const leave = () => process.exit(state.code);
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      // Whoever asks again does not want to wait.
      if (stop.signal.aborted) leave();
      stop.abort();
      after(STOP_MS, leave);
    });
  }
  return {
    signal: stop.signal,
    async end(code, close) {
      state.code = code;
      process.exitCode = code;
      const deadline = after(CLOSE_MS, leave);
      await close();
      clearTimeout(deadline);
      after(LINGER_MS, leave);
    },
  };
}

/** Does not itself keep the process alive. */
function after(ms: number, then: () => void): NodeJS.Timeout {
  return setTimeout(then, ms).unref();
}
