// Chunks of bytes → lines, without copying a long line again for each of its chunks.

const NEWLINE = 0x0a;
/** JSON's white space. */
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d]);

export interface LineReader {
  push(chunk: Buffer): void;
}

export interface LineReaderOptions {
  readonly maxBytes: number;
  /** Called with each line, without its line break; never with a blank one. */
  readonly onLine: (line: Buffer) => void;
  /** Called once for a line that is too long; the rest of the line is dropped. */
  readonly onTooLong: () => void;
}

export function openLineReader({ maxBytes, onLine, onTooLong }: LineReaderOptions): LineReader {
  const state = { parts: [] as Buffer[], size: 0, isSkipping: false };

  const keep = (part: Buffer) => {
    if (state.isSkipping) return;
    state.size += part.length;
    if (state.size > maxBytes) {
      state.parts = [];
      state.isSkipping = true;
      onTooLong();
    } else state.parts.push(part);
  };
  const end = () => {
    const { parts, size } = state;
    if (!state.isSkipping && size > 0) {
      const line = parts.length === 1 ? parts[0] : Buffer.concat(parts, size);
      if (line?.some((byte) => !BLANK.has(byte))) onLine(line);
    }
    state.parts = [];
    state.size = 0;
    state.isSkipping = false;
  };

  return {
    push(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        keep(chunk.subarray(from, at));
        end();
        from = at + 1;
      }
      if (from < chunk.length) keep(chunk.subarray(from));
    },
  };
}
