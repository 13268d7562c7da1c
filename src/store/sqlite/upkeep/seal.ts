// The last line of a backup, a checksum of everything before it. SQLite's own check does not look at the values of a
// row, nor at bytes after the last page; those are where the line is.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { appendFile, open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";

const SEAL = /^\nknowledge-server backup sha256 ([0-9a-f]{64})\n$/;
const toSeal = (digest: string) => `\nknowledge-server backup sha256 ${digest}\n`;
const SEAL_BYTES = toSeal("0".repeat(64)).length;

export async function seal(path: string): Promise<void> {
  await appendFile(path, toSeal(await hashBefore(path)));
}

/** The length of what the line is about; undefined if there is no line, or it is about something else. */
export async function checkSeal(path: string): Promise<number | undefined> {
  const file = await open(path, "r");
  const { size } = await file.stat();
  const dataBytes = Math.max(0, size - SEAL_BYTES);
  const { buffer, bytesRead } = await file
    .read(Buffer.alloc(SEAL_BYTES), 0, SEAL_BYTES, dataBytes)
    .finally(() => file.close());
  const [, digest] = SEAL.exec(buffer.toString("latin1", 0, bytesRead)) ?? [];
  if (digest === undefined || dataBytes === 0) return undefined;
  return digest === (await hashBefore(path, dataBytes - 1)) ? dataBytes : undefined;
}

async function hashBefore(path: string, end = Number.POSITIVE_INFINITY): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { end }), hash);
  return hash.digest("hex");
}
