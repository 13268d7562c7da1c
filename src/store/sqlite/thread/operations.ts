// The operations of both engines on one connection.
import { openDocuments } from "../../documents/documents.ts";
import type { RemoveOriginals } from "../../documents/unreferenced.ts";
import { openRefinements } from "../../refinements.ts";
import { openScopes } from "../../scopes/scopes.ts";
import { openSources } from "../../sources.ts";
import { type Engine, sql } from "../../sql.ts";
import { openTasks } from "../../tasks.ts";
import type { Database } from "../database.ts";
import { openEngine } from "../engine.ts";
import { STORED_VECTORS } from "../vectors/stored-vectors.ts";

export function openOperations(database: Database, engine: Engine = openEngine(database)) {
  const vectors = STORED_VECTORS;
  const documents = openDocuments(engine, { vectors, removeOriginals });
  return {
    tasks: openTasks(engine),
    scopes: openScopes(engine),
    sources: openSources(engine),
    refinements: openRefinements(engine, vectors),
    documents: {
      ...documents,
      async clear(scopes?: readonly string[]) {
        const cleared = await documents.clear(scopes);
        database.reclaim();
        return cleared;
      },
    },
  };
}

const DROPPED = {
  table: "dropped_originals",
  columns: { hash: "text", dropped_at: "bigint" },
  after: sql`ON CONFLICT (hash) DO UPDATE SET dropped_at = excluded.dropped_at`,
} as const;

/** The files of what a user removed are deleted after the commit; after a crash, the next sweep does it. */
const removeOriginals: RemoveOriginals = async (db, { hashes, why }) => {
  if (why !== undefined) return;
  await db.insert(
    DROPPED,
    hashes.map((hash) => [hash, Date.now()]),
  );
};
