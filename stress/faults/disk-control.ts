// Controls a faulty disk: which call fails and how, how many calls there were, and what they did.
// The layout is that of stress/faults/faulty-disk.h.
import { readFileSync, writeFileSync } from "node:fs";

const FAULTS = [
  "none",
  "eio",
  "enospc",
  "torn",
  "short",
  "delay",
  "kill-before",
  "kill-middle",
  "kill-after",
] as const;
type Fault = (typeof FAULTS)[number];

export interface Arming {
  readonly fault: Fault;
  /** The number of the call, from 1. */
  readonly at: number;
  /** Every later call fails too. */
  readonly sticky?: boolean;
  readonly delayMs?: number;
}

export interface DiskControl {
  readonly path: string;
  /** Restarts the counts at zero. */
  arm(arming: Arming): void;
  disarm(): void;
  counts(): { readonly calls: number; readonly fired: number };
}

const FIELDS = 6;

export function openDiskControl(path: string): DiskControl {
  // In place, because the process has mapped the file into memory.
  const put = (fields: readonly number[]) =>
    writeFileSync(
      path,
      Uint32Array.from({ length: FIELDS }, (_, at) => fields[at] ?? 0),
      {
        flag: "r+",
      },
    );
  writeFileSync(path, new Uint8Array(FIELDS * 4));
  return {
    path,
    arm: ({ fault, at, sticky = false, delayMs = 0 }) =>
      put([FAULTS.indexOf(fault), at, Number(sticky), delayMs]),
    disarm: () => put([]),
    counts: () => readCounts(path),
  };
}

function readCounts(path: string): { readonly calls: number; readonly fired: number } {
  const bytes = readFileSync(path);
  return { calls: bytes.readUInt32LE(16), fired: bytes.readUInt32LE(20) };
}

const KINDS = [
  "none",
  "create",
  "write",
  "truncate",
  "sync",
  "rename",
  "link",
  "unlink",
  "mkdir",
  "rmdir",
] as const;
export type ChangeKind = (typeof KINDS)[number];

/** One call that succeeded. `offset` is a write's place, or a truncate's new length. */
export interface DiskChange {
  readonly kind: ChangeKind;
  readonly call: number;
  readonly path: string;
  readonly other: string;
  readonly offset: number;
  readonly data: Buffer;
}

const HEAD_BYTES = 32;

export function readDiskLog(path: string): readonly DiskChange[] {
  const bytes = readFileSync(path);
  const changes: DiskChange[] = [];
  for (let at = 0; at < bytes.length; ) {
    const pathEnd = at + HEAD_BYTES + bytes.readUInt32LE(at + 8);
    const otherEnd = pathEnd + bytes.readUInt32LE(at + 12);
    const dataEnd = otherEnd + Number(bytes.readBigUInt64LE(at + 24));
    changes.push({
      kind: KINDS[bytes.readUInt32LE(at)] ?? "none",
      call: bytes.readUInt32LE(at + 4),
      path: bytes.toString("utf8", at + HEAD_BYTES, pathEnd),
      other: bytes.toString("utf8", pathEnd, otherEnd),
      offset: Number(bytes.readBigUInt64LE(at + 16)),
      data: bytes.subarray(otherEnd, dataEnd),
    });
    at = dataEnd;
  }
  return changes;
}
