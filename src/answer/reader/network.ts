// The trained network behind one call: pieces of a question and of passages → how likely each piece answers.
// training/reader/ makes its files again; docs/decisions/0017-reader.md says how it was chosen.
import { join } from "node:path";
import type { InferenceSession, TypedTensor } from "onnxruntime-node";
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
  const session = await runtime.InferenceSession.create(join(folder, "reader.onnx"), SESSION).catch(
    (cause) => {
      const message = "The reader's model is missing or damaged; install the program again.";
      throw new KnowledgeError("MODEL_UNAVAILABLE", message, { cause });
    },
  );
  const takeRows = openBuffer();
  const runOne: Network["run"] = async (question, passages) => {
    const longest = Math.max(1, ...passages.map(({ pieces }) => pieces.length));
    const input = toInput({ question, passages, longest }, rows, takeRows);
    const { pieces } = input;
    const shape = [passages.length, longest] as const;
    const result = await session.run({
      rows: new runtime.Tensor(input.rows, [pieces.length, rows.dimensions]),
      pieces: new runtime.Tensor(pieces, [pieces.length]),
      question: new runtime.Tensor(input.asked, [question.length]),
      weight: new runtime.Tensor(input.weights, [1, question.length]),
      passages: new runtime.Tensor(input.read, shape),
      is_text: new runtime.Tensor(input.isText, shape),
      score: new runtime.Tensor(Float32Array.from(passages, ({ score }) => score)),
    });
    return toOutput(result, input.weights, shape);
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
 * Zeros for rows, in the same memory every time: a new megabyte for each question would add up to thirty before the
 * garbage collector frees them.
 */
function openBuffer(): (length: number) => Float32Array {
  let kept = new Float32Array(0);
  return (length) => {
    if (kept.length < length) kept = new Float32Array(length);
    return kept.subarray(0, length).fill(0);
  };
}

interface NetworkInput {
  readonly question: readonly number[];
  readonly passages: readonly NetworkPassage[];
  readonly longest: number;
}

/** The rows of all pieces that occur, each once; question and passages as numbers of rows, -1 where there is none. */
function toInput(
  { question, passages, longest }: NetworkInput,
  { dimensions, copyRow }: PieceRows,
  takeRows: (length: number) => Float32Array,
) {
  const pieces = new Set([question, ...passages.map((each) => each.pieces)].flat());
  const numbers = new Map([...pieces].map((piece, at) => [piece, at]));
  const rows = takeRows(pieces.size * dimensions);
  const lengths = [...pieces].map((piece, at) => copyRow(piece, rows, at * dimensions));
  const asked = Int32Array.from(question, (piece) => numbers.get(piece) as number);
  const read = new Int32Array(passages.length * longest).fill(-1);
  const isText = new Float32Array(read.length);
  for (const [number, passage] of passages.entries()) {
    for (const [at, piece] of passage.pieces.entries()) {
      const place = number * longest + at;
      read[place] = numbers.get(piece) as number;
      isText[place] = passage.sentenceOf[at] === CONTEXT ? 0 : 1;
    }
  }
  return {
    ...{ rows, asked, read, isText },
    pieces: Int32Array.from(pieces),
    weights: Float32Array.from(asked, (at) => lengths[at] as number),
  };
}

function toOutput(
  result: InferenceSession.OnnxValueMapType,
  weights: Float32Array,
  [count, longest]: readonly [count: number, longest: number],
): NetworkOutput {
  const output = (name: string) => (result[name] as TypedTensor<"float32">).data;
  const cut = (name: string) =>
    Array.from({ length: count }, (_, at) => output(name).slice(at * longest, (at + 1) * longest));
  return {
    likely: cut("likely"),
    inside: cut("inside"),
    none: output("none")[0] as number,
    said: toSaid(output("found"), weights, longest),
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
