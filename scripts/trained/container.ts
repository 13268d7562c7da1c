// Tesseract's trained data: a count of parts, the offset of each (-1 where there is none), then the parts.

/** The places of the parts that are used here. */
export const PART = { config: 0, words: 19, letters: 21 } as const;

export type Parts = readonly (Buffer | undefined)[];

export function readParts(bytes: Buffer): Parts {
  const count = bytes.readInt32LE(0);
  const offsets = Array.from({ length: count }, (_, at) =>
    Number(bytes.readBigInt64LE(headerSize(at))),
  );
  return offsets.map((start) => {
    if (start < 0) return undefined;
    const later = offsets.filter((other) => other > start);
    return bytes.subarray(start, Math.min(bytes.length, ...later));
  });
}

export function writeParts(parts: Parts): Buffer {
  const head = Buffer.alloc(headerSize(parts.length));
  head.writeInt32LE(parts.length, 0);
  let end = head.length;
  for (const [at, part] of parts.entries()) {
    head.writeBigInt64LE(BigInt(part === undefined ? -1 : end), headerSize(at));
    end += part?.length ?? 0;
  }
  return Buffer.concat([head, ...parts.filter((part) => part !== undefined)]);
}

function headerSize(parts: number): number {
  return 4 + 8 * parts;
}
