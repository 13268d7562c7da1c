// Opens a transport for the app and keeps it until the signal or the peer ends it.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import packageJson from "../package.json" with { type: "json" };
import type { App } from "./app.ts";
import type { Config } from "./config/config.ts";
import { KnowledgeError } from "./domain/errors.ts";
import { packageUrl } from "./lazy.ts";
import type { Lifetime } from "./lifetime.ts";
import { type Mcp, openMcp } from "./mcp/mcp.ts";
import type { Log } from "./observe/log.ts";
import { type Metrics, openMetrics } from "./observe/metrics.ts";
import { openRecentClients, type RecentClients } from "./observe/recent-clients.ts";
import { openUsage, type Usage } from "./observe/usage/usage.ts";

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
  // A server of many clients prepares at its start, one of a single client once that client has its first response.
  if (transport === "http") setImmediate(() => void mcp.prepare());
  if (transport === "stdio") await serveStdio(mcp, parts, onListening);
  else await serveHttp({ mcp, metrics, clients, usage, onListening }, parts);
  return 0;
}

// A client's first requests go before tasks that another process left.
const WORK_AFTER_MS = 500;

function startWorkSoon({ app, log, lifetime }: ServeParts): void {
  const timer = setTimeout(() => {
    app.startWork().catch((error: unknown) => {
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
  const { isLoopback, openGuard } = await import("./transports/auth/guard.ts");
  const authentication = await openAuthentication(config, log);
  if (!authentication.isGuarded && !isLoopback(config.host)) throw exposed(config.host);
  const options = {
    host: config.host,
    port: config.port,
    mcp,
    guard: openGuard({ ...config, ...authentication }),
    console: openConsole({
      assetsUrl: packageUrl("dist/console/"),
      toolbox: app,
      launch: launchOf(config),
      clients,
      usage,
      log,
    }),
    metadata: authentication.metadata,
    card: cardOf(config, authentication),
    log,
    metrics,
    maxMessageBytes: config.maxRequestMb * MEGABYTE,
    version: packageJson.version,
  };
  const http = await lifetime
    .open("http", () => openHttp(options))
    .catch((cause: unknown) => {
      throw cannotListen(config, cause as NodeJS.ErrnoException);
    });
  await app.share();
  onListening();
  log.info("http.listening", { url: `${http.url}/mcp`, guarded: authentication.isGuarded });
  process.stderr.write(`Console: ${http.url}/\nMCP:     ${http.url}/mcp\n`);
  await aborted(signal);
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  else signal.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}

function exposed(host: string): KnowledgeError {
  return new KnowledgeError(
    "CONFIG_INVALID",
    `Other machines can reach ${host}, so a token is required. Set KNOWLEDGE_TOKEN (16 characters or more) or --token-file, or listen on 127.0.0.1.`,
  );
}

/** Who may call: one token, a file of tokens with rights, an OAuth issuer's tokens, or together. */
async function openAuthentication(config: Config, log: Log) {
  const { token, tokenFile, oauthIssuer: issuer, oauthResource: resource } = config;
  const { openTokens } = await import("./transports/auth/tokens.ts");
  const hasTokens = token !== undefined || tokenFile !== undefined;
  if (issuer === undefined) {
    return {
      authenticate: openTokens({ token, tokenFile, log }),
      isGuarded: hasTokens,
      metadata: new Map(),
    };
  }
  if (resource === undefined) {
    const message =
      "KNOWLEDGE_OAUTH_ISSUER needs KNOWLEDGE_OAUTH_RESOURCE: set it to this server's URL as clients see it.";
    throw new KnowledgeError("CONFIG_INVALID", message);
  }
  const { openOauth } = await import("./transports/auth/oauth.ts");
  const oauth = openOauth({ issuer, resource, jwksUrl: config.oauthJwksUrl, log });
  const byToken = hasTokens ? openTokens({ token, tokenFile, log }) : () => undefined;
  return {
    authenticate: async (given: string | undefined) =>
      byToken(given) ?? (given === undefined ? undefined : oauth.authenticate(given)),
    isGuarded: true,
    challenge: oauth.challenge,
    metadata: new Map([[oauth.metadataPath, oauth.metadata]]),
  };
}

function cardOf({ oauthResource }: Config, { isGuarded }: { readonly isGuarded: boolean }) {
  const { mcpName: name, version, repository } = packageJson;
  const repositoryUrl = repository.url.replace(/^git\+|\.git$/g, "");
  return { name, version, repositoryUrl, isGuarded, resource: oauthResource };
}

/** As a client on this machine starts the program for itself, on the same knowledge base. */
function launchOf({ dataDir, kbFile }: Config) {
  const bin = fileURLToPath(packageUrl("bin/knowledge-server.js"));
  // The sample that `npm start` shows is not the user's file.
  const samples = fileURLToPath(packageUrl("samples/"));
  const isOwn = kbFile !== undefined && !resolve(kbFile).startsWith(samples);
  const file = isOwn ? ["--kb-file", resolve(kbFile)] : [];
  return { command: process.execPath, args: [bin, "--data-dir", dataDir, ...file], env: {} };
}

function cannotListen({ host, port }: Config, cause: NodeJS.ErrnoException): KnowledgeError {
  const reasons: Record<string, string> = {
    EADDRINUSE: "the port is in use; choose another with --port",
    EACCES: "the port needs more privileges; choose one above 1023",
    EADDRNOTAVAIL: "this machine has no such address",
  };
  const reason = reasons[cause.code ?? ""] ?? cause.message;
  return new KnowledgeError("CONFIG_INVALID", `Cannot listen on ${host}:${port}: ${reason}.`, {
    cause,
  });
}
