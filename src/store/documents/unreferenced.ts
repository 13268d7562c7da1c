// Originals that no document and no open task refers to.
import type { TrashReason } from "../core/trash.ts";
import { type Connection, oneOf, sql } from "../sql.ts";
import { IS_OPEN, IS_SET_ASIDE } from "../tasks.ts";

export interface Released {
  readonly hashes: readonly string[];
  /** Set if no user asked for it, so the original goes to the trash. */
  readonly why?: TrashReason | undefined;
  readonly filename?: string;
}

/** Inside the transaction that removes what referred to them: deletes them, or notes that their files are to be deleted. */
export type RemoveOriginals = (db: Connection, orphans: Released) => Promise<void>;

/** Returns the hashes that nothing refers to. */
export async function findUnreferenced(db: Connection, hashes: readonly string[]) {
  if (hashes.length === 0) return [];
  const named = oneOf("text", hashes);
  const rows = await db.all<{ hash: string }>(sql`
    SELECT content_hash AS hash FROM documents WHERE kb = ${db.kb} AND content_hash ${named}
    UNION SELECT content_hash FROM tasks WHERE kb = ${db.kb} AND content_hash ${named} AND ${IS_OPEN}
    UNION SELECT content_hash FROM tasks WHERE kb = ${db.kb} AND ${IS_SET_ASIDE}`);
  const needed = new Set(rows.map(({ hash }) => hash));
  return [...new Set(hashes)].filter((hash) => !needed.has(hash));
}

/** Returns the orphans, once they are let go. */
export async function releaseOriginals(
  db: Connection,
  removeOriginals: RemoveOriginals,
  { hashes, ...about }: Released,
): Promise<readonly string[]> {
  if (hashes.length === 0) return [];
  await db.run(db.dialect.locks.originals(db.kb, hashes));
  const orphans = await findUnreferenced(db, hashes);
  if (orphans.length > 0) await removeOriginals(db, { hashes: orphans, ...about });
  return orphans;
}

/** The hashes of all documents and open tasks. */
export async function neededHashes(db: Connection): Promise<readonly string[]> {
  const rows = await db.all<{ hash: string }>(sql`
    SELECT content_hash AS hash FROM documents WHERE kb = ${db.kb}
    UNION SELECT content_hash FROM tasks WHERE kb = ${db.kb} AND (${IS_OPEN} OR ${IS_SET_ASIDE})`);
  return rows.map(({ hash }) => hash);
}

/**
 * Crashes leave an occasional file. More than this number and this share of all files mean that the database
 * is not the one that the files were added to. So do several files without a single document.
 */
const EXPECTED_COUNT = 10;
const EXPECTED_SHARE = 0.05;

export function isTooMany(orphans: number, files: number): boolean {
  const isAll = orphans === files && orphans > 1;
  return isAll || (orphans > EXPECTED_COUNT && orphans > files * EXPECTED_SHARE);
}
