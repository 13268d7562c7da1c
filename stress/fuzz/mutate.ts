// Damages bytes the way disks, networks and attackers do, the same way for the same seed.

import type { Random } from "./random.ts";

const MAGIC = [
  "\u0000",
  "\u00ff\u00ff\u00ff\u00ff",
  "<![CDATA[",
  "&#x0;",
  "-1",
  "99999999999",
  "]]>",
  "<a>".repeat(50),
  "PK\u0003\u0004",
  "endobj",
];

export function mutate(bytes: Buffer, random: Random): Buffer {
  let made: Buffer = Buffer.from(bytes);
  const rounds = 1 + random.below(4);
  for (let round = 0; round < rounds; round += 1) made = mutateOnce(made, random);
  return made;
}

function mutateOnce(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length);
  const length = 1 + Math.floor(random.next() ** 3 * bytes.length);
  const other = random.below(bytes.length);
  const kind = random.next();
  if (kind < 0.35) {
    const flipped = Buffer.from(bytes);
    for (let flips = 1 + random.below(8); flips > 0; flips -= 1) {
      const spot = random.below(flipped.length);
      flipped[spot] = (flipped[spot] ?? 0) ^ (1 << random.below(8));
    }
    return flipped;
  }
  if (kind < 0.5) return bytes.subarray(0, at);
  if (kind < 0.65) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
  if (kind < 0.85)
    return Buffer.concat([
      bytes.subarray(0, at),
      bytes.subarray(other, other + length),
      bytes.subarray(at),
    ]);
  const magic = Buffer.from(MAGIC[random.below(MAGIC.length)] ?? "", "latin1");
  return Buffer.concat([bytes.subarray(0, at), magic, bytes.subarray(at)]);
}
