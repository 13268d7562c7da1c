import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DEFAULT_CHUNKS } from "../../src/chunk/chunk.ts";
import { type Ingest, type IngestOptions, openIngest } from "../../src/ingest/ingest.ts";
import { openTrash } from "../../src/store/core/trash.ts";
import type { Store } from "../../src/store/store.ts";
import { openAnalyser } from "../../src/text/analyse.ts";
import { testAccess } from "./access-control.ts";
import { type Gate, type LetterEmbed, letterEmbed, openGate, plainExtract } from "./plain-parts.ts";
import { silentLog } from "./silent-log.ts";
import { type TempStore, tempStore } from "./temp-store.ts";

export interface TempIngest {
  readonly temp: TempStore;
  readonly store: Store;
  readonly ingest: Ingest;
  readonly gate: Gate;
  readonly embed: LetterEmbed;
  readonly extract: ReturnType<typeof plainExtract>;
  readonly stored: string[];
  /** Where files may be added from. */
  readonly root: string;
  /** Another process's ingest on the same data. */
  another(embed?: LetterEmbed): Promise<{ store: Store; ingest: Ingest }>;
  write(name: string, text: string): Promise<string>;
  dispose(): Promise<void>;
}

export interface TempIngestOptions extends Limits {
  /** Where documents are stored; without it, in a folder of its own. */
  readonly temp?: TempStore;
  readonly embed?: LetterEmbed;
}

export async function tempIngest(options: TempIngestOptions = {}): Promise<TempIngest> {
  const { temp = await tempStore(), embed = letterEmbed(), ...limits } = options;
  const root = join(temp.dataDir, "files");
  await mkdir(root);
  const gate = openGate();
  const extract = plainExtract(gate);
  const stored: string[] = [];
  const opened: Ingest[] = [];
  const open = (store: Store, own: LetterEmbed): Ingest => {
    const ingest = openOn(store, { temp, root, embed: own, extract, stored, limits });
    opened.push(ingest);
    return ingest;
  };
  return {
    temp,
    store: temp.store,
    ingest: open(temp.store, embed),
    gate,
    embed,
    extract,
    stored,
    root,
    async another(own = embed) {
      const store = await temp.another();
      return { store, ingest: open(store, own) };
    },
    async write(name, text) {
      const path = join(root, name);
      await writeFile(path, text);
      return path;
    },
    async dispose() {
      gate.open();
      await Promise.all(opened.map((ingest) => ingest.close()));
      await temp.dispose();
    },
  };
}

interface Parts extends Pick<TempIngest, "temp" | "embed" | "extract" | "stored"> {
  readonly root: string;
  readonly limits: Limits;
}

type Limits = Partial<
  Pick<IngestOptions, "maxQueued" | "web" | "perform" | "allowsChanges" | "refine">
>;

function openOn(store: Store, { temp, root, embed, extract, stored, limits }: Parts): Ingest {
  const { terms } = openAnalyser();
  const access = testAccess();
  return openIngest({
    store,
    extract,
    embed,
    analyser: { fingerprint: "analyse-test", terms },
    chunks: DEFAULT_CHUNKS,
    roots: [root],
    closed: [],
    home: root,
    workingDirectory: root,
    incomingDir: join(temp.dataDir, "incoming"),
    trash: openTrash(join(temp.dataDir, "trash")),
    maxFileBytes: 1024 * 1024,
    concurrency: 2,
    refine: "after",
    perform: access.perform,
    allowsChanges: access.allowsChanges,
    ...limits,
    onStored: (id) => stored.push(id),
    log: silentLog(),
  });
}
