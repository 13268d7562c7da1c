// Real files, our own tables and forms in one knowledge base: added by the program itself, then asked room by room.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Reading } from "../../src/answer/answer-from-passages.ts";
import { openReadingCache } from "../../src/answer/reading-cache.ts";
import { openApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config/config.ts";
import { openLog } from "../../src/observe/log.ts";
import { openAnalyser, openSearch, type Search } from "../../src/search/search.ts";
import { openRooms } from "../support/open-rooms.ts";
import { FORMS } from "./forms.ts";
import { FRESH_FORMS } from "./fresh/fresh-forms.ts";
import { FRESH_TABLES } from "./fresh/fresh-tables.ts";
import { MANUALS } from "./fresh/manuals.ts";
import { tableFiles } from "./tables.ts";

export interface AskedBase {
  readonly search: Search;
  readonly reading: Reading;
  close(): Promise<void>;
}

/** `data` holds documents/files; `kept` is a folder that stays, so that a second run need not read them again. */
export async function openDocumentBase(data: string, kept?: string): Promise<AskedBase> {
  const base = kept ?? (await mkdtemp(join(tmpdir(), "answers-")));
  const own = join(base, "own");
  await mkdir(own, { recursive: true });
  const files = [...tableFiles(), ...FORMS, ...MANUALS, ...FRESH_TABLES, ...FRESH_FORMS];
  for (const { filename, content } of files) await writeFile(join(own, filename), content);
  const dataDir = join(base, "data");
  await addAll(dataDir, [resolve(data, "documents", "files"), own]);
  const { store, embed, log, close } = openRooms(dataDir, { workers: 1, withLight: true });
  const light = await embed.light?.load();
  return {
    search: openSearch({ store: store.documents, embed, analyser: openAnalyser(), log }),
    reading: { documents: store.documents, encode: light?.encode, cache: openReadingCache() },
    async close() {
      await close();
      if (kept === undefined) await rm(base, { recursive: true, force: true });
    },
  };
}

async function addAll(dataDir: string, folders: readonly string[]): Promise<void> {
  const place = { env: {}, cwd: dataDir, home: dataDir, platform: process.platform };
  // Refined as they are added: figures must not depend on how far the background has come.
  const flags = { "data-dir": dataDir, root: [...folders], refine: "before" };
  const config = await loadConfig(flags, place);
  const app = await openApp(config, openLog({ level: "error" }));
  const { signal } = new AbortController();
  for (const folder of folders)
    for (const path of (await app.operations.filesBelow(folder, signal)).files) {
      const { payload } = await app.call(
        "knowledge-add",
        { file_path: path, async: false },
        { signal },
      );
      if (!(payload as { success: boolean }).success)
        process.stderr.write(`${path}: ${JSON.stringify(payload)}\n`);
    }
  await app.close();
}
