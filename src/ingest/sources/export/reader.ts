// What a reader of one tool's exports does: it finds the documents in the files, with an id that the next export has
// too.
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { Metadata } from "../../../domain/document.ts";
import { tooLarge } from "../../../domain/errors.ts";
import { collect } from "../../../files/collect.ts";
import type { Export, ExportFile } from "./files.ts";

export interface ExportItem {
  /** The tool's name and the id that the tool gives it: also the path of its document. */
  readonly item: string;
  /** What a person calls it: patterns are matched with it. */
  readonly path: string;
  readonly version: string;
  /** Called if it is new or changed. */
  read(maxBytes: number): Promise<Exported>;
}

interface Exported {
  readonly filename: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly metadata: Metadata;
  /** As the tool writes dates. */
  readonly modified?: string | number | undefined;
}

export interface ExportReader {
  /** An export has everything, so what is not in it was deleted. Otherwise it may be of some days only. */
  readonly hasAll: boolean;
  list(from: Export): AsyncIterable<ExportItem>;
}

interface Written
  extends Pick<Exported, "metadata" | "modified">,
    Pick<ExportItem, "item" | "path"> {
  /** Of the file, without the extension. */
  readonly title: string;
  readonly lines: readonly string[];
}

/** A document that is written here, as Markdown. */
export function written({ item, path, title, lines, ...facts }: Written): ExportItem {
  const text = Buffer.from(`${lines.join("\n\n")}\n`.toWellFormed());
  const version = createHash("sha256").update(text).digest("base64url").slice(0, 22);
  const filename = `${
    title
      .replace(/[/\\:*?"<>|\n]+/g, " ")
      .trim()
      .slice(0, 80)
      .toWellFormed() || "untitled"
  }.md`;
  return {
    item,
    path,
    version,
    read: async () => ({ ...facts, filename, bytes: Readable.from([text]) }),
  };
}

/** The content of a file that has something to say about itself. */
export async function readWhole({ read }: ExportFile, maxBytes: number): Promise<Buffer> {
  const bytes = await collect(read(), maxBytes);
  if (bytes === undefined) throw tooLarge("fileTooLarge", maxBytes);
  return bytes;
}

/** Distinct and not empty, as many as metadata should have. */
export function listed(values: Iterable<string | undefined>): readonly string[] {
  return [...new Set(values)]
    .filter((each) => each !== undefined && each !== "")
    .slice(0, 50) as string[];
}

/** `2026-03-14 09:12`, in UTC; empty for what is no date. */
export function timeOf(date: Date): string {
  return Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 16).replace("T", " ");
}
