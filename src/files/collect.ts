type Parts = AsyncIterable<Uint8Array>;

/** All bytes; with a limit, undefined if there are more. */
export async function collect(parts: Parts): Promise<Buffer>;
export async function collect(parts: Parts, most: number): Promise<Buffer | undefined>;
export async function collect(
  parts: Parts,
  most = Number.POSITIVE_INFINITY,
): Promise<Buffer | undefined> {
  const all: Uint8Array[] = [];
  let size = 0;
  for await (const part of parts) {
    size += part.byteLength;
    if (size > most) return undefined;
    all.push(part);
  }
  return Buffer.concat(all);
}
