// Fills a new database in the right order, and reports what is missing.

import type { DatabaseSync } from "node:sqlite";
import type { Loss } from "../../store.ts";
import { readAll } from "../check/scan.ts";
import type { Database } from "../database.ts";
import { adoptOriginals, copyDropped, copyIdentity } from "../originals/adopt.ts";
import type { KeptOriginals } from "./kept-originals.ts";
import type { Rebuild } from "./rebuild.ts";
import { type SalvagedDocument, type SalvagedList, salvageDocuments } from "./salvage.ts";
import { salvageIndex } from "./salvage-content.ts";
import { salvageScopes } from "./salvage-scopes.ts";
import { type SalvagedTask, salvageTasks } from "./salvage-tasks.ts";

export interface Refill {
  readonly dataDir: string;
  readonly fresh: Database;
  /** Undefined if nothing is readable. */
  readonly source: DatabaseSync | undefined;
  readonly originals: KeptOriginals;
  /** The last changes are lost, so the list of documents may be older than the files. */
  readonly isBehind: boolean;
  /** Also adds files that no document refers to, even if the list of documents is complete. */
  readonly addsNameless: boolean;
}

export async function refill(made: Rebuild, parts: Refill): Promise<void> {
  const { dataDir, fresh, source, originals, isBehind, addsNameless } = parts;
  if (!source) {
    refillFromNothing(made, parts);
    return;
  }
  const { documents, tasks } = await refillRows(made, source);
  const dropped = copyDropped(fresh, source);
  const isWhole = documents.isWhole && tasks.isWhole;
  const takesAll = !isWhole || isBehind || addsNameless;
  const rest = takesAll ? unreferenced(originals, documents, tasks) : [];
  const nameless = rest.filter((hash) => !dropped.has(hash));
  const take = isWhole && !isBehind ? made.nameless : (hash: string) => noteNameless(made, hash);
  for (const hash of nameless) take(hash);
  if (!documents.isWhole) noteUncounted(made, source, documents.found.length);
  if (takesAll || !copyIdentity(fresh, source)) adoptOriginals(fresh, dataDir);
}

function refillFromNothing(made: Rebuild, { dataDir, fresh, originals }: Refill): void {
  made.losses.push(...EVERYTHING);
  for (const hash of originals.hashes) noteNameless(made, hash);
  adoptOriginals(fresh, dataDir);
}

async function refillRows(made: Rebuild, source: DatabaseSync) {
  const documents = salvageDocuments(source);
  const index = salvageIndex(source);
  for (const document of documents.found) await made.document(source, document, index);
  const tasks = salvageTasks(source);
  for (const task of tasks.found) made.task(task);
  const scopes = salvageScopes(source);
  for (const scope of scopes.found) await made.scope(scope);
  const gone = new Set(made.losses.flatMap((loss) => (loss.kind === "document" ? loss.name : [])));
  const partly = documents.losses.filter(({ name }) => !gone.has(name));
  made.losses.push(...partly, ...tasks.losses, ...scopes.losses);
  if (!tasks.isWhole) made.losses.push(unknown("task", "tasks that nothing names"));
  if (!scopes.isWhole) made.losses.push(unknown("rule", "rules that nothing names"));
  return { documents, tasks };
}

const EVERYTHING: readonly Loss[] = [
  unknown("document", "names, ids and metadata of all documents, and text without a file"),
  unknown("task", "all tasks"),
  unknown("rule", "all scopes and rules: import them again"),
];

function unknown(kind: Loss["kind"], what: string): Loss {
  return { kind, name: "unknown", what };
}

function noteNameless(made: Rebuild, hash: string): void {
  made.losses.push({ kind: "document", name: made.nameless(hash), what: "its name and metadata" });
}

function unreferenced(
  { hashes }: KeptOriginals,
  documents: SalvagedList<SalvagedDocument>,
  tasks: SalvagedList<SalvagedTask>,
): readonly string[] {
  const open = tasks.found.filter(({ isOpen }) => isOpen);
  const named = new Set([
    ...documents.found.map(({ document }) => document.contentHash),
    ...open.map(({ contentHash }) => contentHash),
  ]);
  return [...hashes].filter((hash) => !named.has(hash));
}

/** The database stores the count of its documents separately from their list. */
function noteUncounted(made: Rebuild, source: DatabaseSync, found: number): void {
  const [state] = readAll<{ documents: number }>(source, "SELECT documents FROM state") ?? [];
  if (state && state.documents <= found) return;
  const number = state ? `${state.documents - found}` : "an unknown number of";
  made.losses.push(unknown("document", `${number} documents without a name`));
}
