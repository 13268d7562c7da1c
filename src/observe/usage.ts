// How much is asked, and how often nothing was found: counts by day, never what was asked. A lost count is nothing
// that anybody would be stopped for.

import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

export interface CountedCall {
  readonly kind: "search" | "answer";
  readonly found: boolean;
  /** A search while a person types: the next one soon replaces it. */
  readonly typedBy?: string;
}

interface UsageDay extends Counts {
  readonly day: string;
}

export interface Usage {
  note(asked: CountedCall): void;
  /** Oldest first; undefined if counting is off. */
  days(): readonly UsageDay[] | undefined;
  close(): void;
}

interface UsageParts {
  readonly dataDir: string;
  readonly usage: "on" | "off";
  readonly now?: () => Date;
}

const FILE = "usage.json";
const WRITE_AFTER_MS = 5_000;
const TYPING_MS = 3_000;

interface State {
  pending: Days;
  isOff: boolean;
  timer?: NodeJS.Timeout | undefined;
  typed?: { readonly by: string; readonly at: number; readonly added: Days } | undefined;
}

export function openUsage({ dataDir, usage, now = () => new Date() }: UsageParts): Usage {
  const path = join(dataDir, FILE);
  const state: State = { pending: new Map(), isOff: usage === "off" };
  const write = () => {
    clearTimeout(state.timer);
    state.timer = undefined;
    if (state.isOff || state.pending.size === 0) return;
    const written = addToFile(path, state.pending);
    if (written === "later") return;
    state.pending = new Map();
    state.isOff = written === "impossible";
  };
  return {
    note(asked) {
      if (state.isOff) return;
      const at = now();
      const added: Days = new Map([[dayOf(at), countsOf(asked)]]);
      state.pending = sum(replaced(state, asked, at.getTime()), added);
      const { typedBy: by } = asked;
      state.typed = by === undefined ? undefined : { by, at: at.getTime(), added };
      state.timer ??= setTimeout(write, WRITE_AFTER_MS).unref();
    },
    days() {
      if (state.isOff) return undefined;
      const days = toKept(sum(readDays(path), state.pending));
      return [...days].map(([day, counts]) => ({ day, ...counts }));
    },
    close: write,
  };
}

/** What is pending without the search that this one continues; a count below none takes from the file. */
function replaced({ pending, typed }: State, { typedBy }: CountedCall, at: number): Days {
  const continues = typed && typed.by === typedBy && at - typed.at < TYPING_MS;
  return continues ? sum(pending, typed.added, -1) : pending;
}

function sum(days: Days, more: Days, times = 1): Days {
  const result = new Map(days);
  for (const [day, add] of more) {
    const had = result.get(day) ?? NONE;
    result.set(
      day,
      toCounts((name) => had[name] + times * add[name]),
    );
  }
  return result;
}

const toCounts = (of: (name: keyof Counts) => number): Counts => ({
  searches: of("searches"),
  answers: of("answers"),
  nothing: of("nothing"),
});

function countsOf({ kind, found }: CountedCall): Counts {
  return {
    searches: kind === "search" ? 1 : 0,
    answers: kind === "answer" ? 1 : 0,
    nothing: found ? 0 : 1,
  };
}

/** In the machine's time zone. */
function dayOf(at: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

const count = z.int().min(0).max(1_000_000_000).catch(0);

const Counts = z.object({ searches: count, answers: count, nothing: count });

type Counts = Readonly<z.infer<typeof Counts>>;

/** By day, as YYYY-MM-DD. */
type Days = ReadonlyMap<string, Counts>;

type Written = "written" | "later" | "impossible";

const NONE: Counts = { searches: 0, answers: 0, nothing: 0 };

const File = z.object({ version: z.literal(1), days: z.record(z.iso.date(), Counts) });
const KEPT_DAYS = 30;
/** Far longer than any write takes, so the process that left it has died. */
const LEFT_OVER_MS = 10_000;
/** Another process is writing, or the folder does not exist yet; Windows refuses during a read. */
const PASSING = new Set(["EEXIST", "ENOENT", "EBUSY", "EPERM"]);

/** An unreadable or damaged file counts as empty. */
function readDays(path: string): Days {
  try {
    return new Map(Object.entries(File.parse(JSON.parse(readFileSync(path, "utf8"))).days));
  } catch {
    return new Map();
  }
}

/** The last days. Counts can be subtracted, so they are kept at 0 or more. */
function toKept(days: Days): Days {
  const last = [...days].sort(([a], [b]) => (a < b ? -1 : 1)).slice(-KEPT_DAYS);
  return new Map(last.map(([day, counts]) => [day, toCounts((name) => Math.max(counts[name], 0))]));
}

/** The new file is the lock: only one process can create it. */
function addToFile(path: string, added: Days): Written {
  const fresh = `${path}.new`;
  try {
    writeFileSync(fresh, "", { flag: "wx", mode: 0o600 });
    const days = Object.fromEntries(toKept(sum(readDays(path), added)));
    writeFileSync(fresh, JSON.stringify({ version: 1, days }));
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

const KINDS = new Map<string, CountedCall["kind"]>([
  ["knowledge-search", "search"],
  ["search", "search"],
  ["kb_answer", "answer"],
]);

/** The console sends this with searches while a person types. */
const TYPED = "knowledge-server/typed";

interface Ended {
  readonly tool: string;
  readonly who: string;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /** The structured content of its result. */
  readonly content: unknown;
}

/** Undefined for a call that is neither a search nor a question. */
export function toCountedCall({ tool, who, meta, content }: Ended): CountedCall | undefined {
  const kind = KINDS.get(tool);
  if (kind === undefined) return undefined;
  const typed = meta?.[TYPED] === true ? { typedBy: who } : {};
  return { kind, found: hasFound(content), ...typed };
}

function hasFound(content: unknown): boolean {
  const { results, outcome, grounded } = (content ?? {}) as Record<string, unknown>;
  if (Array.isArray(results)) return results.length > 0;
  return outcome === undefined ? grounded !== false : outcome !== "nothing";
}
