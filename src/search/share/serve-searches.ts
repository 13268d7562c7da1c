// The server side: searches for the user's other processes on this data folder, which then need no model and no index.
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
}

export interface SharedService {
  close(): Promise<void>;
}

const MAX_REQUEST_BYTES = 64 * 1024;
const MAX_CONNECTIONS = 64;
// Clients ask right after connecting; one that does not is broken.
const SILENT_MS = 10_000;
const PROBE_MS = 500;

/** Does nothing if another server already shares its searches or the folder's path is too long for a socket. */
export async function serveSearches(options: ServeOptions): Promise<SharedService> {
  const { identity, log, host = thisHost() } = options;
  const existing = findAddress(identity.dataDir, host);
  if (existing !== undefined && (await isAlive(existing))) return { close: async () => {} };
  const own = makeAddress(identity.dataDir, host);
  if (own === undefined) return { close: async () => {} };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    serve(socket, options).catch(() => socket.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  try {
    await listen(server, own, host);
  } catch (cause) {
    // Not an error: everything works without sharing.
    log.warn("search.not-shared", { cause });
    return { close: async () => {} };
  }
  return {
    async close() {
      ignoreErrors(own.withdraw);
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

function listen(server: Server, own: OwnAddress, { platform }: Host): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(own.address, () => {
      try {
        // Set permissions before the name is published.
        if (platform !== "win32") chmodSync(own.address, 0o600);
        own.publish();
        server.off("error", reject);
        server.on("error", () => {});
        resolve();
      } catch (error) {
        server.close();
        reject(error);
      }
    });
  });
}

async function serve(socket: Socket, { identity, search }: ServeOptions): Promise<void> {
  socket.on("error", () => socket.destroy());
  socket.setTimeout(SILENT_MS, () => socket.destroy());
  socket.write(`${greetingOf(identity)}\n`);
  const { value: line } = await linesOf(socket, MAX_REQUEST_BYTES).next();
  if (typeof line !== "string") return void socket.destroy();
  socket.setTimeout(0);
  const gone = new AbortController();
  socket.on("close", () => gone.abort());
  const outcome = await (await search()).search(readRequest(line), gone.signal);
  socket.end(`${JSON.stringify(outcome)}\n`);
}

function isAlive(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    const end = (isHeard: boolean) => {
      socket.destroy();
      resolve(isHeard);
    };
    socket.setTimeout(PROBE_MS, () => end(false));
    socket.on("error", () => end(false));
    socket.on("data", () => end(true));
    socket.on("close", () => end(false));
  });
}

function ignoreErrors(work: () => void): void {
  try {
    work();
  } catch {
    // The socket is already gone.
  }
}
