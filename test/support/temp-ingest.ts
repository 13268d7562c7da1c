import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Ingest } from "../../src/ingest/ingest.ts";
import type { Store } from "../../src/store/store.ts";
import { openPlainIngest, type PlainIngestOptions } from "./plain-ingest.ts";
import { type Gate, type LetterEmbed, letterEmbed, openGate, plainExtract } from "./plain-parts.ts";
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

export interface TempIngestOptions
  extends Pick<
    PlainIngestOptions,
    "maxQueued" | "web" | "s3" | "perform" | "allowsChanges" | "refine"
  > {
  /** Where documents are stored; without it, in a folder of its own. */
  readonly temp?: TempStore;
  readonly embed?: LetterEmbed;
  readonly onStored?: (id: string, scope: string) => void;
}

export async function tempIngest(options: TempIngestOptions = {}): Promise<TempIngest> {
  const { temp = await tempStore(), embed = letterEmbed(), onStored, ...limits } = options;
  const root = join(temp.dataDir, "files");
  await mkdir(root);
  const gate = openGate();
  const extract = plainExtract(gate);
  const stored: string[] = [];
  const opened: Ingest[] = [];
  const open = (store: Store, own: LetterEmbed): Ingest => {
    const ingest = openPlainIngest({
      store,
      dataDir: temp.dataDir,
      root,
      extract,
      embed: own,
      onStored: (id, scope) => {
        stored.push(id);
        onStored?.(id, scope);
      },
      ...limits,
    });
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
