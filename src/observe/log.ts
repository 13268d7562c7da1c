// Lines on stderr: stdout belongs to the protocol. JSON, or readable for a person at a terminal.
import { styleText } from "node:util";
import { inertJson, inertText } from "../text/clean/inert.ts";

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

type Style = Parameters<typeof styleText>[0];

const STYLES = new Map<unknown, Style>([
  ["debug", "dim"],
  ["info", "green"],
  ["warn", "yellow"],
  ["error", "red"],
]);

/** For a person at a terminal: time, level, event, then its fields. */
function toReadableLine(line: LogFields, colour: boolean): string {
  const { time, level, event, ...fields } = line;
  const paint = (style: Style, text: string) =>
    colour ? styleText(style, text, { validateStream: false }) : text;
  const parts = [
    paint("dim", clockOf(String(time))),
    paint(STYLES.get(level) ?? "dim", String(level).padEnd(5)),
    paint("bold", inertText(String(event))),
    ...Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `${paint("dim", `${inertText(key)}=`)}${describe(value)}`),
  ];
  return parts.join(" ");
}

function clockOf(iso: string): string {
  const date = new Date(iso);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

function describe(value: unknown): string {
  if (Array.isArray(value) && value.every((each) => typeof each !== "object"))
    return inertText(value.join(","));
  if (typeof value === "object" && value !== null) return describeObject(value);
  const text = inertText(String(value));
  return /\s/.test(text) || text === "" ? JSON.stringify(text) : text;
}

/** For an error, the message and its cause are enough. */
function describeObject(value: object): string {
  if (!("message" in value)) return inertText(JSON.stringify(value));
  const cause = "cause" in value ? ` (${describe(value.cause)})` : "";
  return `${describe(value.message)}${cause}`;
}

const SECRET_KEY = /token|secret|password|passwd|api[-_]?key|authorization|credential|cookie/i;
const MAX_TEXT = 500;
// user:password@ in an address, and a bearer token in a header that was quoted.
const SECRET_TEXT = /:\/\/[^\s/@]+@|bearer /i;

/** Keeps secrets, document text and stack traces out of log lines. */
export function redact(value: unknown, key = "", depth = 0): unknown {
  if (value === undefined || typeof value === "boolean") return value;
  if (key !== "" && SECRET_KEY.test(key)) return "[redacted]";
  if (typeof value === "string") return redactText(value);
  if (typeof value === "bigint") return String(value);
  if (value instanceof Error) return describeError(value, depth);
  if (typeof value !== "object" || value === null) return value;
  if (depth > 4) return "[deep]";
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => redact(item, key, depth + 1));
  return redactMembers(value as Readonly<Record<string, unknown>>, depth);
}

/** Every log line passes through here, so this is a plain loop. */
function redactMembers(value: Readonly<Record<string, unknown>>, depth: number): unknown {
  const shown: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const item = redact(value[name], name, depth + 1);
    // An assignment would set the prototype.
    if (name === "__proto__") Object.defineProperty(shown, name, { value: item, enumerable: true });
    else shown[name] = item;
  }
  return shown;
}

function redactText(text: string): string {
  const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  if (!SECRET_TEXT.test(short)) return short;
  return short
    .replace(/:\/\/[^\s/@]+@/g, "://[redacted]@")
    .replace(/Bearer (?!token\b)\S+/gi, "Bearer [redacted]");
}

function describeError(error: Error, depth: number): unknown {
  const cause = error.cause === undefined ? {} : { cause: redact(error.cause, "cause", depth + 1) };
  const code = "code" in error ? { code: error.code } : {};
  return { name: error.name, message: redact(error.message), ...code, ...cause };
}
