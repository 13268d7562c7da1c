// Any part of a data folder may be missing, or from an earlier copy: starting a server, its tidying and `doctor` never
// delete bytes that could still be recovered. FOLDER_CASES=6561 tries every combination.
import { cpSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { openTrash } from "../../src/store/core/trash.ts";
import {
  addWithOriginal,
  bytesIn,
  keepText,
  makeOld,
  sha256,
  tidyFolder,
} from "../support/aged-folder.ts";
import { SEED } from "../support/seed.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { openStoreHere } from "../support/temp-store.ts";

const PARTS = [
  "knowledge.db",
  "knowledge.db-wal",
  "knowledge.db-shm",
  "originals",
  "originals/knowledge-base-id",
  "incoming",
  "folders",
  "trash",
] as const;
const STATES = ["now", "earlier", "missing"] as const;
type State = (typeof STATES)[number];

const ALL = STATES.length ** PARTS.length;
const CASES = Math.min(ALL, Number(process.env["FOLDER_CASES"] ?? 40));

let folder: string;
/** Its document was removed by its user, so it may go. */
const REMOVED = sha256("removed on request");

beforeAll(async () => {
  folder = tempFolder("subsets");
  const dataDir = join(folder, "live");
  mkdirSync(dataDir);
  const store = openStoreHere(dataDir);
  const { id } = await addWithOriginal(store, dataDir, "removed on request");
  for (const at of [1, 2, 3]) await addWithOriginal(store, dataDir, `early document ${at}`);
  await keepText(store, dataDir, "early orphan");
  addAside(dataDir, "early");
  await trashText(dataDir, "early trash");
  // Copied while it is open: the log is part of it.
  snapshot(dataDir, "earlier");
  await store.documents.remove(id);
  for (const at of [1, 2, 3]) await addWithOriginal(store, dataDir, `late document ${at}`);
  const hash = await keepText(store, dataDir, "late task");
  const request = { filename: "f.txt", sizeBytes: 9, metadata: {}, forceOcr: false };
  await store.tasks.enqueue("late", { ...request, contentHash: hash });
  await keepText(store, dataDir, "late orphan");
  addAside(dataDir, "late");
  await trashText(dataDir, "late trash");
  snapshot(dataDir, "now");
  await store.close();
});

function addAside(dataDir: string, when: string): void {
  for (const name of ["incoming", "folders"]) mkdirSync(join(dataDir, name), { recursive: true });
  writeFileSync(join(dataDir, "incoming", when), `${when} copy of a process that died`);
  writeFileSync(join(dataDir, "folders", "ledger.json"), `{"version": 1, "when": "${when}"}`);
}

async function trashText(dataDir: string, text: string): Promise<void> {
  const path = join(dataDir, "to-trash");
  writeFileSync(path, text);
  await openTrash(join(dataDir, "trash")).take(path, { why: "failed" });
}

function snapshot(dataDir: string, name: State): void {
  cpSync(dataDir, join(folder, name), { recursive: true });
}

/** The id file is a part of its own, whichever copy the rest of its folder is from. */
function build(states: readonly State[]): string {
  const dataDir = tempFolder("case", folder);
  for (const [at, part] of PARTS.entries()) {
    const state = states[at] ?? "now";
    const target = join(dataDir, part);
    if (part === "originals/knowledge-base-id") rmSync(target, { force: true });
    if (state === "missing") continue;
    const isFolder = statSync(join(folder, state, part)).isDirectory();
    if (isFolder || existsSync(join(target, ".."))) {
      cpSync(join(folder, state, part), target, { recursive: true });
    }
  }
  makeOld(dataDir);
  return dataDir;
}

/** A server's start, its tidying, the checks of `doctor`, and its end. */
async function startTidyStop(dataDir: string): Promise<void> {
  const store = openStoreHere(dataDir);
  try {
    await tidyFolder(store, dataDir);
    await store.originals.survey();
    await store.health();
  } finally {
    await store.close();
  }
}

const combination = (number: number): readonly State[] =>
  PARTS.map((_, at) => STATES[Math.floor(number / STATES.length ** at) % STATES.length] ?? "now");

const TIMEOUT_MS = 300_000 + CASES * 2_000;

test(`no combination of missing and older parts costs a byte (${CASES} of ${ALL})`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const numbers =
    CASES === ALL
      ? Array.from({ length: ALL }, (_, at) => at)
      : fc.sample(fc.integer({ min: 0, max: ALL - 1 }), { numRuns: CASES, seed: SEED });
  const outcomes = { opened: 0, refused: 0 };
  for (const number of numbers) {
    const states = combination(number);
    const dataDir = build(states);
    const before = bytesIn(dataDir);
    // The first creates the database where it is missing; the others find what it made.
    for (let start = 0; start < 3; start += 1) {
      const isRefused = await startTidyStop(dataDir).then(
        () => false,
        (error: { code?: string }) => error.code === "STORE_CORRUPT" || Promise.reject(error),
      );
      outcomes[isRefused ? "refused" : "opened"] += 1;
    }
    const after = bytesIn(dataDir);
    const lost = [...before].filter((hash) => !after.has(hash) && hash !== REMOVED);
    expect({ states, lost }).toEqual({ states, lost: [] });
    rmSync(dataDir, { recursive: true });
  }
  expect(outcomes.opened).toBeGreaterThan(numbers.length);
});
