// The knowledge base's id as stored in the database.
import type { DatabaseSync } from "node:sqlite";
import { isDamage } from "../failures.ts";
import { IS_SET_ASIDE } from "../rows.ts";
import { claimOriginals, type Identity, newIdentity, type Ownership } from "./identity.ts";

export interface IdentityRow {
  readonly id: string;
  readonly createdBy: string;
  /** Whether the folder of originals belongs to this database; marks it if there is no reason against it. */
  claim(): Ownership;
}

/** Inside the transaction that creates the database. */
export function addIdentity(connection: DatabaseSync, dataDir: string, createdBy: string): void {
  const { id, claim } = newIdentity(dataDir, createdBy);
  connection.prepare("INSERT INTO identity VALUES (1, ?, ?, ?)").run(id, createdBy, claim);
}

export function openIdentityRow(
  connection: DatabaseSync,
  { dataDir, writable }: { readonly dataDir: string; readonly writable: boolean },
): IdentityRow {
  const { id, createdBy } = ignoringDamage(() => readIdentity(connection)) ?? NONE;
  return {
    id,
    createdBy,
    claim: () =>
      claimOriginals({
        dataDir,
        identity: readIdentity(connection),
        isInUse: () => isInUse(connection),
        setClaim: (claim) => {
          if (writable) connection.prepare("UPDATE identity SET claim = ?").run(claim);
        },
      }),
  };
}

const NONE: Identity = { id: "", createdBy: "", claim: "apart" };

/** A damaged database is opened anyway, to read what is still readable. */
export function ignoringDamage<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (thrown) {
    if (isDamage(thrown)) return undefined;
    throw thrown;
  }
}

function readIdentity(connection: DatabaseSync): Identity {
  const row = connection.prepare("SELECT id, created_by AS createdBy, claim FROM identity").get();
  return (row as Identity | undefined) ?? NONE;
}

function isInUse(connection: DatabaseSync): boolean {
  const found = connection
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM documents)
         OR EXISTS (SELECT 1 FROM tasks WHERE status IN ('queued', 'running') OR ${IS_SET_ASIDE}) AS used`,
    )
    .get();
  return found?.["used"] === 1;
}
