// Writes, syncs and removes a small file, to check that adding a file will work.
import { randomUUID } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Message, type MessageCode, toMessage } from "../../domain/phrases/messages.ts";
import { codeOf } from "./durable-files.ts";

/** Name prefix, to recognise files of processes that died during the check. */
export const PROBE = ".health-";

const REASONS = new Map(
  Object.entries<MessageCode>({
    EACCES: "storageDenied",
    EPERM: "storageDenied",
    EROFS: "storageDenied",
    ENOENT: "storageMissing",
    ENOTDIR: "storageNoFolder",
    ENOSPC: "storageFull",
    EDQUOT: "storageQuota",
  }),
);

/** The problem; undefined if a file can be written. */
export async function probeWrite(folder: string): Promise<Message | undefined> {
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

export function storageIssue(code: unknown): Message {
  return toMessage(REASONS.get(String(code)) ?? "storageFailed");
}

const FRESH_MS = 1_000;

/** Many clients may poll the health, so the disk is written at most once per second. */
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
