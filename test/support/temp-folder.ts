// Folders for tests. They are removed after the test file that made them (tidy.ts).
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];

/** Its real path: what the program reports of it is comparable, whatever links lead to the temporary folder. */
export function tempFolder(name: string, parent = tmpdir()): string {
  const folder = mkdtempSync(join(realpathSync(parent), `knowledge-${name}-`));
  made.push(folder);
  return folder;
}

export function removeTempFolders(): void {
  for (const folder of made.splice(0)) {
    if (!existsSync(folder)) continue;
    // A test may have closed it.
    chmodSync(folder, 0o700);
    // A process that was killed may still be writing its last file.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}
