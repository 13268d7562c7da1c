// Replaces a damaged database by a new one made from everything that is still readable: its rows and the
// originals. Nothing is moved before the new one is complete and checked. The caller has locked the folder.
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { KnowledgeError } from "../../../domain/errors.ts";
import type { RepairReport } from "../../store.ts";
import { DATABASE_FILE } from "../connect.ts";
import { openDatabase } from "../database.ts";
import { toStoreError } from "../failures.ts";
import { removeQuietly, syncPath } from "../folder/files.ts";
import { readWithoutLog } from "../folder/inspect-database.ts";
import { finishSwap, swapIn } from "../folder/replace-database.ts";
import { refuseNewer } from "../migrate.ts";
import { countsOf, isAsWritten } from "../upkeep/integrity.ts";
import { type Diagnosis, diagnose } from "./diagnose.ts";
import { type KeptOriginals, openKeptOriginals } from "./kept-originals.ts";
import { rebuild } from "./rebuild.ts";

const WORK = "repair-work-";

export async function repairFolder(
  dataDir: string,
  { force }: { readonly force: boolean },
): Promise<RepairReport> {
  refuseNewer(dataDir);
  finishSwap(dataDir);
  // Left by a killed repair: no other process can be using it.
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(WORK)) rmSync(join(dataDir, name), { recursive: true, force: true });
  }
  const originals = await openKeptOriginals(dataDir);
  const workDir = mkdtempSync(join(dataDir, WORK));
  try {
    const diagnosis = await diagnoseFolder(dataDir, workDir, { force, originals });
    if (diagnosis.damage.length === 0 && !force) return SOUND;
    return await replace({ dataDir, workDir, diagnosis, originals });
  } catch (thrown) {
    throw toStoreError(thrown);
  } finally {
    removeQuietly(workDir);
  }
}

const SOUND: RepairReport = {
  damage: [],
  documents: 0,
  queued: 0,
  recovered: 0,
  tasks: 0,
  scopes: 0,
  losses: [],
};

async function diagnoseFolder(
  dataDir: string,
  workDir: string,
  { force, originals }: { readonly force: boolean; readonly originals: KeptOriginals },
): Promise<Diagnosis> {
  if (existsSync(join(dataDir, DATABASE_FILE))) return diagnose(dataDir, workDir);
  const files = originals.hashes.size;
  if (force && files > 0) {
    return { damage: ["knowledge.db is missing"], losses: [], open: () => undefined };
  }
  const advice =
    files === 0
      ? "Check --data-dir."
      : `Its originals folder has ${files} files: put knowledge.db back or restore a backup elsewhere; \`knowledge-server repair --force\` makes a new one from these files, without names and metadata.`;
  throw new KnowledgeError(
    "STORE_UNAVAILABLE",
    `There is no knowledge.db in the data folder. ${advice}`,
  );
}

interface Parts {
  readonly dataDir: string;
  readonly workDir: string;
  readonly diagnosis: Diagnosis;
  readonly originals: KeptOriginals;
}

async function replace(parts: Parts): Promise<RepairReport> {
  const { dataDir, workDir, diagnosis, originals } = parts;
  const freshDir = join(workDir, "new");
  const fresh = openDatabase(freshDir);
  const source = diagnosis.open();
  const isBehind = diagnosis.losses.length > 0;
  const addsNameless = diagnosis.damage.length === 0;
  let made: Awaited<ReturnType<typeof rebuild>>;
  try {
    // The whole file is synced before it is used.
    fresh.get("PRAGMA synchronous = OFF");
    made = await rebuild({ dataDir, fresh, source, originals, isBehind, addsNameless });
    fresh.get("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    source?.close();
    fresh.close();
  }
  const path = join(freshDir, DATABASE_FILE);
  const written = readWithoutLog(path, countsOf);
  syncPath(path);
  const setAsideAs = `before-repair-${new Date().toISOString().replaceAll(":", "-")}`;
  const isSound = (database: DatabaseSync) => isAsWritten(database, written);
  if (!readWithoutLog(path, isSound)) throw foreign();
  swapIn(dataDir, { fresh: join(basename(workDir), "new", DATABASE_FILE), aside: setAsideAs });
  if (!readWithoutLog(join(dataDir, DATABASE_FILE), isSound)) throw foreign();
  const losses = [...diagnosis.losses, ...made.losses];
  return { damage: diagnosis.damage, ...made.counts, losses, setAsideAs };
}

function foreign(): KnowledgeError {
  return new KnowledgeError(
    "STORE_CORRUPT",
    "The new database could not be read back as it was written. Check the disk; the old files are kept in the data folder.",
  );
}
