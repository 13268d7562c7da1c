// A worker thread that holds a cross-encoder: a question and a passage together → one score. Between passages it checks
// for messages, so that cancelled work stops.
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import type { Tensor } from "onnxruntime-node";

export type ToWorker =
  | {
      readonly kind: "score";
      readonly id: number;
      readonly query: string;
      readonly passages: readonly string[];
    }
  | { readonly kind: "cancel"; readonly id: number };

export type FromWorker =
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "scores"; readonly id: number; readonly scores: readonly number[] }
  | { readonly kind: "refused"; readonly id: number; readonly reason: string };

type Work = Extract<ToWorker, { kind: "score" }>;
type Score = (query: string, passage: string) => Promise<number>;

const ONNX_FILES = ["onnx/model_quantized.onnx", "onnx/model.onnx", "model.onnx"];
const USUAL_MAX_TOKENS = 512;

async function load(modelDir: string): Promise<Score> {
  // This is a CommonJS package: bundled or not, its names are on the default export.
  const { default: runtime } = await import("onnxruntime-node");
  const { InferenceSession, Tensor } = runtime;
  const { Tokenizer } = await import("@huggingface/tokenizers");
  const file = await readJson(modelDir, "tokenizer.json");
  const config = await readJson(modelDir, "tokenizer_config.json");
  const { max_position_embeddings: most = USUAL_MAX_TOKENS } = await readJson(
    modelDir,
    "config.json",
  );
  const maxTokens = Math.min(USUAL_MAX_TOKENS, Number(most));
  const tokenizer = new Tokenizer({ ...file, truncation: null, padding: null }, config);
  const session = await InferenceSession.create(join(modelDir, await findWeights(modelDir)), {
    executionProviders: ["cpu"],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  });
  const toTensor = (values: readonly number[]) =>
    new Tensor("int64", BigInt64Array.from(values, BigInt), [1, values.length]);
  return async (query, passage) => {
    const pair = tokenizer.encode(query, { text_pair: passage, return_token_type_ids: true });
    const ids = cut(pair.ids, maxTokens);
    const inputs: Record<string, Tensor> = {
      input_ids: toTensor(ids),
      attention_mask: toTensor(ids.map(() => 1)),
      token_type_ids: toTensor(cut(pair.token_type_ids, maxTokens)),
    };
    const wanted = session.inputNames.map((name) => [name, inputs[name]] as const);
    const result = await session.run(Object.fromEntries(wanted) as Record<string, Tensor>);
    const logits = result[session.outputNames[0] ?? ""]?.data as Float32Array;
    // A single number is the score; of two, the score is how far "relevant" is above "not relevant".
    return logits.length === 1 ? Number(logits[0]) : Number(logits[1]) - Number(logits[0]);
  };
}

/** Keeps the end mark. */
function cut(values: readonly number[], most: number): readonly number[] {
  return values.length <= most ? values : [...values.slice(0, most - 1), values.at(-1) as number];
}

async function findWeights(modelDir: string): Promise<string> {
  for (const name of ONNX_FILES) {
    const isThere = await access(join(modelDir, name)).then(
      () => true,
      () => false,
    );
    if (isThere) return name;
  }
  throw new Error("onnx/model.onnx is missing");
}

async function readJson(modelDir: string, name: string): Promise<Record<string, unknown>> {
  // Reasons reach people and models, so they name the file, never the folder it is missing from.
  const text = await readFile(join(modelDir, name), "utf8").catch(() => {
    throw new Error(`${name} is missing`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${name} is not JSON`);
  }
}

interface Serving {
  readonly port: NonNullable<typeof parentPort>;
  readonly queue: Map<number, Work>;
  isBusy: boolean;
}

function serve(port: Serving["port"], modelDir: string): void {
  const serving: Serving = { port, queue: new Map(), isBusy: false };
  const loaded = load(modelDir).catch((error: Error) => {
    send(serving, { kind: "failed", reason: firstLine(error) });
    return undefined;
  });
  port.on("message", (message: ToWorker) => {
    take(serving, message);
    void loaded.then((score) => (score ? drain(serving, score) : undefined));
  });
}

function send({ port }: Serving, message: FromWorker): void {
  port.postMessage(message);
}

function take({ queue }: Serving, message: ToWorker): void {
  if (message.kind === "cancel") queue.delete(message.id);
  else queue.set(message.id, message);
}

/** Takes the messages that arrived while the model was running, which the thread's event loop has not delivered yet. */
function takeWaiting(serving: Serving): void {
  const { port } = serving;
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
    take(serving, next.message);
  }
}

async function drain(serving: Serving, score: Score): Promise<void> {
  const { queue } = serving;
  if (serving.isBusy) return;
  serving.isBusy = true;
  for (let work = first(queue); work; work = first(queue)) {
    const { id } = work;
    await scoreAll(serving, work, score).catch((error: Error) => {
      queue.delete(id);
      send(serving, { kind: "refused", id, reason: firstLine(error) });
    });
  }
  serving.isBusy = false;
}

async function scoreAll(serving: Serving, { id, query, passages }: Work, score: Score) {
  const scores: number[] = [];
  for (const passage of passages) {
    takeWaiting(serving);
    if (!serving.queue.has(id)) return;
    scores.push(await score(query, passage));
  }
  serving.queue.delete(id);
  if (scores.every(Number.isFinite)) send(serving, { kind: "scores", id, scores });
  else send(serving, { kind: "refused", id, reason: "its scores are not numbers" });
}

function first<Value>(map: ReadonlyMap<number, Value>): Value | undefined {
  return map.values().next().value;
}

/** Further lines of the runtime's messages contain paths and dumps. */
function firstLine({ message }: Error): string {
  return /missing|not JSON/.test(message) ? message : "the model cannot be loaded or run";
}

if (parentPort) serve(parentPort, (workerData as { modelDir: string }).modelDir);
