import { once } from "node:events";
import type { Command } from "../command.ts";

export const worker: Command = {
  name: "worker",
  effect: "serve",
  summary: "Process queued documents, without serving clients",
  usage: "worker --database-url URL",
  options: {},
  examples: [
    {
      line: "knowledge-server worker --database-url postgres://knowledge@db/knowledge",
      does: "help the servers on this database process documents",
    },
  ],
  async run({ openApp, signal, log }) {
    const app = await openApp();
    await app.startWork();
    log.info("worker.started");
    // A process that only waits for a signal would exit.
    const alive = setInterval(() => {}, 60_000);
    if (!signal.aborted) await once(signal, "abort");
    clearInterval(alive);
    log.info("worker.stopped");
    return 0;
  },
};
