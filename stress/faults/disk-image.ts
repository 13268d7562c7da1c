// A disk in memory, with the two states that a power cut chooses from: what was synced, and what was written.
// Strict: a file's bytes are safe after its own sync, its name after a sync of its folder.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Random } from "../fuzz/random.ts";
import type { DiskChange } from "./disk-control.ts";
import { bytesAfter, changeFile, type DiskFile, newFile, type Survival } from "./disk-file.ts";

type Node = DiskFile | "folder";
type Names = Map<string, Node>;

interface NameChange {
  readonly folders: readonly string[];
  readonly apply: (names: Names) => void;
}

export interface PowerCut {
  readonly names: Survival;
  readonly data: Survival;
}

export interface DiskImage {
  change(change: DiskChange): void;
  /** What is found after a power cut at this moment, by path: bytes, or "folder". */
  cut(how: PowerCut, random: Random): ReadonlyMap<string, Buffer | "folder">;
}

export function openDiskImage(folder: string): DiskImage {
  const names: Names = new Map();
  load(folder, names);
  const synced: Names = new Map(names);
  const state = { pending: [] as NameChange[] };

  const rename = (apply: NameChange["apply"], ...paths: string[]) => {
    apply(names);
    state.pending.push({ folders: paths.map(dirname), apply });
  };
  const fileAt = (path: string) => {
    const node = names.get(path);
    return node === "folder" ? undefined : node;
  };
  const syncFolder = (path: string) => {
    const isHere = ({ folders }: NameChange) => folders.at(-1) === path;
    for (const change of state.pending.filter(isHere)) change.apply(synced);
    state.pending = state.pending.filter((change) => !isHere(change));
  };

  const APPLY: Record<DiskChange["kind"], (change: DiskChange) => void> = {
    none() {},
    create({ path }) {
      const file = newFile(Buffer.alloc(0));
      rename((into) => into.set(path, file), path);
    },
    mkdir: ({ path }) => rename((into) => into.set(path, "folder"), path),
    write({ path, offset, data }) {
      const file = fileAt(path);
      if (file) changeFile(file, { offset, data: Buffer.from(data) });
    },
    truncate({ path, offset }) {
      const file = fileAt(path);
      if (file) changeFile(file, { offset, data: "cut" });
    },
    sync({ path }) {
      const file = fileAt(path);
      if (!file) return syncFolder(path);
      file.synced = Buffer.from(file.written);
      file.pending = [];
    },
    rename({ path, other }) {
      const node = names.get(path);
      if (!node) throw new Error(`a rename of nothing: ${path}`);
      const move = (into: Names) => {
        if (into.get(path) === node) into.delete(path);
        into.set(other, node);
      };
      // It is safe if the new name is safe.
      rename(move, path, other);
    },
    link({ path, other }) {
      const node = names.get(path);
      if (node) rename((into) => into.set(other, node), other);
    },
    unlink: ({ path }) => rename((into) => into.delete(path), path),
    rmdir: ({ path }) => rename((into) => into.delete(path), path),
  };

  const namesAfter = (survival: Survival, random: Random): Names => {
    if (survival === "written") return names;
    const left = new Map(synced);
    if (survival === "synced") return left;
    // A folder's changes reach the disk in order; each folder may have got to another point.
    const stopped = new Set<string>();
    for (const { folders, apply } of state.pending) {
      const folder = folders.at(-1) ?? "";
      if (random.chance(0.3)) stopped.add(folder);
      if (!stopped.has(folder)) apply(left);
    }
    return left;
  };

  return {
    change: (change) => APPLY[change.kind](change),
    cut(how, random) {
      const left = namesAfter(how.names, random);
      const found = new Map<string, Buffer | "folder">();
      const isReachable = (path: string): boolean =>
        path === folder || (left.get(path) === "folder" && isReachable(dirname(path)));
      for (const [path, node] of left) {
        if (!isReachable(dirname(path))) continue;
        found.set(path, node === "folder" ? node : bytesAfter(node, how.data, random));
      }
      return found;
    },
  };
}

function load(folder: string, names: Names): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    names.set(path, entry.isDirectory() ? "folder" : newFile(readFileSync(path)));
    if (entry.isDirectory()) load(path, names);
  }
}

/** Writes the surviving files to a real folder instead of `root`. */
export function materialise(
  found: ReadonlyMap<string, Buffer | "folder">,
  { root, into }: { readonly root: string; readonly into: string },
): void {
  mkdirSync(into, { recursive: true });
  const sorted = [...found].sort(([a], [b]) => a.length - b.length);
  for (const [path, bytes] of sorted) {
    const target = join(into, path.slice(root.length));
    // A database's shared memory does not survive: the next process creates it again.
    if (target.endsWith("-shm")) continue;
    if (bytes === "folder") mkdirSync(target);
    else writeFileSync(target, bytes);
  }
}
