// A command's output: results on stdout, everything else on stderr. It may contain text from documents, so only colours
// made here pass; all other control sequences are removed.
import { randomUUID } from "node:crypto";
import { styleText } from "node:util";
import { inertJson, inertText } from "../../text/clean/inert.ts";
import { pad, widthOf } from "../../text/width.ts";
import { openProgress, type Progress, showWait } from "./progress.ts";
import { type Column, layOut, type Style } from "./table.ts";
import { wrapLongLines } from "./wrap.ts";

export interface Terminal {
  /** `--json`: print results with `json()` only. */
  readonly asJson: boolean;
  readonly width: number;
  /** A line of the result. */
  line(text?: string): void;
  json(value: unknown): void;
  /** Prints a whole document or export. Works like `line`, but keeps tabs. */
  document(text: string): void;
  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): void;
  /** A line that is not part of the result; goes to stderr. */
  note(text: string): void;
  /** Uses colours only on a terminal, and never if NO_COLOR is set. */
  style(style: Style, text: string): string;
  progress(): Progress;
  /** Counts the seconds on one line if the work takes longer than a second. */
  during<Result>(label: string, work: Promise<Result>): Promise<Result>;
  /** Prints names and values, one pair per line. */
  fields(rows: readonly (readonly [name: string, value: string])[]): void;
}

export interface TerminalOptions {
  readonly asJson: boolean;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

// A file or pipe has no width, so lines are not cut.
const UNBOUNDED = 10_000;

export function openTerminal({ asJson, stdout, stderr }: TerminalOptions): Terminal {
  const width = stdout.columns || UNBOUNDED;
  // `… | head` closes the pipe when it has enough. That is not a failure.
  for (const stream of [stdout, stderr]) stream.on("error", ignoreClosedPipe);
  const ink = openInk(stdout);
  const print = (text: string) => void stdout.write(`${text}\n`);
  const line = (text = "") => print(wrapLongLines(ink.render(text), width));
  return {
    asJson,
    width,
    line,
    style: ink.style,
    json: (value) => print(inertJson(value, 2)),
    document: (text) => print(inertText(text, "keep")),
    table: (columns, rows) => {
      for (const text of layOut(columns, rows, { width, style: ink.style })) line(text);
    },
    fields: (rows) => {
      const names = Math.max(...rows.map(([name]) => widthOf(name))) + 2;
      for (const [name, value] of rows) {
        const head = ink.render(ink.style("bold", pad(name, names, "left")));
        const text = wrapLongLines(ink.render(value), Math.max(20, width - names));
        print(`${head}${text.replaceAll("\n", `\n${" ".repeat(names)}`)}`);
      }
    },
    note: (text) =>
      void stderr.write(`${wrapLongLines(ink.render(text), stderr.columns || UNBOUNDED)}\n`),
    progress: () => openProgress(stderr),
    during: (label, work) => showWait(label, work, stderr),
  };
}

/**
 * Colours inside a command's strings are marked with a random value. A document's text cannot contain it, so its escape
 * sequences are never mistaken for ours.
 */
function openInk(stdout: NodeJS.WriteStream) {
  const mark = randomUUID();
  return {
    style(format: Style, text: string): string {
      const [before = "", after = ""] = styleText(format, "|", {
        stream: stdout,
        validateStream: true,
      }).split("|");
      return before === "" ? text : `${mark}${before}${mark}${text}${mark}${after}${mark}`;
    },
    render: (text: string): string =>
      text
        .split(mark)
        .map((part, at) => (at % 2 === 1 ? part : inertText(part)))
        .join(""),
  };
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
