// What became of each file, as a table and a line of sums.
import { dirname, relative, sep } from "node:path";
import { describeSeconds } from "../terminal/size.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The answer of a synchronous add, with the file it is about. */
export interface Added {
  readonly file: string;
  readonly success: boolean;
  readonly error?: string;
  readonly message?: string;
  readonly document_id?: string;
  readonly chunks_created?: number;
  readonly processing_method?: string;
  readonly processing_time_seconds?: number;
  readonly already_present?: boolean;
  readonly warnings?: readonly string[];
}

export function printAdded(added: readonly Added[], terminal: Terminal): void {
  const label = labeller(added.map(({ file }) => file));
  terminal.table<Added>(
    [
      { head: "FILE", value: ({ file }) => label(file), gives: true },
      { head: "RESULT", value: resultOf },
      { head: "CHUNKS", value: (row) => String(row.chunks_created ?? ""), align: "right" },
      {
        head: "READ BY",
        value: (row) => (row.processing_method ?? "").replaceAll("_", " "),
        spare: true,
      },
      {
        head: "TIME",
        value: ({ processing_time_seconds: time }) =>
          time === undefined ? "" : describeSeconds(time),
        align: "right",
      },
    ],
    added,
  );
  terminal.line();
  terminal.line(sumUp(added));
  for (const { file, success, message, warnings = [] } of added) {
    if (!success) terminal.note(terminal.style("red", `${label(file)}: ${message}`));
    for (const warning of warnings) terminal.note(`${label(file)}: ${warning}`);
  }
}

function sumUp(added: readonly Added[]): string {
  const failed = added.filter(({ success }) => !success).length;
  const present = added.filter((row) => row.already_present).length;
  const parts = [`${added.length - failed - present} added`];
  if (present > 0) parts.push(`${present} already there`);
  if (failed > 0) parts.push(`${failed} failed`);
  return parts.join(", ");
}

function resultOf({ success, error, already_present }: Added): string {
  if (!success) return error ?? "failed";
  return already_present ? "already there" : "added";
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
