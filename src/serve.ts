// Opens a transport for the app and keeps it until the signal or the peer ends it.

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import type { App } from "./app.ts";
import type { Config } from "./config/config.ts";
import type { Lifetime } from "./lifetime.ts";
import { type Mcp, openMcp } from "./mcp/mcp.ts";
import type { Log } from "./observe/log.ts";
import { type Metrics, openMetrics } from "./observe/metrics.ts";
import { openRecentClients, type RecentClients } from "./observe/recent-clients.ts";
import { openUsage, type Usage } from "./observe/usage.ts";
import { packagePath, packageUrl } from "./shipped.ts";

export interface ServeParts {
  readonly app: App;
  readonly config: Config;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Closes what is opened here, last first, also when a start fails half-way. */
  readonly lifetime: Lifetime;
}

const MEGABYTE = 1_048_576;

export async function serve(transport: "stdio" | "http", parts: ServeParts): Promise<number> {
  const { app, config, log, lifetime } = parts;
  const metrics = openMetrics();
  metrics.gauge("process_resident_memory_bytes", "Resident memory", () =>
    process.memoryUsage.rss(),
  );
  metrics.gauge("process_uptime_seconds", "Time since start", () => process.uptime());
  metrics.gauge("knowledge_audit_lines_lost", "Audit lines not written", app.lostAuditLines);
  // Missing in a tree that was not built: the resource is then unknown.
  const readView = () =>
    readFile(packageUrl("dist/inline/view.html"), "utf8").catch(() => undefined);
  const clients = openRecentClients();
  const usage = openUsage(config);
  lifetime.keep("usage", usage.close);
  const { version } = packageJson;
  const mcp = openMcp(app, { version, log, metrics, readView, clients, usage });
  const state = { isStarted: false };
  lifetime.keep("server", () => state.isStarted && log.info("server.stopped"));
  const onListening = () => {
    state.isStarted = true;
    const [families, tools] = [app.sources(), app.tools.length];
    log.info("server.started", { version, transport, families, tools, kbFile: config.kbFile });
    startWorkSoon(parts);
  };
  if (transport === "stdio") await serveStdio(mcp, parts, onListening);
  else await serveHttp({ mcp, metrics, clients, usage, onListening }, parts);
  return 0;
}

// A client's first requests go before tasks that another process left, and before others' searches.
const WORK_AFTER_MS = 500;

function startWorkSoon({ app, log, lifetime }: ServeParts): void {
  const timer = setTimeout(() => {
    Promise.all([app.startWork(), app.share()]).catch((error: unknown) => {
      if (!lifetime.ending.aborted) log.error("server.work-failed", { error });
    });
  }, WORK_AFTER_MS);
  lifetime.keep("work", () => clearTimeout(timer));
}

async function serveStdio(
  mcp: Mcp,
  { log, signal }: ServeParts,
  onListening: () => void,
): Promise<void> {
  const { runStdio } = await import("./transports/stdio.ts");
  const { stdin, stdout, stderr } = process;
  if (stdin.isTTY) {
    stderr.write("Waiting for an MCP client on stdin. For help, run: knowledge-server --help\n");
  }
  const ended = runStdio({ mcp, log, signal, stdin, stdout });
  onListening();
  await ended;
}

interface HttpParts {
  readonly mcp: Mcp;
  readonly metrics: Metrics;
  readonly clients: RecentClients;
  readonly usage: Usage;
  readonly onListening: () => void;
}

async function serveHttp(
  { mcp, metrics, clients, usage, onListening }: HttpParts,
  { app, config, log, signal, lifetime }: ServeParts,
): Promise<void> {
  const { openConsole } = await import("./console/console.ts");
  const { openHttp } = await import("./transports/http/http.ts");
  const { chooseGuard } = await import("./transports/auth/choose-guard.ts");
  const { isGuarded, view, ...guarded } = chooseGuard(config, log);
  const { mcpName: name, version, repository } = packageJson;
  const repositoryUrl = repository.url.replace(/^git\+|\.git$/g, "");
  const options = {
    host: config.host,
    port: config.port,
    mcp,
    ...guarded,
    console: openConsole({
      assetsUrl: packageUrl("dist/console/"),
      toolbox: app,
      launch: launchOf(config),
      ...{ clients, usage, view, log },
    }),
    card: { name, version, repositoryUrl, isGuarded, resource: config.oauthResource },
    log,
    metrics,
    maxMessageBytes: config.maxRequestMb * MEGABYTE,
    version,
  };
  const http = await lifetime.open("http", () => openHttp(options));
  await app.share();
  onListening();
  log.info("http.listening", { url: `${http.url}/mcp`, guarded: isGuarded });
  process.stderr.write(`Console: ${http.url}/\nMCP:     ${http.url}/mcp\n`);
  if (!signal.aborted) await once(signal, "abort");
}

/** As a client on this machine starts the program for itself, on the same knowledge base. */
function launchOf({ dataDir, kbFile }: Config) {
  const bin = packagePath("bin/knowledge-server.js");
  // The sample that `npm start` shows is not the user's file.
  const samples = packagePath("samples/");
  const isOwn = kbFile !== undefined && !resolve(kbFile).startsWith(samples);
  const file = isOwn ? ["--kb-file", resolve(kbFile)] : [];
  return { command: process.execPath, args: [bin, "--data-dir", dataDir, ...file], env: {} };
}
