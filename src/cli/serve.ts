import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { toKnowledgeError } from "../domain/errors.ts";
import type { Command, CommandContext } from "./command.ts";

export const stdio: Command = {
  name: "stdio",
  effect: "serve",
  usage: "[stdio]",
  options: {},
  examples: ["knowledge-server --kb-file handbook.txt"],
  run: ({ serve }) => serve("stdio"),
};

export const http: Command = {
  name: "http",
  effect: "serve",
  usage: "http [--host ADDRESS] [--port N] [--samples]",
  options: { samples: {} },
  examples: ["knowledge-server http", "KNOWLEDGE_TOKEN=… knowledge-server http --host 0.0.0.0"],
  async run(context) {
    if (context.options["samples"] === true && (await isNew(context))) void addSamples(context);
    return context.serve("http");
  },
};

/** Only a data folder that never held anything: removed samples stay removed. */
async function isNew({ config: { dataDir, databaseUrl } }: CommandContext): Promise<boolean> {
  if (databaseUrl !== undefined) return false;
  return (await readdir(dataDir).catch(() => [])).length === 0;
}

/** While the server already responds. */
async function addSamples({ openApp, signal, terminal, log }: CommandContext): Promise<void> {
  try {
    await (await openApp()).operations.addSamples(signal);
    terminal.note(terminal.t("samplesAdded"));
  } catch (thrown) {
    if (!signal.aborted) log.warn("samples.failed", { code: toKnowledgeError(thrown).code });
  }
}

export const worker: Command = {
  name: "worker",
  effect: "serve",
  usage: "worker --database-url URL",
  options: {},
  examples: ["knowledge-server worker --database-url postgres://knowledge@db/knowledge"],
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
