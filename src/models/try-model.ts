// Runs a model once before it is chosen: files may be complete and still not be what this program can use.
import { chooseEmbed, type EmbedParts } from "../embed/embed.ts";
import { openRerank } from "../rerank/rerank.ts";
import type { ListedModel } from "./catalogue.ts";
import type { InstalledModel } from "./installed.ts";

const QUESTION = "How do I reset my password?";
const PASSAGES = [
  "Passwords are reset on the account page.",
  "毎週金曜日に図書館で読書会を開いています。",
];
// Large models take this long to load on a slow disk.
const LOAD_MS = 120_000;

export async function tryModel(
  model: InstalledModel,
  kind: ListedModel["kind"],
  parts: EmbedParts,
): Promise<void> {
  if (kind === "embedding") await tryEmbedding(model, parts);
  else await tryReranker(model, parts);
}

async function tryEmbedding(model: InstalledModel, parts: EmbedParts): Promise<void> {
  const embed = await chooseEmbed({}, parts, model);
  try {
    const vectors = await embed.passages(PASSAGES);
    for (const vector of vectors) {
      if (vector.length !== embed.dimensions) throw new Error("its vectors have another length");
      if (!vector.every(Number.isFinite)) throw new Error("its vectors are not numbers");
    }
  } finally {
    await embed.close();
  }
}

async function tryReranker(
  { folder: rerankDir }: InstalledModel,
  parts: EmbedParts,
): Promise<void> {
  const rerank = await openRerank({ rerankDir, rerankTimeoutMs: LOAD_MS }, parts);
  try {
    const scores = await rerank?.scores(QUESTION, PASSAGES, AbortSignal.timeout(LOAD_MS));
    if (!scores?.every(Number.isFinite)) throw new Error("its scores are not numbers");
  } finally {
    await rerank?.close();
  }
}
