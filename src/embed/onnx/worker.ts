// A worker thread that holds a model: an encoder (text → vector) or a cross-encoder (two texts → score). It gets one text
// after the other.
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { type LoadedModel, loadCrossEncoder, loadEncoder } from "./onnx-model.ts";
import { type ModelProfile, sha256Of } from "./profile.ts";

export interface WorkerSetup {
  readonly modelDir: string;
  /** Absent for a cross-encoder. */
  readonly profile?: ModelProfile | undefined;
  /** File → sha256, checked before the weights are used; empty if this process has already checked them. */
  readonly check: Readonly<Record<string, string>>;
}

export interface ModelInput {
  readonly text: string;
  /** What a cross-encoder compares the text with. */
  readonly other?: string;
}

export type ToWorker = ({ readonly kind: "run" } & ModelInput) | { readonly kind: "stop" };

export type FromWorker =
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "vector"; readonly vector: Float32Array }
  | { readonly kind: "refused"; readonly reason: string };

async function serve(port: NonNullable<typeof parentPort>, setup: WorkerSetup): Promise<void> {
  const send = (message: FromWorker, transfer: ArrayBuffer[] = []) =>
    port.postMessage(message, transfer);
  const model = await load(setup).catch((error: unknown) => {
    send({ kind: "failed", reason: toReason(error) });
    return undefined;
  });
  if (!model) return port.close();
  send({ kind: "ready" });

  let running: Promise<void> = Promise.resolve();
  port.on("message", (message: ToWorker) => {
    running = running.then(async () => {
      if (message.kind === "run") return answer(model, message, send);
      // The thread releases the model itself instead of being terminated from outside, so that native memory is freed
      // in order.
      await model.release();
      port.close();
    });
  });
}

async function answer(
  model: LoadedModel,
  input: ModelInput,
  send: (message: FromWorker, transfer?: ArrayBuffer[]) => void,
): Promise<void> {
  try {
    const vector = await model.run(input);
    send({ kind: "vector", vector }, [vector.buffer as ArrayBuffer]);
  } catch (error) {
    send({ kind: "refused", reason: toReason(error) });
  }
}

async function load({ modelDir, profile, check }: WorkerSetup): Promise<LoadedModel> {
  for (const [name, sha256] of Object.entries(check)) {
    // Reasons reach people and models, so they name the file, never the folder it is missing from.
    const found = await sha256Of(join(modelDir, name)).catch(() => {
      throw new Error(`${name} is missing or unreadable`);
    });
    if (found !== sha256) throw new Error(`${name} is damaged`);
  }
  return profile ? loadEncoder(modelDir, profile) : loadCrossEncoder(modelDir);
}

function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

if (parentPort) await serve(parentPort, workerData as WorkerSetup);
