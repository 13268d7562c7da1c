// A store's thread that misbehaves on request: echoes, hangs, ends, or returns values that cannot be sent or read.
import { parentPort } from "node:worker_threads";
import { serveCalls } from "../../../src/store/sqlite/thread/serve-calls.ts";
import { unreadable } from "./unreadable.ts";

const METHODS = {
  echo: (value: unknown) => value,
  hang: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  end(): never {
    process.exit(1);
  },
  crash(): void {
    queueMicrotask(() => {
      throw new Error("thrown outside of the call");
    });
  },
  fail(): never {
    throw new Error("broken on purpose");
  },
  unreadable: () => unreadable(),
  unsendable: () => () => {},
};
export type OddThread = typeof METHODS;

if (parentPort) {
  serveCalls(parentPort, ({ method, args }) =>
    method === "close"
      ? undefined
      : (METHODS[method as keyof OddThread] as (...given: readonly unknown[]) => unknown)(...args),
  );
}
