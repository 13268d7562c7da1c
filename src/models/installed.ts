// What is in the data folder's `models/`: a folder per model, checksums as they were on first use, and which are used.
//
//   models/NAME/…          complete; NAME.part while it is fetched
//   models/checksums.json  model → file → sha256; stays when a model is removed
//   models/chosen.json     { "embedding": NAME, "reranker": NAME }
import { access, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { KnowledgeError } from "../domain/errors.ts";
import { CATALOGUE, type ListedModel } from "./catalogue.ts";

export interface InstalledModel {
  readonly name: string;
  readonly folder: string;
  /** File → sha256, as recorded on first use. */
  readonly files: Readonly<Record<string, string>>;
}

export type Chosen = Readonly<Partial<Record<ListedModel["kind"], string>>>;
export type Checksums = Readonly<Record<string, Readonly<Record<string, string>>>>;

export const modelsFolder = (dataDir: string) => join(dataDir, "models");

export async function readChosen(dataDir: string): Promise<Chosen> {
  const given = await readJson(join(modelsFolder(dataDir), "chosen.json"));
  const nameOf = (kind: ListedModel["kind"]) => {
    const name = given[kind];
    if (name === undefined) return {};
    if (CATALOGUE.get(String(name))?.kind === kind) return { [kind]: String(name) };
    throw damaged("chosen.json");
  };
  return { ...nameOf("embedding"), ...nameOf("reranker") };
}

export function writeChosen(dataDir: string, chosen: Chosen): Promise<void> {
  return writeJson(join(modelsFolder(dataDir), "chosen.json"), chosen);
}

export async function readChecksums(dataDir: string): Promise<Checksums> {
  return (await readJson(join(modelsFolder(dataDir), "checksums.json"))) as Checksums;
}

export function writeChecksums(dataDir: string, checksums: Checksums): Promise<void> {
  return writeJson(join(modelsFolder(dataDir), "checksums.json"), checksums);
}

/** The models that are completely there. */
export async function readInstalled(dataDir: string): Promise<readonly InstalledModel[]> {
  const checksums = await readChecksums(dataDir);
  const found: InstalledModel[] = [];
  for (const [name, files] of Object.entries(checksums)) {
    if (!CATALOGUE.has(name)) continue;
    const folder = join(modelsFolder(dataDir), name);
    const isThere = await access(folder).then(
      () => true,
      () => false,
    );
    if (isThere) found.push({ name, folder, files });
  }
  return found;
}

/** The chosen model of a kind, also if its files are missing: whoever opens it reports that. */
export async function readChosenModel(
  dataDir: string,
  kind: ListedModel["kind"],
): Promise<InstalledModel | undefined> {
  const { [kind]: name } = await readChosen(dataDir);
  if (name === undefined) return undefined;
  const { [name]: files = {} } = await readChecksums(dataDir);
  return { name, folder: join(modelsFolder(dataDir), name), files };
}

/** Whether the chosen embedding model is still the one that was chosen when this was opened. */
export async function openIsCurrent(dataDir: string): Promise<() => Promise<boolean>> {
  const { embedding } = await readChosen(dataDir);
  return async () => (await readChosen(dataDir)).embedding === embedding;
}

async function readJson(path: string): Promise<Record<string, unknown>> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return "{}";
    throw error;
  });
  try {
    return { ...JSON.parse(text) };
  } catch {
    throw damaged(path.endsWith("chosen.json") ? "chosen.json" : "checksums.json");
  }
}

/** Readers see the old content or the new one. */
async function writeJson(path: string, value: unknown): Promise<void> {
  const next = `${path}.${process.pid}`;
  await writeFile(next, `${JSON.stringify(value, null, 2)}\n`, { flush: true });
  await rename(next, path);
}

function damaged(name: string): KnowledgeError {
  return new KnowledgeError(
    "CONFIG_INVALID",
    `models/${name} in the data folder is damaged. Delete it, then choose the model again with \`knowledge-server models use\`.`,
  );
}
