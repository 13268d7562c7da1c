// The port: other models at a word. Nothing is fetched unless a person asks for it.
//
//   get ──▶ NAME.part ──▶ compare with the checksums of the first use ──▶ models/NAME
//   use ──▶ try the model ──▶ chosen.json          (a failure changes nothing)
import { mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { KnowledgeError } from "../domain/errors.ts";
import { chooseEmbed, type EmbedParts, sha256Of } from "../embed/embed.ts";
import { hasEnded } from "../observe/silence.ts";
import { CATALOGUE, filesOf, type ListedModel, settingsOf } from "./catalogue.ts";
import { fetchFile } from "./fetch-file.ts";
import {
  type InstalledModel,
  modelsFolder,
  readChecksums,
  readChosen,
  readInstalled,
  writeChecksums,
  writeChosen,
} from "./installed.ts";
import { tryModel } from "./try-model.ts";

type Kind = ListedModel["kind"];

export interface ModelState extends ListedModel {
  readonly installed: boolean;
  readonly used: boolean;
}

export interface ModelCheck {
  readonly name: string;
  /** Files that are missing or differ from their first use. */
  readonly damaged: readonly string[];
}

export interface ModelChange {
  readonly action: "get" | "use" | "remove";
  readonly name: string;
  /** For `get`: replaces the checksums of the first use. */
  readonly acceptChanges?: boolean;
}

export interface ModelWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: {
    readonly file: string;
    readonly done: number;
    readonly total: number | undefined;
  }) => void;
}

export interface Models {
  list(): Promise<readonly ModelState[]>;
  /** All installed models, or one of them. */
  check(name?: string): Promise<readonly ModelCheck[]>;
  change(change: ModelChange, watch: ModelWatch): Promise<void>;
}

/** The part of the configuration that models need. */
interface ModelsConfig {
  readonly dataDir: string;
  readonly modelHub: string;
  readonly modelDir?: string | undefined;
  readonly embedUrl?: string | undefined;
  readonly rerankDir?: string | undefined;
  readonly rerankUrl?: string | undefined;
}

export interface ModelsParts {
  readonly config: ModelsConfig;
  readonly embed: EmbedParts;
  readonly hasVectorsOf: (fingerprint: string) => Promise<boolean>;
}

/** Names that choose none of the list: the model of the package, and no reranker. */
const NONE = new Map<string, Kind>([
  ["shipped", "embedding"],
  ["no-reranker", "reranker"],
]);

export function openModels(parts: ModelsParts): Models {
  const { dataDir } = parts.config;
  return {
    async list() {
      const chosen = await readChosen(dataDir);
      const installed = new Set((await readInstalled(dataDir)).map(({ name }) => name));
      return [...CATALOGUE.values()].map((model) => ({
        ...model,
        installed: installed.has(model.name),
        used: chosen[model.kind] === model.name,
      }));
    },
    async check(name) {
      const installed = await readInstalled(dataDir);
      const wanted = name === undefined ? installed : [found(installed, name)];
      return Promise.all(wanted.map(checkFiles));
    },
    async change({ action, name, acceptChanges = false }, watch) {
      if (action === "get") await get(parts, { model: listed(name), acceptChanges }, watch);
      else if (action === "use") await use(parts, name);
      else await remove(parts, listed(name));
    },
  };
}

function listed(name: string): ListedModel {
  const model = CATALOGUE.get(name);
  if (model) return model;
  throw new KnowledgeError(
    "INVALID_PARAMETER",
    "No model of this name. `knowledge-server models list` shows all.",
  );
}

function found(installed: readonly InstalledModel[], name: string): InstalledModel {
  const model = installed.find((each) => each.name === listed(name).name);
  if (model) return model;
  throw new KnowledgeError(
    "FILE_NOT_FOUND",
    `${name} is not installed. Fetch it: knowledge-server models get ${name}`,
  );
}

async function checkFiles({ name, folder, files }: InstalledModel): Promise<ModelCheck> {
  const damaged: string[] = [];
  for (const [file, sha256] of Object.entries(files)) {
    const now = await sha256Of(join(folder, file)).catch(() => undefined);
    if (now !== sha256) damaged.push(file);
  }
  return { name, damaged };
}

interface Wanted {
  readonly model: ListedModel;
  readonly acceptChanges: boolean;
}

async function get(parts: ModelsParts, wanted: Wanted, watch: ModelWatch): Promise<void> {
  const { dataDir } = parts.config;
  const { name } = wanted.model;
  const folder = join(modelsFolder(dataDir), name);
  const [there] = (await readInstalled(dataDir)).filter((each) => each.name === name);
  const isIntact = there !== undefined && (await checkFiles(there)).damaged.length === 0;
  if (isIntact && !wanted.acceptChanges) return;
  await mkdir(modelsFolder(dataDir), { recursive: true });
  const unlock = await lock(`${folder}.lock`);
  try {
    const files = await fetchAll(parts, { ...wanted, staging: `${folder}.part` }, watch);
    await writeChecksums(dataDir, { ...(await readChecksums(dataDir)), [name]: files });
    await rm(folder, { recursive: true, force: true });
    await rename(`${folder}.part`, folder);
  } finally {
    await unlock();
  }
}

/** Returns the checksums of all files, which are those of the first use if there was one. */
async function fetchAll(
  { config: { dataDir, modelHub } }: ModelsParts,
  { model, acceptChanges, staging }: Wanted & { readonly staging: string },
  { signal, onProgress }: ModelWatch,
): Promise<Readonly<Record<string, string>>> {
  const { [model.name]: known } = await readChecksums(dataDir);
  const files: Record<string, string> = {};
  for (const { from, name, maxBytes } of filesOf(model)) {
    const path = join(staging, name);
    const url = `${modelHub.replace(/\/$/, "")}/${model.repository}/resolve/main/${from}`;
    const onBytes = (done: number, total: number | undefined) =>
      onProgress({ file: name, done, total });
    const there = await sha256Of(path).catch(() => undefined);
    if (there === undefined) await fetchFile({ url, path, maxBytes, signal, onBytes });
    const sha256 = there ?? (await sha256Of(path));
    if (known && !acceptChanges && known[name] !== sha256) {
      await rm(path);
      throw changed(name);
    }
    files[name] = sha256;
  }
  for (const [name, value] of settingsOf(model)) {
    const path = join(staging, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, JSON.stringify(value));
    files[name] = await sha256Of(path);
  }
  return files;
}

function changed(name: string): KnowledgeError {
  return new KnowledgeError(
    "CORRUPT_FILE",
    `${name} differs from the file that was fetched first, so it was not used. If the model was updated on purpose, add --accept-changes.`,
  );
}

async function use({ config, embed }: ModelsParts, name: string): Promise<void> {
  const { dataDir } = config;
  const kind = NONE.get(name) ?? listed(name).kind;
  const setting = overriding(config, kind);
  if (setting !== undefined && !NONE.has(name)) {
    throw new KnowledgeError(
      "CONFIG_INVALID",
      `${setting} is set and takes precedence. Remove it, then choose the model again.`,
    );
  }
  const { [kind]: _, ...others } = await readChosen(dataDir);
  await mkdir(modelsFolder(dataDir), { recursive: true });
  if (NONE.has(name)) return writeChosen(dataDir, others);
  const model = found(await readInstalled(dataDir), name);
  const { damaged } = await checkFiles(model);
  if (damaged.length > 0) throw unusable(name, `${damaged.join(", ")} is damaged`);
  await tryModel(model, kind, embed).catch((error: Error) => {
    throw unusable(name, error.message);
  });
  await writeChosen(dataDir, { ...others, [kind]: name });
}

/** The setting that takes precedence over what is chosen here. */
function overriding(config: ModelsConfig, kind: Kind): string | undefined {
  const { embedUrl, modelDir, rerankUrl, rerankDir } = config;
  const [url, folder] = kind === "embedding" ? [embedUrl, modelDir] : [rerankUrl, rerankDir];
  const name = kind === "embedding" ? ["EMBED_URL", "MODEL_DIR"] : ["RERANK_URL", "RERANK_DIR"];
  if (url !== undefined) return `KNOWLEDGE_${name[0]}`;
  return folder === undefined ? undefined : `KNOWLEDGE_${name[1]}`;
}

function unusable(name: string, reason: string): KnowledgeError {
  return new KnowledgeError(
    "MODEL_UNAVAILABLE",
    `${name} can't be used, and nothing was changed: ${reason}`,
  );
}

async function remove(parts: ModelsParts, { name, kind }: ListedModel): Promise<void> {
  const { dataDir } = parts.config;
  const model = found(await readInstalled(dataDir), name);
  if ((await readChosen(dataDir))[kind] === name) {
    const instead = kind === "embedding" ? "shipped" : "no-reranker";
    throw new KnowledgeError(
      "STORE_IN_USE",
      `${name} is in use. First: knowledge-server models use ${instead}`,
    );
  }
  if (kind === "embedding" && (await isNeeded(parts, model))) {
    throw new KnowledgeError(
      "STORE_IN_USE",
      `Documents still have vectors of ${name}; a running server embeds them again. \`knowledge-server status\` shows how many are left.`,
    );
  }
  await rm(model.folder, { recursive: true });
}

async function isNeeded({ embed: parts, hasVectorsOf }: ModelsParts, model: InstalledModel) {
  const embed = await chooseEmbed({}, parts, model);
  return hasVectorsOf(embed.fingerprint).finally(() => embed.close());
}

/** Two downloads of one model would write the same files. A process that died leaves its lock, which is then taken. */
async function lock(path: string): Promise<() => Promise<void>> {
  for (let attempt = 0; ; attempt++) {
    try {
      const file = await open(path, "wx");
      await file.writeFile(String(process.pid)).finally(() => file.close());
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const holder = Number(await readFile(path, "utf8").catch(() => ""));
      const isProcess = Number.isInteger(holder) && holder > 0;
      if (attempt > 0 || (isProcess && !hasEnded(holder))) {
        throw new KnowledgeError("STORE_IN_USE", "Another process is fetching this model.");
      }
      await rm(path, { force: true });
    }
  }
}
