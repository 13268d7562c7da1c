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

/** `dataBytes`: the length of what the line is about; without a line, of the whole file. */
export interface Seal {
  readonly state: "matches" | "differs" | "none";
  readonly dataBytes: number;
}

export async function checkSeal(path: string): Promise<Seal> {
  const file = await open(path, "r");
  const { size } = await file.stat();
  const dataBytes = Math.max(0, size - SEAL_BYTES);
  const { buffer, bytesRead } = await file
    .read(Buffer.alloc(SEAL_BYTES), 0, SEAL_BYTES, dataBytes)
    .finally(() => file.close());
  const [, digest] = SEAL.exec(buffer.toString("latin1", 0, bytesRead)) ?? [];
  if (digest === undefined) return { state: "none", dataBytes: size };
  const isSame = dataBytes > 0 && digest === (await hashBefore(path, dataBytes - 1));
  return { state: isSame ? "matches" : "differs", dataBytes };
}

async function hashBefore(path: string, end = Number.POSITIVE_INFINITY): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { end }), hash);
  return hash.digest("hex");
}
