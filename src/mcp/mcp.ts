// The protocol: a server for one connection, built from the toolbox. All connections share the catalogue.
import { type McpServer, Server } from "@modelcontextprotocol/server";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker";
import { formatGrant } from "../domain/call/grants.ts";
import type { Principal } from "../domain/call/principal.ts";
import { serverIcons, TITLE } from "../domain/call/server-identity.ts";
import type { Change, Toolbox } from "../tools/family.ts";
import {
  type Connection,
  isFull,
  type McpOptions,
  type Parts,
  type Serving,
} from "./call-context.ts";
import { toCatalogue } from "./catalogue.ts";
import { plainErrors } from "./errors.ts";
import { advertise } from "./extensions/negotiated.ts";
import { offerSkills } from "./extensions/skills.ts";
import { offerTasks } from "./extensions/tasks.ts";
import { offerPrompts, offerResources, offerSubscriptions, offerTools } from "./requests.ts";
import { toResources } from "./resources.ts";
import { openSubscriptions, type SubscriptionList, type Subscriptions } from "./subscriptions.ts";

export type { McpOptions } from "./call-context.ts";
export type { SubscriptionList } from "./subscriptions.ts";

export interface Mcp {
  /** A server to be connected to a transport; it stops listening for changes when it is closed. */
  createServer(connection: Connection): Server | McpServer;
  onChange(who: Principal, listener: (change: Change) => void): () => void;
  /** Why a caller is refused; undefined if it is allowed. */
  refusal: Toolbox["refusal"];
  /** Running calls, for a shutdown that lets them finish. */
  running(): number;
  /** No further request would be accepted now. */
  isFull(): boolean;
  /** For `subscriptions/listen`, which is served at the transports. */
  readonly subscriptions: Subscriptions;
}

const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: false },
  resources: { listChanged: true, subscribe: true },
  completions: {},
};

// Lists change with the configuration at most, and clients are notified; content may change at any time.
const CACHE_HINTS = {
  "tools/list": { ttlMs: 300_000, cacheScope: "private" },
  "prompts/list": { ttlMs: 300_000, cacheScope: "private" },
  "resources/templates/list": { ttlMs: 300_000, cacheScope: "private" },
  "resources/list": { ttlMs: 0, cacheScope: "private" },
  "resources/read": { ttlMs: 0, cacheScope: "private" },
} as const;

export function openMcp(toolbox: Toolbox, options: McpOptions): Mcp {
  const parts: Parts = {
    ...options,
    toolbox,
    catalogue: toCatalogue(toolbox),
    resources: toResources(toolbox),
    calls: { running: 0, count: 0, ofTools: 0 },
    subscriptions: openSubscriptions(toolbox),
  };
  return {
    subscriptions: parts.subscriptions,
    createServer: (connection) => createServer(parts, connection),
    onChange: toolbox.onChange,
    refusal: toolbox.refusal,
    running: () => parts.calls.running,
    isFull: () => isFull(parts),
  };
}

// Some clients cut long instructions, and a caller with more grants than this reads `ACCESS_DENIED` where it may not.
const MAX_GRANTS = 10;

/** For whoever may do something in some scopes only: where. */
function instructionsFor({ instructions }: Toolbox, { grants = [] }: Principal): string {
  if (grants.length === 0) return instructions;
  const shown = grants.slice(0, MAX_GRANTS).map(formatGrant);
  const more = grants.length > MAX_GRANTS ? ", …" : "";
  return `${instructions}\n- Your rights, by scope: ${shown.join(", ")}${more}.`;
}

function createServer(parts: Parts, connection: Connection): Server {
  const { version, toolbox, log } = parts;
  const server = new Server(
    { name: "knowledge-server", title: TITLE, version, icons: serverIcons() },
    {
      capabilities: CAPABILITIES,
      instructions: instructionsFor(toolbox, connection.principal),
      cacheHints: CACHE_HINTS,
      // Validates a form that a person filled in. The SDK's default would compile code at every start.
      jsonSchemaValidator: new CfWorkerJsonSchemaValidator(),
    },
  );
  const serving = { server, parts, connection };
  offerTools(serving);
  offerResources(serving);
  offerPrompts(serving);
  const tasks = toolbox.tools.some(({ startsTask }) => startsTask);
  if (tasks) offerTasks(serving);
  const { skills } = toolbox;
  if (skills) offerSkills(serving, skills);
  advertise(server, CAPABILITIES, {
    tasks,
    skills: skills !== undefined,
    apps: parts.readView !== undefined,
  });
  const subscribed = offerSubscriptions(serving);
  if (connection.lasting) {
    const stop = toolbox.onChange(
      connection.principal,
      (change) => void notifyClient(server, change, subscribed),
    );
    server.onclose = () => {
      stop();
      subscribed.close();
    };
  }
  plainErrors(server, log);
  server.oninitialized = () => noteClient(serving);
  server.onerror = (error) => log.debug("mcp.error", { error });
  return server;
}

/** Lists that changed, and resources that were updated. */
async function notifyClient(
  server: Server,
  change: Change,
  subscribed: Pick<SubscriptionList, "has">,
): Promise<void> {
  try {
    if (change.kind === "tools") await server.sendToolListChanged();
    else if (change.kind === "resources") await server.sendResourceListChanged();
    else if (change.kind === "resource" && (subscribed.has(change.uri) || isModern(server))) {
      await server.sendResourceUpdated({ uri: change.uri });
    }
  } catch {
    // The client has disconnected meanwhile; there is nobody left to notify.
  }
}

/** Modern connections filter by the subscription stream, not by resources/subscribe. */
function isModern(server: Server): boolean {
  return (server.getNegotiatedProtocolVersion() ?? "") >= "2026";
}

function noteClient({ server, parts: { log, clients }, connection }: Serving): void {
  const { transport, principal } = connection;
  const { name, version } = server.getClientVersion() ?? {};
  const protocol = server.getNegotiatedProtocolVersion();
  log.info("mcp.connected", { transport, client: name, protocol });
  if (name) clients?.note({ who: principal.name, name, version: version ?? "", transport });
}
