// A real file system of a few megabytes that can be filled to the last page and emptied again.
import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder } from "./temp-folder.ts";

export interface SmallDisk {
  readonly path: string;
  /** Leaves so many bytes, rounded up to a page. */
  fill(freeBytes: number): void;
  empty(): void;
  dispose(): Promise<void>;
}

const PAGE = 4096;

/** Undefined, with a message on stderr, if none can be mounted; in CI that is a failure. */
export async function smallDisk(sizeBytes: number): Promise<SmallDisk | undefined> {
  const path = tempFolder("small-disk");
  try {
    asRoot("mount", ["-t", "tmpfs", "-o", `size=${sizeBytes},mode=0777`, "tmpfs", path]);
  } catch (cause) {
    await rm(path, { recursive: true });
    const reason =
      "a small file system is needed: run the tests as root, or allow `sudo -n mount` and `sudo -n umount`";
    if (process.env["CI"] === "true") throw new Error(`In CI ${reason}.`, { cause });
    process.stderr.write(`[small disk] SKIPPED: ${reason}.\n`);
    return undefined;
  }
  const filler = join(path, "filler");
  const empty = () => rmSync(filler, { force: true });
  return {
    path,
    fill(freeBytes) {
      empty();
      const file = openSync(filler, "w");
      const page = Buffer.alloc(PAGE);
      try {
        while (freeOf(path) > freeBytes) writeSync(file, page);
      } catch (thrown) {
        // Another process took the last page.
        if ((thrown as NodeJS.ErrnoException).code !== "ENOSPC") throw thrown;
      } finally {
        closeSync(file);
      }
    },
    empty,
    async dispose() {
      asRoot("umount", ["-l", path]);
      await rm(path, { recursive: true, force: true });
    },
  };
}

function freeOf(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

function asRoot(command: string, args: readonly string[]): void {
  const isRoot = process.getuid?.() === 0;
  const [name, ...rest] = isRoot ? [command, ...args] : ["sudo", "-n", command, ...args];
  execFileSync(name as string, rest, { stdio: "pipe" });
}
