// JSON lines on stderr: stdout belongs to the protocol.
import { redact } from "./redact.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** A log whose every line carries these fields too. */
  with(fields: LogFields): Log;
}

export interface LogOptions {
  readonly level: LogLevel;
  readonly write?: (line: string) => void;
}

export function openLog({ level, write = toStderr }: LogOptions): Log {
  const least = LOG_LEVELS.indexOf(level);
  const make = (bound: LogFields): Log => {
    const at = (name: LogLevel) => {
      const rank = LOG_LEVELS.indexOf(name);
      return (event: string, fields: LogFields = {}) => {
        if (rank < least) return;
        const line = { time: new Date().toISOString(), level: name, event, ...bound, ...fields };
        write(`${JSON.stringify(redact(line))}\n`);
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

function toStderr(line: string): void {
  process.stderr.write(line);
}
