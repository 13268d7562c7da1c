// The trained network behind one call: pieces of a question and of passages → how likely each piece answers.
// training/reader/ makes its files again; docs/decisions/0017-reader.md says how it was chosen.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { InferenceSession, Tensor, TypedTensor } from "onnxruntime-node";
import { KnowledgeError } from "../../domain/errors.ts";
import { CONTEXT } from "./input.ts";

/** The rows of the light encoder's table. */
export interface PieceRows {
  readonly dimensions: number;
  /** Writes a piece's row, as a vector of length one, to `into` from `at`; returns the row's own length. */
  copyRow(piece: number, into: Float32Array, at: number): number;
}

interface NetworkPassage {
  readonly pieces: readonly number[];
  readonly sentenceOf: readonly number[];
  /** The search's relevance. */
  readonly score: number;
}

export interface NetworkOutput {
  /** For each passage and piece, the probability that it is the answer's; all of them and `none` add up to one. */
  readonly likely: readonly Float32Array[];
  /** For each passage and piece, whether it is inside the answer if the answer is near it. */
  readonly inside: readonly Float32Array[];
  readonly none: number;
  /** How much of the question the pieces of a passage from `first` to `last` say, by meaning: 0 to 1. */
  said(passage: number, first: number, last: number): number;
}

export interface Network {
  run(question: readonly number[], passages: readonly NetworkPassage[]): Promise<NetworkOutput>;
  release(): Promise<void>;
}

// One thread: a second one saves little on so small a network, and spinning would cost the others.
const SESSION: InferenceSession.SessionOptions = {
  executionProviders: ["cpu"],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: "sequential",
  graphOptimizationLevel: "all",
  enableCpuMemArena: false,
  enableMemPattern: false,
  logSeverityLevel: 3,
  extra: { session: { intra_op: { allow_spinning: "0" } } },
};

export async function loadNetwork(folder: string, rows: PieceRows): Promise<Network> {
  const { default: runtime } = await import("onnxruntime-node");
  const learnt = await readLearnt(join(folder, "pieces.bin"));
  const session = await runtime.InferenceSession.create(join(folder, "reader.onnx"), SESSION).catch(
    (cause) => Promise.reject(unusable(cause)),
  );
  const toTensor: ToTensor = (data, ...shape) => new runtime.Tensor("float32", data, shape);
  const takeRows = openBuffer();
  const runOne: Network["run"] = async (question, passages) => {
    const longest = Math.max(1, ...passages.map(({ pieces }) => pieces.length));
    const feeds = toFeeds({ question, passages, longest }, { rows, learnt, toTensor, takeRows });
    const result = await session.run(feeds);
    const cut = (name: string) => {
      const { data } = result[name] as TypedTensor<"float32">;
      return passages.map((_, at) => data.slice(at * longest, (at + 1) * longest));
    };
    const none = (result["none"] as TypedTensor<"float32">).data[0] as number;
    const found = (result["found"] as TypedTensor<"float32">).data;
    const weights = feeds.weight.data as Float32Array;
    return {
      likely: cut("likely"),
      inside: cut("inside"),
      none,
      said: toSaid(found, weights, longest),
    };
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(question, passages) {
      // One after the other, because they share a buffer.
      const output = last.then(() => runOne(question, passages));
      last = output.catch(() => undefined);
      return output;
    },
    release: () => session.release(),
  };
}

/**
 * Zeros for the passages' rows, in the same memory every time: new megabytes for each question would add up to thirty
 * before the garbage collector frees them.
 */
function openBuffer(): (length: number) => Float32Array {
  let kept = new Float32Array(0);
  return (length) => {
    if (kept.length < length) kept = new Float32Array(length);
    return kept.subarray(0, length).fill(0);
  };
}

/** `found`: for each passage and piece, how near it is to each piece of the question. */
function toSaid(
  found: Float32Array,
  weights: Float32Array,
  longest: number,
): NetworkOutput["said"] {
  const whole = weights.reduce((sum, own) => sum + own, 0) || 1;
  return (passage, first, last) => {
    let sum = 0;
    for (const [asked, weight] of weights.entries()) {
      let nearest = 0;
      for (let at = first; at <= last; at++) {
        const place = (passage * longest + at) * weights.length + asked;
        nearest = Math.max(nearest, found[place] as number);
      }
      sum += nearest * weight;
    }
    return sum / whole;
  };
}

type ToTensor = (data: Float32Array, ...shape: number[]) => Tensor;

interface NetworkInput {
  readonly question: readonly number[];
  readonly passages: readonly NetworkPassage[];
  readonly longest: number;
}

interface FeedParts {
  readonly rows: PieceRows;
  readonly learnt: Learnt;
  readonly toTensor: ToTensor;
  readonly takeRows: (length: number) => Float32Array;
}

function toFeeds({ question, passages, longest }: NetworkInput, parts: FeedParts) {
  const { rows, learnt, toTensor, takeRows } = parts;
  const [count, asked] = [passages.length, question.length];
  const texts = passages.map(({ pieces }) => pieces);
  const own = toRows(rows, learnt, { texts: [question], longest: asked });
  const found = toRows(rows, learnt, { texts, longest }, takeRows);
  const { mask, isText, same } = compare(question, passages, longest);
  const scores = Float32Array.from(passages, ({ score }) => score);
  return {
    question: toTensor(own.rows, 1, asked, rows.dimensions),
    question_learnt: toTensor(own.learnt, 1, asked, learnt.columns),
    weight: toTensor(own.weights, 1, asked),
    passage: toTensor(found.rows, count, longest, rows.dimensions),
    passage_learnt: toTensor(found.learnt, count, longest, learnt.columns),
    passage_mask: toTensor(mask, count, longest),
    is_text: toTensor(isText, count, longest),
    same: toTensor(same, count, longest, asked),
    score: toTensor(scores, count),
  };
}

/** The columns that training added to the light table's rows: rows × columns in int8, with a scale per column. */
interface Learnt {
  readonly columns: number;
  readonly scales: Float32Array;
  readonly values: Int8Array;
}

async function readLearnt(path: string): Promise<Learnt> {
  const bytes = await readFile(path).catch((cause) => Promise.reject(unusable(cause)));
  const [pieces, columns] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4)];
  if (bytes.length !== 8 + columns * 4 + pieces * columns) throw unusable();
  const scales = Float32Array.from({ length: columns }, (_, at) => bytes.readFloatLE(8 + at * 4));
  const start = bytes.byteOffset + 8 + columns * 4;
  return { columns, scales, values: new Int8Array(bytes.buffer, start, pieces * columns) };
}

function unusable(cause?: unknown): KnowledgeError {
  const message = "The reader's model is missing or damaged; install the program again.";
  return new KnowledgeError("MODEL_UNAVAILABLE", message, { cause });
}

function toRows(
  { dimensions, copyRow }: PieceRows,
  { columns, scales, values }: Learnt,
  { texts, longest }: { readonly texts: readonly (readonly number[])[]; readonly longest: number },
  takeRows = (length: number): Float32Array => new Float32Array(length),
) {
  const rows = takeRows(texts.length * longest * dimensions);
  const learnt = new Float32Array(texts.length * longest * columns);
  const weights = new Float32Array(texts.length * longest);
  for (const [number, pieces] of texts.entries()) {
    for (const [at, piece] of pieces.entries()) {
      const place = number * longest + at;
      weights[place] = copyRow(piece, rows, place * dimensions);
      for (let column = 0; column < columns; column++) {
        learnt[place * columns + column] =
          (values[piece * columns + column] as number) * (scales[column] as number);
      }
    }
  }
  return { rows, learnt, weights };
}

/** Which pieces there are, which belong to the text, and which are the same as a piece of the question. */
function compare(
  question: readonly number[],
  passages: readonly NetworkPassage[],
  longest: number,
) {
  const mask = new Float32Array(passages.length * longest);
  const isText = new Float32Array(mask.length);
  const same = new Float32Array(mask.length * question.length);
  for (const [number, { pieces, sentenceOf }] of passages.entries()) {
    for (const [at, piece] of pieces.entries()) {
      const place = number * longest + at;
      mask[place] = 1;
      if (sentenceOf[at] !== CONTEXT) isText[place] = 1;
      for (const [asked, own] of question.entries()) {
        if (own === piece) same[place * question.length + asked] = 1;
      }
    }
  }
  return { mask, isText, same };
}
