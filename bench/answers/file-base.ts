// Files in a knowledge base: added by the program itself, then asked room by room.
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config/config.ts";
import { openLog } from "../../src/observe/log.ts";
import { openAnalyser, openSearch } from "../../src/search/search.ts";
import { openRooms } from "../support/open-rooms.ts";
import type { CollectionBase } from "./collection-base.ts";

/** `kept` is a folder that stays, so that a second run need not read the files again. */
export async function openFileBase(folder: string, kept?: string): Promise<CollectionBase> {
  const dataDir = kept ?? (await mkdtemp(join(tmpdir(), "answers-")));
  await mkdir(dataDir, { recursive: true });
  if ((await readdir(dataDir)).length === 0) await addAll(dataDir, resolve(folder));
  const { store, embed, log, close } = openRooms(dataDir, { workers: 1, withLight: true });
  return {
    documents: store.documents,
    search: openSearch({ store: store.documents, embed, analyser: openAnalyser(), log }),
    async close() {
      await close();
      if (kept === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function addAll(dataDir: string, folder: string): Promise<void> {
  const place = { env: {}, cwd: dataDir, home: dataDir, platform: process.platform };
  // Refined as they are added: figures must not depend on how far the background has come.
  const config = await loadConfig({ "data-dir": dataDir, root: [folder], refine: "before" }, place);
  const app = await openApp(config, openLog({ level: "error" }));
  const { signal } = new AbortController();
  for (const path of (await app.operations.filesBelow(folder, signal)).files) {
    const { payload } = await app.call(
      "knowledge-add",
      { file_path: path, async: false },
      { signal },
    );
    if (!(payload as { success: boolean }).success) {
      process.stderr.write(`${path}: ${JSON.stringify(payload)}\n`);
    }
  }
  await app.close();
}
