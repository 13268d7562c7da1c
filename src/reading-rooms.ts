// Opens what the settings name for reading text: the readers of formats, the embedding model, the reranker.
import { fileURLToPath } from "node:url";
import type { Config } from "./config/config.ts";
import { KnowledgeError } from "./domain/errors.ts";
import type { Embed, EmbedOptions } from "./embed/embed.ts";
import { entryUrl, type OpenLazily, packageUrl } from "./lazy.ts";
import type { Log } from "./observe/log.ts";
import type { Tracing } from "./observe/tracing.ts";
import type { RerankOptions } from "./rerank/rerank.ts";

const MEGABYTE = 1024 * 1024;
// Each keeps a core busy, with reading or with the model.
export const WORKERS = 2;
const MODEL_IDLE_MS = 5 * 60_000;

export async function openExtractor({ ocrDataDir, ocrLanguages, maxFileMb }: Config, log: Log) {
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

interface ReadingParts {
  readonly log: Log;
  readonly tracing: Tracing;
}

export async function openEmbedder(config: Config, parts: ReadingParts): Promise<Embed> {
  const { openEmbed, openOwnEmbed } = await import("./embed/embed.ts");
  const options = toEmbedOptions(config, parts);
  const isOwn = options.kind === "local" && config.modelDir !== undefined;
  return isOwn ? openOwnEmbed(options) : openEmbed(options);
}

interface RerankerParts extends ReadingParts {
  readonly lazy: OpenLazily;
}

export async function openReranker(config: Config, { lazy, ...parts }: RerankerParts) {
  const options = toRerankOptions(config, parts);
  if (options === undefined) return {};
  const { openRerank } = await import("./rerank/rerank.ts");
  return { rerank: await lazy("rerank", async () => openRerank(options))() };
}

function toRerankOptions(
  config: Config,
  { log, tracing }: ReadingParts,
): RerankOptions | undefined {
  const { rerankUrl: url, rerankModel: model, rerankKey: key, rerankDir: modelDir } = config;
  const { rerankTimeoutMs: timeoutMs } = config;
  if (url !== undefined && modelDir !== undefined) {
    throw new KnowledgeError(
      "CONFIG_INVALID",
      "Set KNOWLEDGE_RERANK_URL or KNOWLEDGE_RERANK_DIR, not both.",
    );
  }
  if (url !== undefined) {
    const { headers: traceHeaders } = tracing;
    const named = { ...(model && { model }), ...(key && { key }) };
    return { kind: "endpoint", url, timeoutMs, traceHeaders, ...named };
  }
  if (modelDir === undefined) return undefined;
  const workerUrl = entryUrl("rerank/worker");
  return { kind: "local", modelDir, workerUrl, timeoutMs, idleMs: MODEL_IDLE_MS, log };
}

function toEmbedOptions(config: Config, { log, tracing }: ReadingParts): EmbedOptions {
  const { embedUrl: url, embedModel: model, embedKey: key } = config;
  if (url !== undefined) {
    if (model === undefined) {
      throw new KnowledgeError(
        "CONFIG_INVALID",
        "KNOWLEDGE_EMBED_URL needs KNOWLEDGE_EMBED_MODEL.",
      );
    }
    const { headers: traceHeaders } = tracing;
    return { kind: "endpoint", url, model, log, traceHeaders, ...(key && { key }) };
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
