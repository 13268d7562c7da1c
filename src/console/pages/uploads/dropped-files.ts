// Dropped files, and the files of dropped folders with their paths.
import type { NamedFile } from "./upload-queue.ts";

// Dropping a larger folder is more likely a mistake than intended.
const MAX_FILES = 20_000;

const isVisible = (name: string) => !name.startsWith(".");

export async function droppedFiles(
  { items, files }: DataTransfer,
  isWanted: (name: string) => boolean = isVisible,
): Promise<readonly NamedFile[]> {
  // The list is emptied when the event ends, so entries are taken before the first await.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (entries.length === 0) return chosenFiles(files);
  const found: NamedFile[] = [];
  for (const entry of entries) await collect(entry, found, isWanted);
  return found;
}

/** Files from an input; an input for folders includes their paths. */
export function chosenFiles(files: Iterable<File>): readonly NamedFile[] {
  return [...files].map((file) => ({ file, name: file.webkitRelativePath || file.name }));
}

async function collect(
  entry: FileSystemEntry,
  found: NamedFile[],
  isWanted: (name: string) => boolean,
): Promise<void> {
  if (found.length >= MAX_FILES || !isWanted(entry.name)) return;
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    found.push({ file, name: entry.fullPath.replace(/^\//, "") });
    return;
  }
  for (const child of await childrenOf(entry as FileSystemDirectoryEntry)) {
    await collect(child, found, isWanted);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

/** A reader returns up to a hundred entries at a time, and none at the end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all.toSorted((a, b) => a.name.localeCompare(b.name));
    all.push(...some);
  }
}
