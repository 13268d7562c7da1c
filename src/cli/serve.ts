import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { toKnowledgeError } from "../domain/errors.ts";
import { type CommandContext, command } from "./command.ts";

export const stdio = command({
  name: "stdio",
  summary: "Serve MCP over stdio (default; this is what clients start)",
  effect: "serve",
  usage: "[stdio]",
  options: {},
  examples: `
    knowledge-server --kb-file handbook.txt  # serve a text file to a client
  `,
  run: ({ serve }) => serve("stdio"),
});

export const http = command({
  name: "http",
  summary: "Serve MCP over HTTP and WebSocket at /mcp, with the console at /",
  effect: "serve",
  usage: "http [--host ADDRESS] [--port N] [--samples]",
  options: { samples: { help: "fill a new knowledge base with a few sample documents and rules" } },
  examples: `
    knowledge-server http                                   # serve on http://127.0.0.1:3000/mcp
    KNOWLEDGE_TOKEN=… knowledge-server http --host 0.0.0.0  # serve other machines, with a token
  `,
  async run(context) {
    if (context.options.samples && (await isNew(context))) void addSamples(context);
    return context.serve("http");
  },
});

/** Only a data folder that never held anything: removed samples stay removed. */
async function isNew({ config: { dataDir, databaseUrl } }: CommandContext): Promise<boolean> {
  if (databaseUrl !== undefined) return false;
  return (await readdir(dataDir).catch(() => [])).length === 0;
}

/** While the server already responds. */
async function addSamples({ openApp, signal, terminal, log }: CommandContext): Promise<void> {
  try {
    await (await openApp()).operations.addSamples(signal);
    terminal.notify(
      "Sample documents and rules were added; to remove them: knowledge-server remove --samples",
    );
  } catch (thrown) {
    if (!signal.aborted) log.warn("samples.failed", { code: toKnowledgeError(thrown).code });
  }
}

export const worker = command({
  name: "worker",
  summary: "Process queued documents, without serving clients",
  effect: "serve",
  usage: "worker --database-url URL",
  options: {},
  examples: `
    knowledge-server worker --database-url postgres://knowledge@db/knowledge  # help the servers on this database process documents
  `,
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
});
