// How much memory another process uses.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";

const PAGE_BYTES = 4096;

/**
 * Resident bytes; undefined if the system does not report them (the heap cap and the time limits
 * still apply).
 */
export async function residentBytes(pid: number): Promise<number | undefined> {
  if (process.platform === "linux") {
    const statm = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => undefined);
    const pages = Number(statm?.split(" ")[1]);
    if (Number.isFinite(pages)) return pages * PAGE_BYTES;
  }
  return process.platform === "win32" ? undefined : residentByPs(pid);
}

function residentByPs(pid: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    execFile("ps", ["-o", "rss=", "-p", String(pid)], (error, stdout) => {
      const kilobytes = Number(stdout.trim());
      resolve(error === null && kilobytes > 0 ? kilobytes * 1024 : undefined);
    });
  });
}
