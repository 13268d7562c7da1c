import { dirname } from "node:path";
import { runCommand } from "./program.ts";

/** Restores a backup into a new folder. Throws with the program's message if that fails. */
export async function restore(file: string, dataDir: string): Promise<void> {
  const { end, stderr } = await runCommand(["restore", file], { dataDir, files: dirname(file) });
  if (typeof end === "string" || end.code !== 0) throw new Error(`restore: ${stderr}`);
}
