// The server side: searches for the user's other processes on this data folder, which then need no model and no index.
import { once } from "node:events";
import { chmodSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import type { Log } from "../../observe/log.ts";
import type { Search } from "../search.ts";
import { findAddress, type Host, makeAddress, type OwnAddress, thisHost } from "./address.ts";
import { greetingOf, type Identity, linesOf, readRequest } from "./messages.ts";

export interface ServeOptions {
  readonly identity: Identity;
  readonly search: () => Promise<Search>;
  readonly log: Log;
  readonly host?: Host;
  /** How long a client may take to ask, and to read the response. */
  readonly silentMs?: number;
}

export interface SharedService {
  /** False if another process already does, or if it is not possible here. */
  readonly isServing: boolean;
  close(): Promise<void>;
}

const MAX_REQUEST_BYTES = 64 * 1024;
const MAX_CONNECTIONS = 64;
// Clients ask right after connecting and read at once; one that does not is broken.
const SILENT_MS = 10_000;
const PROBE_MS = 500;

const NOT_SERVING: SharedService = { isServing: false, close: async () => {} };

/** Does nothing if another server already shares its searches or the folder's path is too long for a socket. */
export async function serveSearches(options: ServeOptions): Promise<SharedService> {
  const { identity, log, host = thisHost() } = options;
  const existing = findAddress(identity.dataDir, host);
  if (existing !== undefined && (await isAlive(existing))) return NOT_SERVING;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // The other process then searches by itself.
    serve(socket, options).catch(() => socket.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  let own: OwnAddress | undefined;
  try {
    own = makeAddress(identity.dataDir, host);
    if (own !== undefined) await listen(server, own, host);
  } catch (cause) {
    // Not an error: everything works without sharing.
    log.warn("search.not-shared", { cause });
    server.close();
    own = undefined;
  }
  if (own === undefined) return NOT_SERVING;
  const { withdraw } = own;
  return {
    isServing: true,
    async close() {
      ignoreErrors(withdraw);
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

async function listen(server: Server, own: OwnAddress, { platform }: Host): Promise<void> {
  server.listen(own.address);
  await once(server, "listening");
  // Set permissions before the name is published.
  if (platform !== "win32") chmodSync(own.address, 0o600);
  own.publish();
  server.on("error", () => {});
}

async function serve(socket: Socket, options: ServeOptions): Promise<void> {
  const { identity, search, silentMs = SILENT_MS } = options;
  // Not since its last byte: one byte now and then would hold a connection for ever.
  const closeLater = () => setTimeout(() => socket.destroy(), silentMs).unref();
  socket.on("error", () => socket.destroy());
  const asking = closeLater();
  socket.write(`${greetingOf(identity)}\n`);
  const { value: line } = await linesOf(socket, MAX_REQUEST_BYTES).next();
  clearTimeout(asking);
  if (typeof line !== "string") return void socket.destroy();
  const gone = new AbortController();
  socket.on("close", () => gone.abort());
  const outcome = await (await search()).search(readRequest(line), gone.signal);
  const reading = closeLater();
  socket.on("close", () => clearTimeout(reading));
  socket.end(`${JSON.stringify(outcome)}\n`);
}

async function isAlive(address: string): Promise<boolean> {
  const socket = connect(address);
  try {
    await once(socket, "data", { signal: AbortSignal.timeout(PROBE_MS) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function ignoreErrors(work: () => void): void {
  try {
    work();
  } catch {
    // The socket is already gone.
  }
}
