// Has the protocol of embed/worker.ts. The first thread of a process has its model at once, the others load forever.
import { parentPort, workerData } from "node:worker_threads";
import type { FromWorker, ToWorker, WorkerSetup } from "../../../src/embed/onnx/worker.ts";

const isFirst = Object.keys((workerData as WorkerSetup).check).length > 0;
const send = (message: FromWorker) => parentPort?.postMessage(message);

if (isFirst) send({ kind: "ready" });
parentPort?.on("message", (message: ToWorker) => {
  if (message.kind === "stop") parentPort?.close();
  else if (isFirst) send({ kind: "vector", vector: new Float32Array(1) });
});
