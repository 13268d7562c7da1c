// What is done on the faulty disk, and what the knowledge base holds before and after each.
//
//   disk/data      the knowledge base      disk/backups/kb.backup   an older backup, replaced by `backup`
//   disk/restored  filled by `restore`     disk/backups/now.backup  what `restore` reads
//   disk/new/kb    made by `first`         files/                   what is added, on a sound disk
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { KnowledgeError } from "../../src/domain/errors.ts";
import type { Ingest } from "../../src/ingest/ingest.ts";
import type { Store } from "../../src/store/store.ts";
import { openPlainIngest } from "../support/plain-ingest.ts";
import { silentLog } from "../support/silent-log.ts";
import { openStoreAt } from "../support/temp-store.ts";

export interface Place {
  readonly disk: string;
  readonly files: string;
}

/** Documents by file name, rules by keyword; when every open task has been worked. */
export interface Knowledge {
  readonly documents: Readonly<Record<string, string>>;
  readonly rule: string;
}

export const dataDirOf = ({ disk }: Place) => join(disk, "data");
export const restoredDirOf = ({ disk }: Place) => join(disk, "restored");
export const newDirOf = ({ disk }: Place) => join(disk, "new", "kb");
export const backupOf = ({ disk }: Place) => join(disk, "backups", "kb.backup");
export const sourceBackupOf = ({ disk }: Place) => join(disk, "backups", "now.backup");

/** Long enough for several pages of the database. */
export function textOf(name: string, version = 1): string {
  const line = (at: number) => `The ${name} of version${version} grows beside gate ${at}.`;
  return Array.from({ length: 12 }, (_, at) => line(at)).join("\n\n");
}

export const OLD: Knowledge = { documents: { "apple.txt": textOf("apple") }, rule: "" };
export const BASE: Knowledge = {
  documents: {
    ...OLD.documents,
    "birch.txt": textOf("birch"),
    "cedar.txt": textOf("cedar"),
    // Queued when the fault comes, and worked afterwards.
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
  clear: { ...BASE, documents: { "elder.txt": textOf("elder") } },
  rule: { ...BASE, rule: "rule 2" },
  work: BASE,
  backup: BASE,
  restore: BASE,
  first: BASE,
} as const satisfies Record<string, Knowledge>;

/** In the new folder that `first` makes. */
export const FIRST: Knowledge = { documents: { "fir.txt": textOf("fir") }, rule: "" };
export const NOTHING: Knowledge = { documents: {}, rule: "" };

export type Operation = keyof typeof AFTER;
export const OPERATIONS = Object.keys(AFTER) as readonly Operation[];

export interface Rooms {
  readonly place: Place;
  readonly store: Store;
  readonly ingest: Ingest;
  close(): Promise<void>;
}

export function openRoomsAt(place: Place, dataDir = dataDirOf(place), open = openStoreAt): Rooms {
  const store = open(dataDir);
  const ingest = openPlainIngest({ store, dataDir, root: place.files });
  return {
    place,
    store,
    ingest,
    async close() {
      await ingest.close();
      await store.close();
    },
  };
}

const log = silentLog();
const NEVER = new AbortController().signal;

export async function queueFile({ ingest, place }: Rooms, name: string, text: string) {
  const path = join(place.files, name);
  writeFileSync(path, text);
  const add = { metadata: {}, forceOcr: false, signal: NEVER };
  return (await ingest.enqueue({ kind: "file", path }, add)).task;
}

/** Throws what the task failed with. */
export async function addFile(
  rooms: Rooms,
  name: string,
  text: string,
  queued = (_: string) => {},
) {
  const { id } = await queueFile(rooms, name, text);
  queued(id);
  const { status, failure } = await rooms.ingest.finish(id, { signal: NEVER });
  if (status !== "completed") throw Object.assign(new Error(failure?.message), { failure });
}

export async function idOf({ store, place }: Rooms, name: string): Promise<string> {
  const found = await store.documents.findByPath(join(place.files, name));
  if (!found) throw new KnowledgeError("DOCUMENT_NOT_FOUND", `${name} is not there`);
  return found.id;
}

export async function putRule({ store }: Rooms, content: string): Promise<void> {
  const entry = { category: "style", keyword: "tabs", content };
  await store.scopes.apply([
    { kind: "put-scope", scope: { id: "team", tier: "GENERAL" } },
    { kind: "put-category", scope: "team", name: "style", description: "how we write" },
    { kind: "put-entry", scope: "team", ...entry },
  ]);
}

/** As the command line does it. */
export async function maintain(verb: "backup" | "restore", file: string, dataDir: string) {
  // Loaded when it is needed: most processes of a test never do.
  const { openApp } = await import("../../src/app.ts");
  const { loadConfig } = await import("../../src/config/config.ts");
  const at = { env: {}, cwd: "/", home: "/", platform: process.platform };
  const app = await openApp(await loadConfig({ "data-dir": dataDir }, at), log);
  try {
    await app.operations[verb]?.(file, { signal: NEVER, onProgress: () => {} });
  } finally {
    await app.close();
  }
}
