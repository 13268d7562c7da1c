// The outcome of each file as a table, with a summary line.
import { dirname, relative, sep } from "node:path";
import { isPlainPicture } from "../../domain/format-name.ts";
import { count } from "../../text/english/count.ts";
import type { Added, AddedFolder, Refused } from "../../tools/documents/contract.ts";
import { describeSeconds } from "../terminal/format.ts";
import { type Column, numbers } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { READ_BY } from "./show.ts";

/** The result of a synchronous add, with its file. */
export type AddedFile = { readonly file: string } & (Added | AddedFolder | Refused);

interface AddedOptions {
  readonly terminal: Terminal;
  /** The number of files to add. */
  readonly all: number;
  /** Files named on the command line, as opposed to those found in a folder. */
  readonly named: ReadonlySet<string>;
}

/** Images without text are not worth reporting if they were found in a folder. */
export function isSkipped(row: AddedFile, named: ReadonlySet<string>): boolean {
  return !row.success && !named.has(row.file) && isPlainPicture(row.file, row.error);
}

function isArchive(row: AddedFile): row is { readonly file: string } & AddedFolder {
  return row.success && "folder" in row;
}

/** An archive's files are added like those of a folder. */
export function failuresIn(row: AddedFile): AddedFolder["folder"]["failures"] {
  return isArchive(row) ? row.folder.failures : [];
}

export function describeSkipped(skipped: number): string {
  return `${count(skipped, "image")} without text skipped`;
}

export function printAdded(
  results: readonly AddedFile[],
  { terminal, all, named }: AddedOptions,
): void {
  const read = results.filter((row) => !isSkipped(row, named));
  const inArchives = sumOf(read, ({ skipped }) => skipped);
  const skipped = results.length - read.length;
  const ended = read.filter((row) => row.success || row.error !== "cancelled");
  const label = labeller(results.map(({ file }) => file));
  if (ended.length > 0) {
    terminal.table<AddedFile>(columnsOf(label), ended);
    terminal.line();
  }
  terminal.line(sumUp(ended, all - skipped));
  if (skipped + inArchives > 0) terminal.line(describeSkipped(skipped + inArchives));
  for (const row of ended) {
    const name = label(row.file);
    if (!row.success) terminal.note(terminal.style("red", `${name}: ${row.message}`));
    else for (const warning of warningsOf(row)) terminal.note(`${name}: ${warning}`);
    for (const { file, message } of failuresIn(row))
      terminal.note(terminal.style("red", `${name}/${file}: ${message}`));
  }
}

function columnsOf(label: (file: string) => string): readonly Column<AddedFile>[] {
  return [
    { head: "FILE", value: ({ file }) => label(file), shrinks: true },
    { head: "RESULT", value: resultOf },
    numbers("PASSAGES", (row) => (row.success ? row.chunks_created : "")),
    {
      head: "READ BY",
      value: (row) => (row.success && !isArchive(row) ? READ_BY[row.processing_method] : ""),
      optional: true,
    },
    numbers("TIME", (row) => (row.success ? describeSeconds(row.processing_time_seconds) : "")),
  ];
}

function sumUp(ended: readonly AddedFile[], all: number): string {
  const single = ended.filter((row) => !isArchive(row));
  const refused = single.filter(({ success }) => !success).length;
  const known = single.filter((row) => "already_present" in row && row.already_present).length;
  const failed = refused + sumOf(ended, (folder) => folder.failed);
  const present = known + sumOf(ended, (folder) => folder.unchanged);
  const left = all - ended.length;
  const fresh = single.length - refused - known + sumOf(ended, (folder) => folder.added);
  const parts = [`${fresh} added`];
  if (present > 0) parts.push(`${present} already there`);
  if (failed > 0) parts.push(`${failed} failed`);
  if (left > 0) parts.push(`${left} left`);
  return left > 0 ? `${parts.join(", ")}; run it again to continue` : parts.join(", ");
}

function resultOf(row: AddedFile): string {
  if (!row.success) return row.error.replaceAll("_", " ");
  if (!isArchive(row)) return row.already_present ? "already there" : "added";
  const { added, unchanged, failed } = row.folder;
  const parts = [`${added} added`];
  if (unchanged > 0) parts.push(`${unchanged} already there`);
  if (failed > 0) parts.push(`${failed} failed`);
  return parts.join(", ");
}

function sumOf(rows: readonly AddedFile[], of: (folder: AddedFolder["folder"]) => number): number {
  return rows.reduce((sum, row) => sum + (isArchive(row) ? of(row.folder) : 0), 0);
}

function warningsOf(row: Added | AddedFolder): readonly string[] {
  return "warnings" in row ? (row.warnings ?? []) : [];
}

/** Shortens paths by the folder that all of them share. */
export function labeller(files: readonly string[]): (file: string) => string {
  const [first = "", ...rest] = files.map(dirname);
  let shared = first.split(sep);
  for (const folder of rest) {
    const parts = folder.split(sep);
    const differs = shared.findIndex((part, at) => part !== parts[at]);
    if (differs >= 0) shared = shared.slice(0, differs);
  }
  const common = shared.join(sep);
  return (file) => relative(common === "" ? "/" : common, file) || file;
}
