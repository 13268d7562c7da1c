// The operations on the faulty disk, and what the knowledge base holds before and after each.
//
//   disk/data      the knowledge base      disk/backups/kb.backup   an older backup, replaced by `backup`
//   disk/restored  filled by `restore`     disk/backups/now.backup  what `restore` reads
//   disk/new/kb    made by `first`         files/                   what is added, on a healthy disk
import { join } from "node:path";

export interface Place {
  readonly disk: string;
  readonly files: string;
}

/** Documents by file name, and the rule, once every open task has been processed. */
export interface Knowledge {
  readonly documents: Readonly<Record<string, string>>;
  readonly rule: string;
}

export const dataDirOf = ({ disk }: Place) => join(disk, "data");
export const restoredDirOf = ({ disk }: Place) => join(disk, "restored");
export const newDirOf = ({ disk }: Place) => join(disk, "new", "kb");
export const backupOf = ({ disk }: Place) => join(disk, "backups", "kb.backup");
export const sourceBackupOf = ({ disk }: Place) => join(disk, "backups", "now.backup");

/** Long enough for several pages of the database. In German, which the model does not read: nothing is refined. */
export function textOf(name: string, version = 1): string {
  const line = (at: number) => `Die ${name} der Fassung${version} wächst neben dem Tor ${at}.`;
  return Array.from({ length: 12 }, (_, at) => line(at)).join("\n\n");
}

export const OLD: Knowledge = { documents: { "apple.txt": textOf("apple") }, rule: "" };
export const BASE: Knowledge = {
  documents: {
    ...OLD.documents,
    "birch.txt": textOf("birch"),
    "cedar.txt": textOf("cedar"),
    // Queued when the fault happens, and processed afterwards.
    "elder.txt": textOf("elder"),
  },
  rule: "rule 1",
};

const without = (name: string) =>
  Object.fromEntries(Object.entries(BASE.documents).filter(([each]) => each !== name));

export const AFTER = {
  add: { ...BASE, documents: { ...BASE.documents, "fir.txt": textOf("fir") } },
  enqueue: { ...BASE, documents: { ...BASE.documents, "fir.txt": textOf("fir") } },
  replace: { ...BASE, documents: { ...BASE.documents, "apple.txt": textOf("apple", 2) } },
  remove: { ...BASE, documents: without("birch.txt") },
  // Also cancels the waiting task.
  clear: { ...BASE, documents: {} },
  rule: { ...BASE, rule: "rule 2" },
  work: BASE,
  backup: BASE,
  restore: BASE,
  first: BASE,
} as const satisfies Record<string, Knowledge>;

/** In the new folder that `first` creates. */
export const FIRST: Knowledge = { documents: { "fir.txt": textOf("fir") }, rule: "" };
export const NOTHING: Knowledge = { documents: {}, rule: "" };

/** What is left if a clear fails after it cancelled the waiting task. */
export const CANCELLED: Knowledge = { ...BASE, documents: without("elder.txt") };

export type Operation = keyof typeof AFTER;
export const OPERATIONS = Object.keys(AFTER) as readonly Operation[];
