// A command's output: results on stdout, everything else on stderr. It may contain text from documents, so only colours
// made here pass; all other control sequences are removed.
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline/promises";
import { styleText } from "node:util";
import { inertJson, inertText } from "../../text/clean/inert.ts";
import { cutTo, pad, widthOf } from "../../text/width.ts";
import { IN_ENGLISH, refusal, type Speech, type Text } from "../texts.ts";
import { type Column, layOut, type Style } from "./table.ts";
import { wrapLongLines } from "./wrap.ts";

export interface Terminal extends Speech {
  /** `--json`: print results with `json()` only. */
  readonly asJson: boolean;
  readonly width: number;
  /** A line of the result. */
  line(text?: string): void;
  json(value: unknown): void;
  /** As JSON if that was asked for; else `print` shows it. */
  result(value: unknown, print: () => void): void;
  /** Prints a whole document or export. Works like `line`, but keeps tabs. */
  document(text: string): void;
  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): void;
  /** A line that is not part of the result; goes to stderr. */
  note(text: string): void;
  /** The same in the person's language. */
  notify(...text: Parameters<Speech["t"]>): void;
  /** A line of the result, in the person's language. */
  report(...text: Parameters<Speech["t"]>): void;
  /** A list: as JSON if that was asked for, else as a table, or the text if it is empty. */
  list<Row>(rows: readonly Row[], columns: readonly Column<Row>[], none: Text): void;
  /** Uses colours only on a terminal, and never if NO_COLOR is set. */
  style(style: Style, text: string): string;
  /** Shows how far the work is, in parts of one. */
  track<Result>(work: (bar: Progress) => Promise<Result>): Promise<Result>;
  /** Counts the seconds on one line if the work takes longer than a second. */
  during<Result>(label: string, work: Promise<Result>): Promise<Result>;
  /** Prints names and values, one pair per line. */
  fields(rows: readonly (readonly [name: string, value: string])[]): void;
}

export interface TerminalOptions {
  readonly asJson: boolean;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly speech?: Speech;
}

// A file or pipe has no width, so lines are not cut.
const UNBOUNDED = 10_000;

export function openTerminal({
  asJson,
  stdout,
  stderr,
  speech = IN_ENGLISH,
}: TerminalOptions): Terminal {
  const width = stdout.columns || UNBOUNDED;
  // `… | head` closes the pipe when it has enough. That is not a failure.
  for (const stream of [stdout, stderr]) stream.on("error", ignoreClosedPipe);
  const ink = openInk(stdout);
  const print = (text: string) => void stdout.write(`${text}\n`);
  const line = (text = "") => print(wrapLongLines(ink.render(text), width));
  const json = (value: unknown) => print(inertJson(value, 2));
  const note = (text: string) =>
    void stderr.write(`${wrapLongLines(ink.render(text), stderr.columns || UNBOUNDED)}\n`);
  const layout = { width, style: ink.style, t: speech.t };
  const table: Terminal["table"] = (columns, rows) => {
    for (const text of layOut(columns, rows, layout)) line(text);
  };
  return {
    ...speech,
    asJson,
    width,
    line,
    style: ink.style,
    json,
    result: (value, show) => (asJson ? json(value) : show()),
    document: (text) => print(inertText(text, "keep")),
    table,
    list(rows, columns, none) {
      if (asJson) json(rows);
      else if (rows.length === 0) note(speech.t(none));
      else table(columns, rows);
    },
    fields: (rows) => toFields(rows, width, ink).forEach(print),
    note,
    notify: (...text) => note(speech.t(...text)),
    report: (...text) => line(speech.t(...text)),
    track: (work) => showProgress(work, openProgress(stderr)),
    during: (label, work) =>
      showWait(work, (seconds) => `${label}… ${speech.t("{0} s", seconds)}`, stderr),
  };
}

function toFields(
  rows: Parameters<Terminal["fields"]>[0],
  width: number,
  { render, style }: ReturnType<typeof openInk>,
): readonly string[] {
  const names = Math.max(...rows.map(([name]) => widthOf(name))) + 2;
  return rows.map(([name, value]) => {
    const text = wrapLongLines(render(value), Math.max(20, width - names));
    return (
      render(style("bold", pad(name, names, "left"))) +
      text.replaceAll("\n", `\n${" ".repeat(names)}`)
    );
  });
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

export interface Progress {
  /** `fraction` is from 0 to 1. */
  update(label: string, fraction: number): void;
  /** Also when the work ends. */
  end(): void;
}

const BAR_COLUMNS = 24;

function openProgress(stderr: NodeJS.WriteStream): Progress {
  if (!stderr.isTTY) return { update: () => {}, end: () => {} };
  return {
    update(label, fraction) {
      const done = Math.round(Math.min(1, Math.max(0, fraction)) * BAR_COLUMNS);
      const bar = "█".repeat(done) + "░".repeat(BAR_COLUMNS - done);
      const percent = `${Math.round(fraction * 100)}`.padStart(3);
      const room = (stderr.columns || 80) - BAR_COLUMNS - 8;
      stderr.write(`\r\x1b[2K${bar} ${percent}% ${cutTo(inertText(label), Math.max(8, room))}`);
    },
    end: () => void stderr.write("\r\x1b[2K"),
  };
}

async function showProgress<Result>(work: (bar: Progress) => Promise<Result>, bar: Progress) {
  return work(bar).finally(bar.end);
}

const PATIENCE_MS = 1_000;

async function showWait<Result>(
  work: Promise<Result>,
  describe: (seconds: number) => string,
  stderr: NodeJS.WriteStream,
): Promise<Result> {
  if (!stderr.isTTY) return work;
  const begun = performance.now();
  const tick = () => {
    const seconds = Math.floor((performance.now() - begun) / 1000);
    stderr.write(`\r\x1b[2K${cutTo(describe(seconds), (stderr.columns || 80) - 1)}`);
  };
  const timer = setInterval(tick, PATIENCE_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    if (performance.now() - begun >= PATIENCE_MS) stderr.write("\r\x1b[2K");
  }
}

/** Asks on a terminal. Without one nobody could reply, so `--yes` is required. */
export async function ask(question: string, signal: AbortSignal): Promise<string> {
  if (!process.stdin.isTTY) {
    throw refusal(
      "CONFIRMATION_REQUIRED",
      "Cannot ask for confirmation: stdin is not a terminal. Pass --yes.",
    );
  }
  const line = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await line.question(inertText(question), { signal })).trim();
  } finally {
    line.close();
  }
}
