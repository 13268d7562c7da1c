// Claims documents whose vectors need to be checked or refined. The lease is in the document's row, so that no two
// processes work on one document.
import {
  type ClaimedChunk,
  type ClaimedDocument,
  OLD_PER_CLAIM,
  type RefinementClaim,
  takeOpenOrdinals,
  toClaimedChunk,
  uncheck,
} from "../../core/refinement.ts";
import type { Database } from "../database.ts";
import { CHUNK_COLUMNS, type ChunkRow, readDetail } from "../rows.ts";
import { LEASE_ENDED, type LeaseClock } from "../tasks/lease-clock.ts";

interface OpenRow {
  readonly doc: number;
  readonly id: string;
  readonly title: string | null;
  readonly first_key: number;
  readonly made: Uint8Array;
}

export function openClaims(database: Database, clock: LeaseClock) {
  const find = (claim: RefinementClaim) => findOpen(database, clock, claim);
  const takeSome = (claim: RefinementClaim): readonly ClaimedDocument[] =>
    takeOpenOrdinals(find(claim), claim).map(({ row, ordinals }) => {
      lease(database, clock, { row, claim });
      const title = row.title === null ? {} : { title: row.title };
      return { id: row.id, ...title, chunks: readChunks(database, row, ordinals) };
    });

  return {
    claimRefinement(claim: RefinementClaim): readonly ClaimedDocument[] {
      // Check without a lock first.
      const isSome = database.read(() => find({ ...claim, chunks: 1 }).length > 0);
      const isOld = !isSome && claim.looksForOld && database.read(() => hasOld(database, claim));
      if (!isSome && !isOld) return [];
      return database.write(() => {
        if (isOld) noteOld(database, claim);
        return takeSome(claim);
      });
    },
    releaseRefinements(worker: string): void {
      if (!database.read(() => database.get("SELECT 1 FROM encodings WHERE worker = ?", worker)))
        return;
      database.write(() =>
        database.run("UPDATE encodings SET worker = NULL WHERE worker = ?", worker),
      );
    },
  };
}

/** Documents with work left and no worker. */
function findOpen(
  database: Database,
  clock: LeaseClock,
  { fingerprint, chunks, what }: RefinementClaim,
): readonly OpenRow[] {
  const open = what === "all" ? "" : "AND unchecked > 0";
  // The plus keeps SQLite from starting with the documents, nearly all of which have this fingerprint.
  return database.all<OpenRow>(
    `SELECT doc, id, title, first_key, made FROM encodings JOIN documents USING (doc, first_key)
     WHERE unchecked + waiting > 0 ${open} AND +fingerprint = ? AND (worker IS NULL OR ${LEASE_ENDED})
     ORDER BY doc LIMIT ?`,
    fingerprint,
    ...[clock.name, clock.nowMs(), clock.nowMs()],
    chunks,
  );
}

function lease(
  database: Database,
  clock: LeaseClock,
  { row, claim }: { readonly row: OpenRow; readonly claim: RefinementClaim },
): void {
  database.run(
    "UPDATE encodings SET worker = ?, lease_clock = ?, lease_until = ?, lease_ms = ? WHERE doc = ?",
    claim.worker,
    clock.name,
    clock.nowMs() + claim.leaseMs,
    claim.leaseMs,
    row.doc,
  );
}

function readChunks(
  database: Database,
  { first_key: first, made }: OpenRow,
  ordinals: readonly number[],
): readonly ClaimedChunk[] {
  const keys = JSON.stringify(ordinals.map((at) => first + at));
  const rows = database.all<ChunkRow>(
    `SELECT ${CHUNK_COLUMNS} FROM chunks WHERE key IN (SELECT value FROM json_each(?)) ORDER BY key`,
    keys,
  );
  return rows.map((row) => toClaimedChunk(row, readDetail(row.detail), made[row.key - first]));
}

/** Documents whose row is missing, or was made for other chunks or encoders. */
const IS_OLD = `fingerprint = ? AND chunk_count > 0 AND NOT EXISTS (
  SELECT 1 FROM encodings e WHERE e.doc = d.doc AND e.first_key = d.first_key AND e.encoders = ?)`;

interface OldRow {
  readonly doc: number;
  readonly first_key: number;
  readonly chunk_count: number;
}

type Under = Pick<RefinementClaim, "fingerprint" | "encoders">;

function hasOld(database: Database, { fingerprint, encoders }: Under): boolean {
  const sql = `SELECT 1 FROM documents d WHERE ${IS_OLD} LIMIT 1`;
  return database.get(sql, fingerprint, encoders) !== undefined;
}

export function countOld(database: Database, { fingerprint, encoders }: Under) {
  const sql = `SELECT count(*) AS documents, coalesce(sum(chunk_count), 0) AS chunks FROM documents d WHERE ${IS_OLD}`;
  return database.get<{ documents: number; chunks: number }>(sql, fingerprint, encoders);
}

function noteOld(database: Database, { fingerprint, encoders }: Under): void {
  const rows = database.all<OldRow>(
    `SELECT doc, first_key, chunk_count FROM documents d WHERE ${IS_OLD} ORDER BY doc LIMIT ?`,
    fingerprint,
    encoders,
    OLD_PER_CLAIM,
  );
  for (const row of rows) {
    const known = database.get<{ made: Uint8Array; changed: number }>(
      "SELECT made, changed FROM encodings WHERE doc = ? AND first_key = ?",
      row.doc,
      row.first_key,
    );
    if (!known) database.run("DELETE FROM refined_vectors WHERE doc = ?", row.doc);
    const made = known ? uncheck(known.made) : new Uint8Array(row.chunk_count);
    database.run(
      `INSERT INTO encodings (doc, first_key, encoders, made, unchecked, waiting, changed)
       VALUES (?, ?, ?, ?, ?, 0, ?) ON CONFLICT (doc) DO UPDATE SET first_key = excluded.first_key,
         encoders = excluded.encoders, made = excluded.made, unchecked = excluded.unchecked, waiting = 0,
         changed = excluded.changed, worker = NULL`,
      row.doc,
      row.first_key,
      encoders,
      made,
      made.length,
      known?.changed ?? 0,
    );
  }
}
