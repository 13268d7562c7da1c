// Names that Agent Skills allow: lower-case letters, digits and single hyphens, at most 64 of them.
import { createHash } from "node:crypto";

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_CHARACTERS = 64;
const HASH_CHARACTERS = 8;

/** The name itself if it is allowed; otherwise what is left of it plus a hash, so that two names never become one. */
export function toSkillName(name: string): string {
  if (name.length <= MAX_CHARACTERS && NAME.test(name) && !HASHED.test(name)) return name;
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_CHARACTERS - HASH_CHARACTERS - 1)
    .replace(/^-+|-+$/g, "");
  const hash = createHash("sha256").update(name).digest("hex").slice(0, HASH_CHARACTERS);
  return plain === "" ? `rules-${hash}` : `${plain}-${hash}`;
}

// A name that looks like it has a hash gets one too, or it could be mistaken for another's.
const HASHED = /-[0-9a-f]{8}$/;
