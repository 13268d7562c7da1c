// A small write to a folder, made durable and undone: what adding a file will do.
import { randomUUID } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { describeNotice, type Notice } from "../../domain/phrases/notices.ts";
import { codeOf } from "./durable-files.ts";

/** Files that a process left when it died during the check begin with it. */
export const PROBE = ".health-";

const REASONS: Readonly<Record<string, Notice>> = {
  EACCES: "storageDenied",
  EPERM: "storageDenied",
  EROFS: "storageDenied",
  ENOENT: "storageMissing",
  ENOTDIR: "storageNoFolder",
  ENOSPC: "storageFull",
  EDQUOT: "storageQuota",
};

/** What is wrong with the folder, in the contract's words; undefined where a file can be written. */
export async function rehearseWrite(folder: string): Promise<string | undefined> {
  const path = join(folder, `${PROBE}${randomUUID()}`);
  try {
    const file = await open(path, "wx", 0o600);
    try {
      await file.writeFile("ok");
      await file.sync();
    } finally {
      await file.close();
      await rm(path, { force: true });
    }
    return undefined;
  } catch (thrown) {
    return storageIssue(codeOf(thrown));
  }
}

export function storageIssue(code: unknown): string {
  return describeNotice(REASONS[String(code)] ?? "storageFailed");
}

const FRESH_MS = 1_000;

/** Consoles and any number of clients ask for the health: the disk is written to once a second at most. */
export function oncePerSecond<Result>(check: () => Promise<Result>): () => Promise<Result> {
  const last: { at: number; result?: Promise<Result> } = { at: 0 };
  return () => {
    const now = performance.now();
    if (last.result === undefined || now - last.at > FRESH_MS) {
      last.at = now;
      last.result = check();
    }
    return last.result;
  };
}
