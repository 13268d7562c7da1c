// Which originals belong to a rebuilt database: those of the old one, or all files that it imported.
import type { DatabaseSync } from "node:sqlite";
import { readAll } from "../check/scan.ts";
import type { Database } from "../database.ts";
import { type Identity, originalsId } from "../folder/identity.ts";

/** Keeps the ownership: a folder that was not the old database's does not become the new one's. */
export function copyIdentity(fresh: Database, source: DatabaseSync): boolean {
  const [old] = readAll<Identity>(source, "SELECT id, claim FROM identity") ?? [];
  if (typeof old?.id !== "string" || typeof old.claim !== "string") return false;
  setIdentity(fresh, old);
  return true;
}

/** Only after every file in the folder was imported: from now on unreferenced files may be moved. */
export function adoptOriginals(fresh: Database, dataDir: string): void {
  setIdentity(fresh, { id: originalsId(dataDir), claim: "new" });
}

function setIdentity(fresh: Database, { id, claim }: Pick<Identity, "id" | "claim">): void {
  fresh.run("UPDATE identity SET id = ?, created_by = '', claim = ?", id, claim);
}

interface DroppedOriginal {
  readonly hash: string;
  readonly droppedAt: number;
}

/** Files of removed documents, which a repair must not restore. */
export function copyDropped(fresh: Database, source: DatabaseSync): ReadonlySet<string> {
  const sql = "SELECT hash, dropped_at AS droppedAt FROM dropped_originals";
  const rows = readAll<DroppedOriginal>(source, sql) ?? [];
  for (const { hash, droppedAt } of rows)
    fresh.run("INSERT OR REPLACE INTO dropped_originals VALUES (?, ?)", hash, droppedAt);
  return new Set(rows.map(({ hash }) => hash));
}
