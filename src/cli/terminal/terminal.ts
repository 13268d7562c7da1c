// What a command shows: results on stdout, everything else on stderr. Whatever a command prints may hold text from
// others, so the terminal itself lets no control sequence through but the colours it made.
import { randomUUID } from "node:crypto";
import { styleText } from "node:util";
import { inertJson, inertText } from "../../text/clean/inert.ts";
import { cutTo, pad, widthOf } from "../../text/width.ts";

type Style = Parameters<typeof styleText>[0];

interface Column<Row> {
  readonly head: string;
  readonly value: (row: Row) => string;
  readonly align?: "left" | "right";
  /** The column that gives way when the table is too wide; of several the last. */
  readonly gives?: true;
  /** Left out, the last first, where even that is not enough. */
  readonly spare?: true;
  readonly style?: Style;
}

interface Progress {
  /** `fraction` from 0 to 1. Silent when stderr is not a terminal. */
  update(label: string, fraction: number): void;
  end(): void;
}

export interface Terminal {
  /** `--json`: print results with `json()` only. */
  readonly asJson: boolean;
  readonly width: number;
  /** A line of the result. */
  line(text?: string): void;
  json(value: unknown): void;
  /** A whole document or export: as `line`, but tabs stay tabs. */
  document(text: string): void;
  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): void;
  /** A line beside the result. */
  note(text: string): void;
  /** Colours only on a terminal, and not under NO_COLOR. */
  style(style: Style, text: string): string;
  progress(): Progress;
}

export interface TerminalOptions {
  readonly asJson: boolean;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

// A file or pipe has no width; lines are then not cut.
const UNBOUNDED = 10_000;
const BAR_COLUMNS = 24;
// A name cut shorter says nothing.
const LEAST_COLUMNS = 20;

export function openTerminal({ asJson, stdout, stderr }: TerminalOptions): Terminal {
  const width = stdout.columns || UNBOUNDED;
  // `… | head` closes the pipe when it has seen enough: the rest is written to nobody, and that is no failure.
  for (const stream of [stdout, stderr]) stream.on("error", ignoreClosedPipe);
  const ink = openInk(stdout);
  const print = (text: string) => void stdout.write(`${text}\n`);
  const line = (text = "") => print(ink.render(text));
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
    note: (text) => void stderr.write(`${ink.render(text)}\n`),
    progress: () => openProgress(stderr),
  };
}

/**
 * Colours travel through a command's strings between marks that nobody outside this process can know, so that
 * they can be distinguished from sequences that came with a text.
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

interface Layout {
  readonly width: number;
  readonly style: Terminal["style"];
}

function layOut<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width, style }: Layout,
): readonly string[] {
  const cells = rows.map((row) =>
    columns.map((column) => inertText(column.value(row)).replace(/\s+/g, " ")),
  );
  const widths = columns.map((column, at) =>
    Math.max(widthOf(column.head), ...cells.map((row) => widthOf(row[at] ?? ""))),
  );
  const excess = widths.reduce((sum, each) => sum + each + 2, -2) - width;
  const giving = columns.findLastIndex((column) => column.gives);
  const full = widths[giving] ?? 0;
  const given = Math.min(excess, Math.max(0, full - LEAST_COLUMNS));
  const spare = columns.findLastIndex((column) => column.spare);
  if (excess > given && spare >= 0) {
    return layOut(columns.toSpliced(spare, 1), rows, { width, style });
  }
  if (excess > 0 && giving >= 0) widths[giving] = full - given;
  const render = (texts: readonly string[], styleOf: (column: Column<Row>) => Style | undefined) =>
    columns
      .map((column, at) => {
        const columnWidth = widths[at] ?? 0;
        const text = pad(cutTo(texts[at] ?? "", columnWidth), columnWidth, column.align ?? "left");
        const format = styleOf(column);
        return format === undefined ? text : style(format, text);
      })
      .join("  ")
      .trimEnd();
  const head = render(
    columns.map((column) => column.head),
    () => "bold",
  );
  return [head, ...cells.map((row) => render(row, (column) => column.style))];
}
