// A file in memory: what was written, and how much of it was synced.
import type { Random } from "../fuzz/random.ts";

export type Survival = "synced" | "written" | "some";

interface Change {
  readonly offset: number;
  readonly data: Buffer | "cut";
}

export interface DiskFile {
  written: Buffer;
  synced: Buffer;
  /** Since the last sync. */
  pending: Change[];
}

// What a disk writes atomically; a longer write may be torn at a multiple of it.
const SECTOR = 512;

export function newFile(bytes: Buffer): DiskFile {
  return { written: bytes, synced: bytes, pending: [] };
}

export function changeFile(file: DiskFile, change: Change): void {
  file.written = applyTo(file.written, change);
  file.pending.push(change);
}

function applyTo(bytes: Buffer, { offset, data }: Change): Buffer {
  const length = data === "cut" ? offset : Math.max(bytes.length, offset + data.length);
  const changed = Buffer.alloc(length);
  bytes.copy(changed);
  if (data !== "cut") data.copy(changed, offset);
  return changed;
}

export function bytesAfter(file: DiskFile, survival: Survival, random: Random): Buffer {
  if (survival !== "some") return survival === "synced" ? file.synced : file.written;
  let bytes = file.synced;
  for (const { offset, data } of file.pending) {
    if (random.chance(0.3)) continue;
    if (data === "cut") bytes = applyTo(bytes, { offset, data });
    else bytes = applySome(bytes, { offset, data }, random);
  }
  return bytes;
}

function applySome(
  bytes: Buffer,
  { offset, data }: { readonly offset: number; readonly data: Buffer },
  random: Random,
): Buffer {
  let changed = bytes;
  for (let at = 0; at < data.length; at += SECTOR) {
    if (random.chance(0.1)) continue;
    changed = applyTo(changed, { offset: offset + at, data: data.subarray(at, at + SECTOR) });
  }
  return changed;
}
