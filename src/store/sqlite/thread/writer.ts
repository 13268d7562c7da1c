// The methods of the writing thread besides the operations of both engines: what the database knows about originals, which
// are needed, and which were removed by a user.
import { neededHashes } from "../../documents/unreferenced.ts";
import { type Engine, fromJson, oneOf, sql } from "../../sql.ts";
import type { Database } from "../database.ts";
import type { Ownership } from "../folder/identity.ts";

export function openWriter({ identity }: Pick<Database, "identity">) {
  return ({ read, write }: Pick<Engine, "read" | "write">) => ({
    ownership: (): Ownership => identity.claim(),
    async noteReported(): Promise<void> {
      await write((db) => db.run(sql`UPDATE identity SET claim = 'marked'`));
    },
    dropped: () =>
      read((db) =>
        db.all<{ hash: string; droppedAt: number }>(
          sql`SELECT hash, dropped_at AS "droppedAt" FROM dropped_originals`,
        ),
      ),
    async forgetDropped(hashes: readonly string[]): Promise<void> {
      await write((db) =>
        db.run(sql`DELETE FROM dropped_originals WHERE hash ${oneOf("text", hashes)}`),
      );
    },
    /** The name that its last task gave it. */
    filenameOf: (hash: string): Promise<string | undefined> =>
      read(async (db) => {
        const row = await db.one<{ request: string }>(sql`SELECT request FROM tasks
          WHERE content_hash = ${hash} ORDER BY seq DESC LIMIT 1`);
        const { filename } = (fromJson(row?.request ?? "{}") ?? {}) as { filename?: unknown };
        return typeof filename === "string" ? filename : undefined;
      }),
    contentHashes: () => read(neededHashes),
  });
}

export type Writer = ReturnType<ReturnType<typeof openWriter>>;
