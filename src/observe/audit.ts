// The audit file: a JSON line for each step of a change. Several processes append to one file, and it may be
// rotated under them: every line opens the path again and is one write.
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Target } from "../domain/call/audit-event.ts";
import { inertJson } from "../text/clean/inert.ts";

export interface AuditEntry {
  /** The same in the line before a change and the line after it. */
  readonly id: string;
  readonly who: string;
  readonly did: string;
  readonly trace?: string;
  readonly to: Target;
  readonly outcome: "started" | "done" | "failed" | "refused" | "resumed";
  readonly error?: string;
}

export interface Audit {
  /** Resolves once the line is on disk; rejects if it cannot be written. */
  append(entry: AuditEntry): Promise<void>;
  /** Rejects if a line could not be written, as far as this can be checked without writing one. */
  check(): Promise<void>;
}

// NONBLOCK: a FIFO without a reader must not keep the caller waiting.
const FLAGS =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);
const MAX_TEXT = 200;

export function openAudit(path: string | undefined): Audit {
  if (path === undefined) return { append: async () => {}, check: async () => {} };
  const openFile = () => open(path, FLAGS, 0o600);
  const state: { last: Promise<unknown> } = { last: Promise.resolve() };
  // One after the other, in the order of the calls: beside each other, two would end the same torn line and leave an
  // empty one.
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const next = state.last.then(work);
    // Whoever writes a line hears of its failure; the next one is tried all the same.
    state.last = next.catch(() => {});
    return next;
  };
  return {
    async append(entry) {
      const line = toLine(entry);
      const { file, isNew } = await inTurn(async () => {
        const file = await openFile();
        return { file, isNew: await write(file, path, line).catch(closing(file)) };
      });
      try {
        if (isNew === undefined) return;
        await file.datasync();
        if (isNew) await syncFolder(dirname(path));
      } finally {
        await file.close();
      }
    },
    async check() {
      await (await openFile()).close();
    },
  };
}

function closing(file: FileHandle): (error: unknown) => Promise<never> {
  return async (error) => {
    await file.close();
    throw error;
  };
}

/** Whether it is the file's first line; undefined where there is no file to synchronise. */
async function write(file: FileHandle, path: string, line: string): Promise<boolean | undefined> {
  const before = await file.stat();
  const torn = before.isFile() && (await staysTorn(file, path));
  const bytes = Buffer.from(torn ? `\n${line}` : line);
  const { bytesWritten } = await file.write(bytes);
  if (bytesWritten < bytes.length) throw new Error("The line was written in part only.");
  return before.isFile() ? before.size === 0 : undefined;
}

// Another process needs microseconds for its line.
const LOOK_AGAIN_MS = 20;

/** A line that another process is just writing also lacks its end, for a moment. */
async function staysTorn(file: FileHandle, path: string): Promise<boolean> {
  const isTorn = async () => {
    const { size } = await file.stat();
    return size > 0 && (await endsTorn(path, size));
  };
  if (!(await isTorn())) return false;
  await sleep(LOOK_AGAIN_MS);
  return isTorn();
}

/** A full disk may have cut off a line; the next line must not continue it. */
async function endsTorn(path: string, sizeBytes: number): Promise<boolean> {
  // The server may have the right to write the file, but not to read it.
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, sizeBytes - 1);
    return bytesRead === 1 && buffer[0] !== 0x0a;
  } finally {
    await file.close();
  }
}

/** A new file needs its folder synced too; not every file system allows that. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

function toLine({ who, to, ...rest }: AuditEntry): string {
  const cut = Object.entries(to).map(([name, text]) => [name, text.slice(0, MAX_TEXT)]);
  const entry = { who: who.slice(0, MAX_TEXT), ...rest, to: Object.fromEntries(cut) };
  return `${inertJson({ time: new Date().toISOString(), ...entry })}\n`;
}
