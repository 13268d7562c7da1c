// Counts by day in one small file of the data folder, which several processes add to.
import {
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import * as z from "zod";

const count = z.int().min(0).max(1_000_000_000).catch(0);

const Counts = z.object({ searches: count, answers: count, nothing: count });

export type Counts = Readonly<z.infer<typeof Counts>>;

/** By day, as YYYY-MM-DD. */
export type Days = ReadonlyMap<string, Counts>;

type Written = "written" | "later" | "impossible";

export const NONE: Counts = { searches: 0, answers: 0, nothing: 0 };

const File = z.object({ version: z.literal(1), days: z.record(z.iso.date(), Counts) });
const KEPT_DAYS = 30;
/** Far longer than any write takes, so the process that left it has died. */
const LEFT_OVER_MS = 10_000;
/** Another process is writing, or the folder does not exist yet; Windows refuses during a read. */
const PASSING = new Set(["EEXIST", "ENOENT", "EBUSY", "EPERM"]);

/** An unreadable or damaged file counts as empty. */
export function readDays(path: string): Days {
  try {
    return new Map(Object.entries(File.parse(JSON.parse(readFileSync(path, "utf8"))).days));
  } catch {
    return new Map();
  }
}

/** Counts can be subtracted, so the sum is kept at 0 or more. */
export function addDays(some: Days, others: Days): Days {
  const days = [...new Set([...some.keys(), ...others.keys()])].sort().slice(-KEPT_DAYS);
  return new Map(
    days.map((day) => {
      const [a, b] = [some.get(day) ?? NONE, others.get(day) ?? NONE];
      const sum = (name: keyof Counts) => Math.max(a[name] + b[name], 0);
      return [day, { searches: sum("searches"), answers: sum("answers"), nothing: sum("nothing") }];
    }),
  );
}

/** The new file is the lock: only one process can create it. */
export function addToFile(path: string, added: Days): Written {
  const fresh = `${path}.new`;
  try {
    const file = openSync(fresh, "wx", 0o600);
    try {
      const days = Object.fromEntries(addDays(readDays(path), added));
      writeSync(file, JSON.stringify({ version: 1, days }));
    } finally {
      closeSync(file);
    }
    renameSync(fresh, path);
    return "written";
  } catch (thrown) {
    removeLeftOver(fresh);
    return PASSING.has(String((thrown as { code?: unknown }).code)) ? "later" : "impossible";
  }
}

function removeLeftOver(fresh: string): void {
  try {
    if (Date.now() - statSync(fresh).mtimeMs > LEFT_OVER_MS) rmSync(fresh, { force: true });
  } catch {
    // Best effort: the file may already be gone.
  }
}
