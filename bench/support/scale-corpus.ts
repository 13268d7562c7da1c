// Bases of any size out of real text: sentences of the retrieval sets, their real embeddings, recombined.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openEmbed } from "../../src/embed/embed.ts";
import { SHIPPED } from "../../src/embed/onnx/profile.ts";
import { openLog } from "../../src/observe/log.ts";
import type { IndexedChunk, NewDocument } from "../../src/store/store.ts";
import { openAnalyser } from "../../src/text/analyse.ts";

const DIMENSIONS = 384;
const SETS = ["squad-v2.0-dev", "cranfield", "tech-claude-docs", "ja-ameba-faq"];
const SENTENCES_PER_CHUNK = 5;
/** How far a made-up vector stands from the real one that it is made of: a cosine of about .8. */
const NOISE = 0.75;

export interface ScaleCorpus {
  readonly sentences: readonly string[];
  /** One real embedding a sentence, one after another. */
  readonly vectors: Float32Array;
  readonly questions: readonly {
    readonly text: string;
    readonly terms: readonly string[];
    readonly vector: Float32Array;
  }[];
  document(number: number, chunkCount: number): { document: NewDocument; chunks: IndexedChunk[] };
}

export async function openScaleCorpus(options: {
  readonly data: string;
  readonly cache: string;
  readonly modelDir: string;
  readonly questions: number;
}): Promise<ScaleCorpus> {
  const sentences = readSentences(options.data);
  const questions = readQuestions(options.data).slice(0, options.questions);
  const vectors = await embedded([...sentences, ...questions], options);
  const analyser = openAnalyser();
  const terms = sentences.map((text) => analyser.terms(text));
  const vectorAt = (row: number) => vectors.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS);
  return {
    sentences,
    vectors: vectors.subarray(0, sentences.length * DIMENSIONS),
    questions: questions.map((text, at) => ({
      text,
      terms: analyser.terms(text),
      vector: vectorAt(sentences.length + at),
    })),
    document: (number, chunkCount) =>
      makeDocument({ sentences, terms, vectorAt }, number, chunkCount),
  };
}

function readLines(path: string): { text?: string; title?: string }[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

export function readSentences(data: string): string[] {
  const texts = SETS.flatMap((set) => readLines(join(data, "retrieval", set, "corpus.jsonl")));
  const sentences = texts.flatMap(({ text = "" }) => text.split(/(?<=[.!?。])\s*/u));
  return [...new Set(sentences.map((text) => text.trim()))].filter((text) => text.length > 30);
}

function readQuestions(data: string): string[] {
  return SETS.flatMap((set) => readLines(join(data, "retrieval", set, "queries.jsonl")))
    .map(({ text = "" }) => text)
    .filter((text) => {
      const words = text.split(/\s+/u).length;
      return words >= 8 && words <= 12;
    });
}

async function embedded(
  texts: readonly string[],
  { cache, modelDir }: { readonly cache: string; readonly modelDir: string },
): Promise<Float32Array> {
  const name = createHash("sha256").update(texts.join("\n")).digest("hex").slice(0, 16);
  const path = join(cache, `${name}.f32`);
  if (existsSync(path)) {
    const bytes = readFileSync(path);
    return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  }
  const embed = openEmbed({
    kind: "local",
    modelDir,
    workerUrl: new URL("../../src/embed/onnx/worker.ts", import.meta.url),
    workers: 2,
    idleMs: 60_000,
    log: openLog({ level: "warn" }),
  });
  const vectors = new Float32Array(texts.length * DIMENSIONS);
  (await embed.passages(texts)).forEach((vector, row) => {
    vectors.set(vector, row * DIMENSIONS);
  });
  await embed.close();
  mkdirSync(cache, { recursive: true });
  writeFileSync(path, new Uint8Array(vectors.buffer));
  return vectors;
}

interface Material {
  readonly sentences: readonly string[];
  readonly terms: readonly (readonly string[])[];
  vectorAt(row: number): Float32Array;
}

function makeDocument(material: Material, number: number, chunkCount: number) {
  const random = openRandom(number + 1);
  const id = `bench-${number}`;
  let text = "";
  const chunks: IndexedChunk[] = [];
  for (let ordinal = 0; ordinal < chunkCount; ordinal++) {
    const picks = Array.from({ length: SENTENCES_PER_CHUNK }, () =>
      Math.floor(random() * material.sentences.length),
    );
    // A name that stands nowhere else: real bases are full of them.
    const own = `ref${number.toString(36)}x${ordinal}`;
    const chunkText = `${picks.map((pick) => material.sentences[pick]).join(" ")} ${own}`;
    const start = text.length;
    text += `${chunkText}\n\n`;
    chunks.push({
      ordinal,
      start,
      end: start + chunkText.length,
      text: chunkText,
      place: { page: ordinal + 1 },
      headings: ["Part", `Section ${ordinal}`],
      terms: [...picks.flatMap((pick) => material.terms[pick] ?? []), own],
      vector: perturbed(material.vectorAt(picks[0] ?? 0), random),
    });
  }
  const contentHash = createHash("sha256").update(id).digest("hex");
  const document: NewDocument = {
    id,
    filename: `${id}.md`,
    sourcePath: `/bench/${id}.md`,
    contentHash,
    format: number % 10 === 0 ? "pdf" : "md",
    sizeBytes: text.length,
    metadata: { team: `team-${number % 100}`, tags: [`tag-${number % 7}`] },
    fingerprint: `${SHIPPED.fingerprint}+bench`,
    extracted: {
      format: "md",
      method: "text_extraction",
      text,
      blocks: chunks.map(({ start, end, place }) => ({ kind: "paragraph", start, end, place })),
      pages: [],
      warnings: [],
    },
  };
  return { document, chunks };
}

function perturbed(vector: Float32Array, random: () => number): Float32Array {
  const scale = NOISE / Math.sqrt(DIMENSIONS);
  const moved = vector.map((value) => value + scale * gaussian(random));
  const norm = Math.hypot(...moved);
  return moved.map((value) => value / norm);
}

function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(random() || 1e-9)) * Math.cos(2 * Math.PI * random());
}

/** The same numbers in every run. */
function openRandom(seed: number): () => number {
  let state = Math.imul(seed, 2654435761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
