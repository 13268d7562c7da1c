// Dropped files, and the files of dropped folders with their paths.
import { useLayoutEffect, useState } from "preact/hooks";
import { isOffered, useOffered } from "../state/offered-tools.ts";

export interface NamedFile {
  readonly file: File;
  /** Includes the path if a folder was dropped or chosen. */
  readonly name: string;
}

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

/**
 * Accepts files and folders dropped anywhere on the page; otherwise the browser would leave the page to open the file.
 * True while files are dragged over the page.
 */
export function useDrop(onFiles: (files: readonly NamedFile[]) => void): boolean {
  const [over, setOver] = useState(false);
  const offers = isOffered(useOffered(), "knowledge-add");
  useLayoutEffect(() => {
    const listening = new AbortController();
    const on = (name: "dragover" | "dragleave" | "drop", handle: (event: DragEvent) => void) =>
      addEventListener(name, handle, { signal: listening.signal });
    const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files");
    on("dragover", (event) => {
      if (!holdsFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      setOver(offers);
    });
    on("dragleave", (event) => {
      if (event.relatedTarget === null) setOver(false);
    });
    on("drop", (event) => {
      setOver(false);
      // A page that handles the drop itself has prevented the default.
      if (event.defaultPrevented || !event.dataTransfer) return;
      event.preventDefault();
      if (offers) void droppedFiles(event.dataTransfer).then(onFiles);
    });
    return () => listening.abort();
  }, [onFiles, offers]);
  return over;
}
