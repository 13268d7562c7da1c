// Opens the rooms that documents go through: extract, embed, search, ingest, watched folders.
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { DEFAULT_CHUNKS } from "./chunk/chunk.ts";
import type { Config } from "./config/config.ts";
import { KnowledgeError } from "./domain/errors.ts";
import type { EmbedOptions } from "./embed/embed.ts";
import type { Folders, WatchedFolder } from "./ingest/folders/folders.ts";
import { entryUrl, type Lazy, type OpenLazily, packageUrl } from "./lazy.ts";
import type { Log } from "./observe/log.ts";

import type { RerankOptions } from "./rerank/rerank.ts";

import { shareSearch } from "./share.ts";

import { openTrash } from "./store/core/trash.ts";
import type { Store } from "./store/store.ts";
import type { DocumentRooms } from "./tools/documents/family.ts";
import type { Door } from "./tools/door.ts";

export interface DocumentParts {
  readonly lazy: OpenLazily;
  readonly store: Lazy<Store>;
  readonly door: Door;
  readonly log: Log;
  /** What this process was started as. */
  readonly command: string;
  /** Documents were stored, replaced or removed. */
  readonly onChange: () => void;
}

const MEGABYTE = 1024 * 1024;
// Each keeps a core busy, be it with reading or with the model.
const WORKERS = 2;
const MODEL_IDLE_MS = 5 * 60_000;
const COLD_STARTS: Readonly<Record<string, "warm" | "light">> = {
  stdio: "warm",
  http: "warm",
  search: "light",
};

export function openDocuments(config: Config, parts: DocumentParts): DocumentRooms {
  const { lazy, store, door, log, onChange, command } = parts;
  const extract = lazy("extract", () => openReader(config, log));
  const embed = lazy("embed", async () => {
    const { openEmbed, openOwnEmbed } = await import("./embed/embed.ts");
    const options = toEmbedOptions(config, log);
    const isOwn = options.kind === "local" && config.modelDir !== undefined;
    return isOwn ? openOwnEmbed(options) : openEmbed(options);
  });
  const analyser = lazy("analyser", async () => {
    const { openAnalyser } = await import("./search/search.ts");
    return openAnalyser();
  });
  const local = lazy("search", async () => {
    // The store's thread starts while the rest is loaded.
    const [{ openSearch }, { documents }, port, words] = await Promise.all([
      import("./search/search.ts"),
      store(),
      embed(),
      analyser(),
    ]);
    const parts = { store: documents, embed: port, analyser: words, log };
    const coldStart = COLD_STARTS[command] ?? "wait";
    return openSearch({ ...parts, coldStart, ...(await openReranker(config, { lazy, log })) });
  });
  // A server that takes the searches of others hands over none.
  const search =
    command === "http" ? local : lazy("shared search", shareSearch(config, local, log));
  const ingest = lazy("ingest", async () => {
    const { openIngest } = await import("./ingest/ingest.ts");
    // The embedded store makes its folder with its database.
    if (config.databaseUrl !== undefined) {
      await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
    }
    return openIngest({
      store: await store(),
      extract: await extract(),
      embed: await embed(),
      analyser: await analyser(),
      chunks: DEFAULT_CHUNKS,
      roots: config.roots,
      closed: ownPaths(config),
      home: homedir(),
      workingDirectory: process.cwd(),
      incomingDir: join(config.dataDir, "incoming"),
      trash: openTrash(join(config.dataDir, "trash")),
      maxFileBytes: config.maxFileMb * MEGABYTE,
      concurrency: WORKERS,
      refine: config.refine,
      perform: door.perform,
      isOpen: door.isOpen,
      onStored: onChange,
      log,
    });
  });
  return {
    store,
    ingest,
    search,
    embed,
    extract,
    chunkSize: DEFAULT_CHUNKS.size,
    maxFileMb: config.maxFileMb,
    topK: config.topK,
    folders: async () => {
      const { summariseFolders } = await import("./ingest/folders/folders.ts");
      return summariseFolders(ledgerDirOf(config));
    },
    auditIssue: door.auditIssue,
    onRemoved: onChange,
  };
}

export interface WatchParts extends Pick<DocumentParts, "door" | "log"> {
  readonly documents: DocumentRooms;
  readonly folders: readonly WatchedFolder[];
}

export async function openWatch(config: Config, parts: WatchParts): Promise<Folders> {
  const { documents, folders, door, log } = parts;
  const { openFolders } = await import("./ingest/folders/folders.ts");
  const [store, ingest] = [await documents.store(), await documents.ingest()];
  const ledgerDir = ledgerDirOf(config);
  const { perform } = door;
  return openFolders({ folders, ledgerDir, documents: store.documents, ingest, perform, log });
}

/** Closed to every caller, whatever the roots say. */
function ownPaths(config: Config): readonly string[] {
  const { dataDir, configFile, tokenFile, auditFile, ocrDataDir, modelDir, rerankDir } = config;
  const shipped = ["models/", "ocr-data/"].map((path) => fileURLToPath(packageUrl(path)));
  const set = [dataDir, configFile, tokenFile, auditFile, ocrDataDir, modelDir, rerankDir];
  return [...set.flatMap((path) => (path === undefined ? [] : [resolve(path)])), ...shipped];
}

const ledgerDirOf = (config: Config) => join(config.dataDir, "folders");

async function openReader({ ocrDataDir, ocrLanguages, maxFileMb }: Config, log: Log) {
  const { openExtract } = await import("./extract/extract.ts");
  return openExtract({
    childUrl: entryUrl("extract/sandbox/child"),
    ocr: {
      dataDir: fileURLToPath(packageUrl("ocr-data/")),
      ...(ocrDataDir === undefined ? {} : { moreDataDir: ocrDataDir }),
      languages: ocrLanguages,
    },
    limits: { fileBytes: maxFileMb * MEGABYTE },
    log,
  });
}

async function openReranker(config: Config, { lazy, log }: Pick<DocumentParts, "lazy" | "log">) {
  const options = toRerankOptions(config, log);
  if (options === undefined) return {};
  const { openRerank } = await import("./rerank/rerank.ts");
  return { rerank: await lazy("rerank", async () => openRerank(options))() };
}

function toRerankOptions(config: Config, log: Log): RerankOptions | undefined {
  const { rerankUrl: url, rerankModel: model, rerankKey: key, rerankDir: modelDir } = config;
  const { rerankTimeoutMs: timeoutMs } = config;
  if (url !== undefined && modelDir !== undefined) {
    throw new KnowledgeError(
      "CONFIG_INVALID",
      "Set KNOWLEDGE_RERANK_URL or KNOWLEDGE_RERANK_DIR, not both.",
    );
  }
  if (url !== undefined) {
    return { kind: "endpoint", url, timeoutMs, ...(model && { model }), ...(key && { key }) };
  }
  if (modelDir === undefined) return undefined;
  const workerUrl = entryUrl("rerank/worker");
  return { kind: "local", modelDir, workerUrl, timeoutMs, idleMs: MODEL_IDLE_MS, log };
}

function toEmbedOptions(config: Config, log: Log): EmbedOptions {
  const { embedUrl: url, embedModel: model, embedKey: key } = config;
  if (url !== undefined) {
    if (model === undefined) {
      throw new KnowledgeError(
        "CONFIG_INVALID",
        "KNOWLEDGE_EMBED_URL needs KNOWLEDGE_EMBED_MODEL.",
      );
    }
    return { kind: "endpoint", url, model, log, ...(key === undefined ? {} : { key }) };
  }
  return {
    kind: "local",
    modelDir: config.modelDir ?? fileURLToPath(packageUrl("models/all-MiniLM-L6-v2")),
    lightDir: fileURLToPath(packageUrl("models/light")),
    workerUrl: entryUrl("embed/onnx/worker"),
    workers: WORKERS,
    idleMs: MODEL_IDLE_MS,
    log,
  };
}
