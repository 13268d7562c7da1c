// npm run fuzz:tools [-- --count 20000 --seconds 300 --seed 1 --store sqlite]: calls every tool with arguments from its
// schema, on both stores.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openTestApp } from "../../test/support/app.ts";
import { tempDatabase } from "../../test/support/temp-postgres.ts";
import { type FuzzRun, readRun } from "./run.ts";
import { fuzzTools, type ToolFuzzReport } from "./run-tools.ts";

export const STORES = ["sqlite", "postgres"] as const;
export type StoreName = (typeof STORES)[number];

const RULES = { scope_id: "project-a", tier: "PROJECT", parent: "general" };

/** Undefined if the store is not available on this machine, which is reported on stderr. */
export async function fuzzToolsOn(
  store: StoreName,
  run: FuzzRun,
): Promise<ToolFuzzReport | undefined> {
  const database = store === "postgres" ? await tempDatabase() : undefined;
  if (store === "postgres" && !database) return undefined;
  const flags = database ? { "database-url": database.url } : {};
  const test = await openTestApp({ kbText: "A short text.", flags });
  try {
    const file = join(test.folder, "note.txt");
    await writeFile(file, "The keeper of the lighthouse saw a ship.");
    const call = (name: string, args: object) =>
      test.app.call(name, args, { signal: AbortSignal.timeout(200_000) });
    const { payload } = await call("knowledge-add", { file_path: file, async: false });
    await call("knowledge-scope-put", { scope_id: "general", tier: "GENERAL" });
    await call("knowledge-scope-put", RULES);
    const rule = { scope_id: "project-a", category: "git", keyword: "commit", content: "Say why." };
    await call("knowledge-entry-put", rule);
    const id = String((payload as { readonly document_id?: string }).document_id);
    const known = [
      file,
      id,
      "project-a",
      "general",
      "git",
      "commit",
      "lighthouse",
      "PROJECT",
    ] as const;
    return await fuzzTools({ app: test.app, known, ...run });
  } finally {
    await test.close();
    await database?.drop();
  }
}

if (import.meta.main) {
  const { run, isSelected } = readRun({ count: 20_000, seconds: 300 }, "store");
  for (const store of STORES.filter(isSelected)) {
    const report = await fuzzToolsOn(store, run);
    process.stdout.write(`${JSON.stringify({ store, seed: run.seed, ...report }, null, 1)}\n`);
    if (report === undefined || report.faults.length > 0) process.exitCode = 1;
  }
}
