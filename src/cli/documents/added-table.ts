// What became of each file, as a table and a line of sums.
import { dirname, relative, sep } from "node:path";
import type { Added, Refused } from "../../tools/documents/contract.ts";
import { describeSeconds } from "../terminal/size.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The answer of a synchronous add, with the file it is about. */
export type AddedFile = { readonly file: string } & (Added | Refused);

export function printAdded(added: readonly AddedFile[], terminal: Terminal): void {
  const label = labeller(added.map(({ file }) => file));
  terminal.table<AddedFile>(
    [
      { head: "FILE", value: ({ file }) => label(file), gives: true },
      { head: "RESULT", value: resultOf },
      {
        head: "CHUNKS",
        value: (row) => (row.success ? String(row.chunks_created) : ""),
        align: "right",
      },
      {
        head: "READ BY",
        value: (row) => (row.success ? row.processing_method.replaceAll("_", " ") : ""),
        spare: true,
      },
      {
        head: "TIME",
        value: (row) => (row.success ? describeSeconds(row.processing_time_seconds) : ""),
        align: "right",
      },
    ],
    added,
  );
  terminal.line();
  terminal.line(sumUp(added));
  for (const row of added) {
    const name = label(row.file);
    if (!row.success) terminal.note(terminal.style("red", `${name}: ${row.message}`));
    else for (const warning of row.warnings ?? []) terminal.note(`${name}: ${warning}`);
  }
}

function sumUp(added: readonly AddedFile[]): string {
  const failed = added.filter(({ success }) => !success).length;
  const present = added.filter((row) => row.success && row.already_present).length;
  const parts = [`${added.length - failed - present} added`];
  if (present > 0) parts.push(`${present} already there`);
  if (failed > 0) parts.push(`${failed} failed`);
  return parts.join(", ");
}

function resultOf(row: AddedFile): string {
  if (!row.success) return row.error;
  return row.already_present ? "already there" : "added";
}

/** Paths without the folder that all of them share. */
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
