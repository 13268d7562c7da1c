// A folder to import rules from, and scopes in memory to import them into.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openScopes } from "../../src/scopes/scopes.ts";
import { openMemoryScopes } from "./memory-scopes.ts";
import { silentLog } from "./silent-log.ts";
import { tempFolder } from "./temp-folder.ts";

export function openImportFolder() {
  const folder = tempFolder("import");
  const scopes = openScopes({ store: openMemoryScopes(), log: silentLog() });
  return {
    folder,
    scopes,
    async write(files: Readonly<Record<string, string>>): Promise<void> {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      }
    },
    async keywords(id: string): Promise<Record<string, readonly string[]>> {
      const resolved = await scopes.get(id);
      const names = resolved.categories().map(({ name }) => name);
      return { ...resolved.keywords(names).keywords };
    },
    async content(id: string, name: string): Promise<string | undefined> {
      return (await scopes.get(id)).knowledge([name]).entries[0]?.content;
    },
  };
}
