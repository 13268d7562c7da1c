// Detects that a thread or a child process no longer responds to a request, and that a process has ended.

export interface SilenceWatch {
  /** A sign of life: restarts the wait. */
  heard(): void;
  end(): void;
}

export interface SilenceOptions {
  readonly silentMs: number;
  readonly onSilent: () => void;
}

// Steps are counted instead of time: a process that was paused or busy itself counts one step for all of it, so what
// was said meanwhile is heard before anything is given up.
const STEPS = 4;

export function watchSilence({ silentMs, onSilent }: SilenceOptions): SilenceWatch {
  const state = { steps: 0 };
  const timer = setInterval(() => {
    state.steps += 1;
    if (state.steps < STEPS) return;
    clearInterval(timer);
    onSilent();
  }, silentMs / STEPS).unref();
  return {
    heard() {
      state.steps = 0;
    },
    end: () => clearInterval(timer),
  };
}

/** Whether the promise settles, either way, within the time. */
export async function settlesWithin(ending: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const state = { steps: 0 };
  const timer = setInterval(() => {
    state.steps += 1;
    if (state.steps === STEPS) resolve(false);
  }, ms / STEPS);
  const settled = ending.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearInterval(timer);
  }
}

/** True only if it is certain; a process of another user is there too. */
export function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
