// Lines on stderr: stdout belongs to the protocol. JSON, or readable for a person at a terminal.
import { styleText } from "node:util";
import { inertJson } from "../text/clean/inert.ts";
import { toReadableLine } from "./readable-line.ts";
import { redact } from "./redact.ts";

const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** `colour` is text too. */
type LogFormat = "json" | "text" | "colour";

const URGENT = LOG_LEVELS.indexOf("warn");

type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** A log that adds these fields to every line. */
  with(fields: LogFields): Log;
}

export interface LogOptions {
  readonly level: LogLevel;
  readonly format?: LogFormat;
  /** `urgent` lines are written at once. */
  readonly write?: (line: string, urgent: boolean) => void;
}

export function openLog({ level, format = "json", write = openStderr() }: LogOptions): Log {
  const least = LOG_LEVELS.indexOf(level);
  const make = (bound: LogFields): Log => {
    const at = (name: LogLevel) => {
      const rank = LOG_LEVELS.indexOf(name);
      return (event: string, fields: LogFields = {}) => {
        if (rank < least) return;
        const line = { time: new Date().toISOString(), level: name, event, ...bound, ...fields };
        write(`${render(redact(line) as LogFields, format)}\n`, rank >= URGENT);
      };
    };
    return {
      debug: at("debug"),
      info: at("info"),
      warn: at("warn"),
      error: at("error"),
      with: (fields) => make({ ...bound, ...fields }),
    };
  };
  return make({});
}

/** As the setting says; `auto` depends on where stderr goes. */
export function chooseFormat(wanted: "auto" | "text" | "json"): LogFormat {
  const { stderr } = process;
  if (wanted === "json" || (wanted === "auto" && !stderr.isTTY)) return "json";
  // An empty style means no colour: NO_COLOR, a plain terminal or a file.
  return styleText("red", "x", { stream: stderr }) === "x" ? "text" : "colour";
}

function render(line: LogFields, format: LogFormat): string {
  return format === "json" ? inertJson(line) : toReadableLine(line, format === "colour");
}

// One write per line would cost as much as a quick call.
const FLUSH_AFTER_MS = 50;

/** Buffers lines for a moment; the buffer is written when the process ends, however it ends. */
function openStderr(): (line: string, urgent: boolean) => void {
  let gathered = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    process.off("exit", flush);
    process.stderr.write(gathered);
    gathered = "";
  };
  return (line, urgent) => {
    gathered += line;
    if (urgent) return flush();
    if (timer !== undefined) return;
    timer = setTimeout(flush, FLUSH_AFTER_MS).unref();
    // Only while something waits: a process may open any number of logs.
    process.once("exit", flush);
  };
}
