// Which knowledge base a database and a folder of originals belong to: both have the same id. If the ids differ,
// nothing in the folder is removed, because a file that looks unneeded may be another database's only copy.
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { PROBE } from "../../core/probe-write.ts";
import { isDamage } from "../failures.ts";
import { makeFolder, removeQuietly, syncPath } from "./files.ts";

export const ORIGINALS_FOLDER = "originals";
const ID_FILE = "knowledge-base-id";

/**
 * `new`: the folder must be marked with the id. `marked`: it was. `marked-again`: it had lost the id, which is
 * still to be reported. `apart`: the database was created next to files that are not its own, so the folder is never
 * marked while it holds files.
 */
type Claim = "new" | "marked" | "marked-again" | "apart";

export interface Identity {
  readonly id: string;
  readonly claim: Claim;
}

export type Ownership =
  | { readonly kind: "ours" }
  /** The folder had lost its id, and was marked again. */
  | { readonly kind: "marked-again" }
  /** Another knowledge base's id, or files that were there before this database. */
  | { readonly kind: "not-ours" }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly code: string };

/** The id of the folder of originals, or a new one. */
export function originalsId(dataDir: string): string {
  const found = readId(dataDir);
  return found.kind === "id" ? found.id : randomUUID();
}

/** Marks the folder with the database's id if there is no reason against it. */
function claimOriginals({ connection, dataDir, writable }: IdentityParts): Ownership {
  const identity = readIdentity(connection);
  const setClaim = (claim: Claim) => {
    if (writable) connection.prepare("UPDATE identity SET claim = ?").run(claim);
  };
  const found = readId(dataDir);
  if (found.kind === "unreadable") return found;
  const wasMarked = identity.claim.startsWith("marked");
  if (found.kind === "id" && found.id === identity.id) {
    if (!wasMarked) setClaim("marked");
    return markedAs(identity);
  }
  const isForeign = found.kind === "id" || identity.claim === "apart";
  if (isForeign && holdsFiles(dataDir)) return { kind: "not-ours" };
  if (found.kind === "no-folder" && wasMarked && isInUse(connection)) return { kind: "missing" };
  const problem = tryWriteId(dataDir, identity.id);
  if (problem !== undefined) return { kind: "unreadable", code: problem };
  const hadId = wasMarked && found.kind === "no-id";
  const claim = hadId && (holdsFiles(dataDir) || isInUse(connection)) ? "marked-again" : "marked";
  setClaim(claim);
  return markedAs({ claim });
}

function markedAs({ claim }: Pick<Identity, "claim">): Ownership {
  return { kind: claim === "marked-again" ? "marked-again" : "ours" };
}

/** The error code if it cannot be written. */
function tryWriteId(dataDir: string, id: string): string | undefined {
  try {
    writeId(dataDir, id);
    return undefined;
  } catch (thrown) {
    return String((thrown as { code?: unknown }).code);
  }
}

type FoundId =
  | { readonly kind: "id"; readonly id: string }
  | { readonly kind: "no-id" }
  | { readonly kind: "no-folder" }
  | { readonly kind: "unreadable"; readonly code: string };

function readId(dataDir: string): FoundId {
  const folder = join(dataDir, ORIGINALS_FOLDER);
  try {
    return { kind: "id", id: readFileSync(join(folder, ID_FILE), "utf8").trim() };
  } catch (thrown) {
    const code = String((thrown as { code?: unknown }).code);
    if (code !== "ENOENT") return { kind: "unreadable", code };
  }
  try {
    readdirSync(folder);
    return { kind: "no-id" };
  } catch (thrown) {
    const code = String((thrown as { code?: unknown }).code);
    return code === "ENOENT" ? { kind: "no-folder" } : { kind: "unreadable", code };
  }
}

/** True if the folder contains anything but an id file and empty subfolders. */
function holdsFiles(dataDir: string): boolean {
  const folder = join(dataDir, ORIGINALS_FOLDER);
  try {
    return readdirSync(folder, { withFileTypes: true }).some((entry) =>
      entry.isDirectory()
        ? readdirSync(join(folder, entry.name)).length > 0
        : !entry.name.startsWith(ID_FILE) && !entry.name.startsWith(PROBE),
    );
  } catch (thrown) {
    // An unreadable folder may contain anything.
    return (thrown as { code?: unknown }).code !== "ENOENT";
  }
}

/** Durable when it returns. */
function writeId(dataDir: string, id: string): void {
  const folder = join(dataDir, ORIGINALS_FOLDER);
  // Never the data folder itself: if it was moved, an empty one must not replace it.
  if (existsSync(dataDir)) makeFolder(folder);
  const path = join(folder, ID_FILE);
  const fresh = `${path}.${randomUUID()}.new`;
  try {
    writeFileSync(fresh, `${id}\n`, { flag: "wx", mode: 0o600, flush: true });
    renameSync(fresh, path);
  } finally {
    removeQuietly(fresh);
  }
  for (const each of [folder, dataDir]) syncPath(each);
}

export interface IdentityRow {
  readonly id: string;
  /** Whether the folder of originals belongs to this database; marks it if there is no reason against it. */
  claim(): Ownership;
}

/** Inside the transaction that creates the database. */
export function addIdentity(connection: DatabaseSync, dataDir: string): void {
  const claim: Claim = holdsFiles(dataDir) ? "apart" : "new";
  const insert = connection.prepare("INSERT INTO identity VALUES (1, ?, ?)");
  insert.run(randomUUID(), claim);
}

interface IdentityParts {
  readonly connection: DatabaseSync;
  readonly dataDir: string;
  readonly writable: boolean;
}

export function openIdentityRow(parts: IdentityParts): IdentityRow {
  const { id } = ignoringDamage(() => readIdentity(parts.connection)) ?? NONE;
  return { id, claim: () => claimOriginals(parts) };
}

const NONE: Identity = { id: "", claim: "apart" };

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
  const row = connection.prepare("SELECT id, claim FROM identity").get();
  return (row as Identity | undefined) ?? NONE;
}

/** Documents or open tasks exist, so originals are expected. */
function isInUse(connection: DatabaseSync): boolean {
  const found = connection
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM documents)
         OR EXISTS (SELECT 1 FROM tasks WHERE status IN ('queued', 'running')
           OR (status = 'failed' AND finished_at IS NULL)) AS used`,
    )
    .get();
  return found?.["used"] === 1;
}
