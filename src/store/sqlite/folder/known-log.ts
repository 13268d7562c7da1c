// The log that a store's threads have open. SQLite keeps one index per database and process, so a thread that connects
// after the log was deleted would read the new log with the index of the old one.
import type { LogPair } from "./open-file.ts";

const LENGTH = 128;
const FREE = 0;
const TAKEN = 1;

export interface KnownLog {
  readonly buffer: SharedArrayBuffer;
  /** True if another thread has the same database open with another log. */
  conflicts(pair: LogPair): boolean;
  remember(pair: LogPair): void;
  /** Once all connections are closed. */
  forget(): void;
}

export function openKnownLog(buffer = new SharedArrayBuffer(4 + LENGTH)): KnownLog {
  const latch = new Int32Array(buffer, 0, 1);
  const bytes = new Uint8Array(buffer, 4, LENGTH);
  const alone = <Result>(work: () => Result): Result => {
    while (Atomics.compareExchange(latch, 0, FREE, TAKEN) !== FREE);
    try {
      return work();
    } finally {
      Atomics.store(latch, 0, FREE);
    }
  };
  const write = (text: string) => {
    bytes.fill(0);
    for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  };
  return {
    buffer,
    conflicts: ({ database, log }) =>
      alone(() => {
        const [knownDatabase, knownLog] = String.fromCharCode(...bytes.filter(Boolean)).split(" ");
        return knownDatabase === `${database}` && knownLog !== `${log}`;
      }),
    remember: ({ database, log }) => alone(() => write(`${database} ${log}`)),
    forget: () => alone(() => write("")),
  };
}
