// What the database knows about originals: which are needed, and which were removed by a user.
import type { Database } from "../database.ts";
import type { Ownership } from "../folder/identity.ts";
import { IS_SET_ASIDE } from "../rows.ts";

/** Inside the transaction that removes their documents, so that after a crash the files are known to be removed. */
export function noteDropped(database: Database, hashes: readonly string[]): readonly string[] {
  for (const hash of hashes) {
    database.run("INSERT OR REPLACE INTO dropped_originals VALUES (?, ?)", hash, Date.now());
  }
  return hashes;
}

export function openOriginalsWriter(database: Database, run: string) {
  const { identity } = database;
  return {
    ownership(): { readonly ownership: Ownership; readonly isNew: boolean } {
      return { ownership: identity.claim(), isNew: run !== "" && identity.createdBy === run };
    },
    noteReported(): void {
      database.write(() => database.run("UPDATE identity SET claim = 'marked'"));
    },
    dropped: () =>
      database.read(() =>
        database.all<{ hash: string; droppedAt: number }>(
          "SELECT hash, dropped_at AS droppedAt FROM dropped_originals",
        ),
      ),
    forgetDropped(hashes: readonly string[]): void {
      database.write(() => {
        for (const hash of hashes) {
          database.run("DELETE FROM dropped_originals WHERE hash = ?", hash);
        }
      });
    },
    /** The name that its last task gave it. */
    filenameOf: (hash: string): string | undefined =>
      database.read(() => {
        const sql = `SELECT request ->> '$.filename' AS filename FROM tasks
           WHERE content_hash = ? AND json_valid(request) ORDER BY seq DESC LIMIT 1`;
        return database.get<{ filename: string }>(sql, hash)?.filename;
      }),
    contentHashes: (): readonly string[] =>
      database.read(() =>
        database
          .all<{ hash: string }>(
            `SELECT content_hash AS hash FROM documents UNION
             SELECT content_hash FROM tasks WHERE status IN ('queued', 'running') OR ${IS_SET_ASIDE}`,
          )
          .map(({ hash }) => hash),
      ),
  };
}
