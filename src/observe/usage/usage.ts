// How much is asked, and how often nothing was found: counts by day, never what was asked. A lost count is nothing
// that anybody would be stopped for.
import { join } from "node:path";
import { addDays, addToFile, type Counts, type Days, NONE, readDays } from "./usage-file.ts";

export interface Asked {
  readonly kind: "search" | "answer";
  readonly found: boolean;
  /** A search while a person types: the next one soon replaces it. */
  readonly typedBy?: string;
}

interface UsageDay extends Counts {
  readonly day: string;
}

export interface Usage {
  note(asked: Asked): void;
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
      const days = addDays(readDays(path), state.pending);
      return [...days].map(([day, counts]) => ({ day, ...counts }));
    },
    close: write,
  };
}

/** What is pending without the search that this one continues; a count below none takes from the file. */
function replaced({ pending, typed }: State, { typedBy }: Asked, at: number): Days {
  const continues = typed && typed.by === typedBy && at - typed.at < TYPING_MS;
  return continues ? sum(pending, typed.added, -1) : pending;
}

function sum(days: Days, more: Days, times = 1): Days {
  const result = new Map(days);
  for (const [day, add] of more) {
    const had = result.get(day) ?? NONE;
    result.set(day, {
      searches: had.searches + times * add.searches,
      answers: had.answers + times * add.answers,
      nothing: had.nothing + times * add.nothing,
    });
  }
  return result;
}

function countsOf({ kind, found }: Asked): Counts {
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
