// Dropped files, and the files of dropped folders with their paths.
import { useLayoutEffect, useRef, useState } from "preact/hooks";

export interface NamedFile {
  readonly file: File;
  /** Includes the path if a folder was dropped or chosen. */
  readonly name: string;
}

// Dropping a larger folder is more likely a mistake than intended.
const MAX_FILES = 20_000;

const isVisible = (name: string) => !name.startsWith(".");

async function droppedFiles(
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

interface DropOptions {
  /** A page listens on the document, before the window's listener. */
  readonly on?: GlobalEventHandlers;
  /** Whether files are taken at all; if not, the browser must still not leave the page to open them. */
  readonly isOffered: boolean;
  readonly isWanted?: (name: string) => boolean;
  readonly onFiles: (files: readonly NamedFile[]) => void;
}

/** Accepts files and folders dropped anywhere on the page. True while files are dragged over it. */
export function useDrop(options: DropOptions): boolean {
  const [over, setOver] = useState(false);
  const latest = useRef(options);
  latest.current = options;
  const { on = window } = options;
  useLayoutEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const listen = (name: "dragover" | "dragleave" | "drop", handle: (event: DragEvent) => void) =>
      on.addEventListener(name, handle, { signal });
    const isOurs = (event: DragEvent) =>
      !event.defaultPrevented && event.dataTransfer?.types.includes("Files") === true;
    listen("dragover", (event) => {
      if (!isOurs(event)) return;
      event.preventDefault();
      setOver(latest.current.isOffered);
    });
    listen("dragleave", (event) => {
      if (event.relatedTarget === null) setOver(false);
    });
    listen("drop", (event) => {
      setOver(false);
      if (!isOurs(event) || !event.dataTransfer) return;
      event.preventDefault();
      const { isOffered, isWanted, onFiles } = latest.current;
      if (isOffered) void droppedFiles(event.dataTransfer, isWanted).then(onFiles);
    });
    return () => listening.abort();
  }, [on]);
  return over;
}
