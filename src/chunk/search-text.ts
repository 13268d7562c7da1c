import type { Chunk, ExtractedDocument, StoredDocument } from "../domain/document.ts";
import { readInternalMetadata } from "../domain/internal-metadata.ts";

/**
 * The text that is embedded and indexed for a chunk: title, heading path and table header before
 * its text, so that a passage is found by the headings above it. Only `chunk.text` is shown.
 */
export function searchText(
  chunk: Pick<Chunk, "text" | "headings" | "tableHeader">,
  document: Pick<ExtractedDocument, "title">,
): string {
  const context: string[] = [];
  const opening = plain(chunk.text.slice(0, 400));
  for (const part of [document.title, ...chunk.headings]) {
    if (part === undefined || part === "") continue;
    if (context.includes(part) || opening.includes(plain(part))) continue;
    context.push(part);
  }
  const head = context.join(" › ");
  return [head, chunk.tableHeader ?? "", chunk.text].filter((part) => part !== "").join("\n");
}

function plain(text: string): string {
  return text
    .replace(/[\s#*_`\\]+/g, " ")
    .trim()
    .toLowerCase();
}

// Folders further up are the same for most documents, so they do not distinguish them.
const FOLDERS = 3;

interface Named extends Pick<StoredDocument, "filename"> {
  readonly sourcePath?: string | undefined;
  readonly metadata?: StoredDocument["metadata"];
}

/**
 * The names of a document: its file names and its folders. Indexed with the words of the first
 * chunk, so that a search for a name shows the document's beginning.
 */
export function nameText({ filename, sourcePath = "", metadata = {} }: Named): string {
  const names = new Set([filename, ...readInternalMetadata(metadata).otherNames]);
  const folders = sourcePath.split(/[\\/]+/).filter((part) => part !== "" && !names.has(part));
  return [...[...names].flatMap(partsOf), ...folders.slice(-FOLDERS)].join("\n");
}

function partsOf(filename: string): readonly string[] {
  const dot = filename.lastIndexOf(".");
  return dot > 0 ? [filename.slice(0, dot), filename.slice(dot + 1)] : [filename];
}
