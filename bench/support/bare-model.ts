// A thread that runs the bare model over its share of texts, with nothing around it.
import { parentPort, Worker, workerData } from "node:worker_threads";
import { loadEncoder } from "../../src/embed/onnx/onnx-model.ts";
import { SHIPPED } from "../../src/embed/onnx/profile.ts";

interface Share {
  readonly modelDir: string;
  readonly texts: readonly string[];
}

/** Runs `threads` of them over the texts; resolves when all are loaded, to what sets them going. */
export async function openBareModel(
  modelDir: string,
  texts: readonly string[],
  threads: number,
): Promise<() => Promise<void>> {
  const workers = Array.from({ length: threads }, (_, number) => {
    const share: Share = { modelDir, texts: texts.filter((_, at) => at % threads === number) };
    return new Worker(new URL(import.meta.url), { workerData: share });
  });
  const all = (event: string) =>
    Promise.all(workers.map((worker) => new Promise((done) => worker.once(event, done))));
  await all("message");
  return async () => {
    for (const worker of workers) worker.postMessage("go");
    await all("message");
    for (const worker of workers) worker.postMessage("end");
    await all("exit");
  };
}

if (parentPort) {
  const port = parentPort;
  const { modelDir, texts } = workerData as Share;
  const model = await loadEncoder(modelDir, SHIPPED);
  await model.run({ text: "warm" });
  port.once("message", async () => {
    for (const text of texts) await model.run({ text });
    port.postMessage("done");
    port.once("message", async () => {
      await model.release();
      port.close();
    });
  });
  port.postMessage("ready");
}
