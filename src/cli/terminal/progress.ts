// Shows progress to a waiting person; silent if stderr is not a terminal.
import { inertText } from "../../text/clean/inert.ts";
import { cutTo } from "../../text/width.ts";

export interface Progress {
  /** `fraction` is from 0 to 1. */
  update(label: string, fraction: number): void;
  end(): void;
}

const BAR_COLUMNS = 24;

export function openProgress(stderr: NodeJS.WriteStream): Progress {
  if (!stderr.isTTY) return { update: () => {}, end: () => {} };
  return {
    update(label, fraction) {
      const done = Math.round(Math.min(1, Math.max(0, fraction)) * BAR_COLUMNS);
      const bar = "█".repeat(done) + "░".repeat(BAR_COLUMNS - done);
      const percent = `${Math.round(fraction * 100)}`.padStart(3);
      const room = (stderr.columns || 80) - BAR_COLUMNS - 8;
      stderr.write(`\r\x1b[2K${bar} ${percent}% ${cutTo(inertText(label), Math.max(8, room))}`);
    },
    end: () => void stderr.write("\r\x1b[2K"),
  };
}

const PATIENCE_MS = 1_000;

export async function showWait<Result>(
  label: string,
  work: Promise<Result>,
  stderr: NodeJS.WriteStream,
): Promise<Result> {
  if (!stderr.isTTY) return work;
  const begun = performance.now();
  const tick = () => {
    const seconds = Math.floor((performance.now() - begun) / 1000);
    stderr.write(`\r\x1b[2K${cutTo(`${label}… ${seconds} s`, (stderr.columns || 80) - 1)}`);
  };
  const timer = setInterval(tick, PATIENCE_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    if (performance.now() - begun >= PATIENCE_MS) stderr.write("\r\x1b[2K");
  }
}
