import { dirname } from "node:path";
import { runCommand } from "./program.ts";

/** What a backup holds, in a folder of its own. Throws what the program says against it. */
export async function restore(file: string, dataDir: string): Promise<void> {
  const { end, stderr } = await runCommand(["restore", file], { dataDir, files: dirname(file) });
  if (typeof end === "string" || end.code !== 0) throw new Error(`restore: ${stderr}`);
}
