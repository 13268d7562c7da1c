// Replies of a reader process as bytes: four for the length, then the value. The process has parsed untrusted files, so
// its output is not trusted either: an unreadable reply ends that process and nothing else.
import { deserialize, serialize } from "node:v8";

const HEAD_BYTES = 4;

export function toFrame(value: unknown): Buffer {
  const body = serialize(value);
  const frame = Buffer.allocUnsafe(HEAD_BYTES + body.length);
  frame.writeUInt32BE(body.length);
  body.copy(frame, HEAD_BYTES);
  return frame;
}

export interface FrameOptions {
  readonly maxBytes: number;
  readonly onValue: (value: unknown) => void;
  readonly onUnreadable: (reason: string) => void;
}

/** Takes bytes as they arrive. After an unreadable reply the rest is ignored. */
export function openFrames({ maxBytes, onValue, onUnreadable }: FrameOptions) {
  const state = { parts: [] as Buffer[], held: 0, needed: HEAD_BYTES, isHead: true };
  const take = (): Buffer => {
    const all = Buffer.concat(state.parts, state.held);
    state.parts = [all.subarray(state.needed)];
    state.held = all.length - state.needed;
    return all.subarray(0, state.needed);
  };
  const readHead = () => {
    const length = take().readUInt32BE();
    if (length > maxBytes) throw new Error(`a reply of ${length} bytes`);
    state.needed = length;
    state.isHead = false;
  };
  const readBody = () => {
    const value: unknown = deserialize(take());
    state.needed = HEAD_BYTES;
    state.isHead = true;
    return value;
  };
  const next = () => {
    try {
      if (!state.isHead) return { value: readBody() };
      readHead();
    } catch (thrown) {
      state.needed = Number.POSITIVE_INFINITY;
      onUnreadable(thrown instanceof Error ? thrown.message : String(thrown));
    }
    return undefined;
  };
  return (part: Buffer): void => {
    // Nothing is kept of a reply that will never be read.
    if (state.needed === Number.POSITIVE_INFINITY) return;
    state.parts.push(part);
    state.held += part.length;
    while (state.held >= state.needed) {
      const read = next();
      if (read) onValue(read.value);
    }
  };
}
