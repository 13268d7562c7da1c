// The outcome of each file as a table, with a summary line.
import { dirname, relative, sep } from "node:path";
import type { ProcessingMethod } from "../../domain/document.ts";
import { isPlainPicture } from "../../domain/format-name.ts";
import { isMessage } from "../../domain/phrases/messages.ts";
import type { LeftOut } from "../../domain/task.ts";
import type { Added, AddedFolder, Refused } from "../../tools/documents/contract.ts";
import { describeSeconds } from "../terminal/format.ts";
import { type Column, numbers } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Speech } from "../texts.ts";

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

export const TO_REFINE =
  "Still to be refined: {0|passage|passages} of {1|document|documents}, already searchable.";
const MAX_NAMED = 3;

/** What adding a folder left out; empty if nothing was. */
export function describeLeftOut(leftOut: LeftOut, { t }: Pick<Speech, "t">): string {
  const { archives, others, ignored, hidden, links, empty } = leftOut;
  const named = archives.slice(0, MAX_NAMED).join(", ");
  const names = archives.length > MAX_NAMED ? `${named}, …` : named;
  const parts = [
    archives.length > 0 &&
      t("{0|ZIP archive|ZIP archives} (add by name: {1})", archives.length, names),
    others > 0 && t("{0|file of another format|files of other formats}", others),
    ignored > 0 && t("{0} ignored (.gitignore, .knowledgeignore)", ignored),
    hidden > 0 && t("{0} hidden or private", hidden),
    links > 0 && t("{0|symbolic link|symbolic links}", links),
    empty > 0 && t("{0|empty file|empty files}", empty),
  ].filter(Boolean);
  return parts.length === 0 ? "" : t("Left out: {0}", parts.join(t(", ")));
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
    terminal.table<AddedFile>(columnsOf(label, terminal), ended);
    terminal.line();
  }
  terminal.line(sumUp(ended, all - skipped, terminal));
  const pictures = skipped + inArchives;
  if (pictures > 0) terminal.report("{0|image|images} without text skipped", pictures);
  for (const row of ended) {
    const name = label(row.file);
    if (!row.success) terminal.note(terminal.style("red", `${name}: ${explain(row, terminal)}`));
    else for (const warning of warningsOf(row, terminal)) terminal.note(`${name}: ${warning}`);
    for (const failure of failuresIn(row)) {
      const why = explain(failure, terminal);
      terminal.note(terminal.style("red", `${name}/${failure.file}: ${why}`));
    }
  }
}

/** Why a file was not added. */
export function explain(
  row: { readonly error: string; readonly message: string },
  terminal: Pick<Speech, "explain">,
): string {
  return terminal.explain({ code: row.error, message: row.message, details: { ...row } });
}

function columnsOf(
  label: (file: string) => string,
  terminal: Terminal,
): readonly Column<AddedFile>[] {
  const word = (code: ProcessingMethod) => terminal.say({ code, values: [] });
  return [
    { head: "File", value: ({ file }) => label(file), shrinks: true },
    { head: "Result", value: (row) => resultOf(row, terminal) },
    numbers("Passages", (row) => (row.success ? row.chunks_created : "")),
    {
      head: "Read by",
      value: (row) => (row.success && !isArchive(row) ? word(row.processing_method) : ""),
      optional: true,
    },
    numbers("Time", (row) =>
      row.success ? describeSeconds(row.processing_time_seconds, terminal) : "",
    ),
  ];
}

function sumUp(ended: readonly AddedFile[], all: number, { t }: Terminal): string {
  const single = ended.filter((row) => !isArchive(row));
  const refused = single.filter(({ success }) => !success).length;
  const known = single.filter((row) => "already_present" in row && row.already_present).length;
  const failed = refused + sumOf(ended, (folder) => folder.failed);
  const present = known + sumOf(ended, (folder) => folder.unchanged);
  const left = all - ended.length;
  const fresh = single.length - refused - known + sumOf(ended, (folder) => folder.added);
  const counts = countsOf({ added: fresh, unchanged: present, failed }, t);
  return left > 0
    ? `${counts}${t(", ")}${t("{0} left", left)}${t("; run it again to continue")}`
    : counts;
}

function countsOf(
  { added, unchanged, failed }: Pick<AddedFolder["folder"], "added" | "unchanged" | "failed">,
  t: Speech["t"],
): string {
  const parts = [t("{0} added", added)];
  if (unchanged > 0) parts.push(t("{0} already there", unchanged));
  if (failed > 0) parts.push(t("{0} failed", failed));
  return parts.join(t(", "));
}

function resultOf(row: AddedFile, { t, language }: Terminal): string {
  if (!row.success) return language === "en" ? row.error.replaceAll("_", " ") : t("failed");
  return isArchive(row)
    ? countsOf(row.folder, t)
    : t(row.already_present ? "already there" : "added");
}

function sumOf(rows: readonly AddedFile[], of: (folder: AddedFolder["folder"]) => number): number {
  return rows.reduce((sum, row) => sum + (isArchive(row) ? of(row.folder) : 0), 0);
}

function warningsOf(row: Added | AddedFolder, { say }: Terminal): readonly string[] {
  const { warnings = [], warning_codes: codes } = "warnings" in row ? row : {};
  return codes?.every(isMessage) ? codes.map(say) : warnings;
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
