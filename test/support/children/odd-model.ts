// Has the protocol of embed/worker.ts and behaves as the text says: hangs, ends, or sends what cannot be read.
import { parentPort } from "node:worker_threads";
import type { FromWorker, ToWorker } from "../../../src/embed/onnx/worker.ts";
import { unreadable } from "./unreadable.ts";

const send = (message: FromWorker) => parentPort?.postMessage(message);

send({ kind: "ready" });
parentPort?.on("message", (message: ToWorker) => {
  if (message.kind === "stop") return parentPort?.close();
  const { text } = message;
  if (text === "hang") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (text === "end") process.exit(1);
  if (text === "throw") throw new Error("broken on purpose");
  if (text === "unreadable") return parentPort?.postMessage(unreadable());
  send({ kind: "vector", vector: new Float32Array(1) });
});
