// The client side: sends a search to a running server of the same knowledge base. Searches here if there is none, or if it
// hangs, has another version or returns something unusable.
import { connect, type Socket } from "node:net";
import { KnowledgeError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
import type { Search, SearchOutcome, SearchRequest } from "../search.ts";
import { findAddress, type Host, thisHost } from "./address.ts";
import { greetingOf, type Identity, linesOf, readOutcome } from "./messages.ts";
import type { SharedService } from "./serve-searches.ts";

export { identityOf } from "./messages.ts";

export interface SharedSearchOptions {
  readonly identity: Identity;
  /** Opened on first use: a search done by the server needs no store and no model here. */
  readonly local: () => Promise<Search>;
  readonly log: Log;
  readonly host?: Host;
  readonly waits?: Waits;
}

interface Waits {
  readonly greetingMs: number;
  readonly outcomeMs: number;
  /** How long to wait after a failure before asking the server again. */
  readonly pauseMs: number;
}

const WAITS: Waits = { greetingMs: 250, outcomeMs: 4_000, pauseMs: 30_000 };
const MAX_OUTCOME_BYTES = 32 * 1024 * 1024;

type ServerReply =
  | { readonly kind: "found"; readonly outcome: SearchOutcome }
  | { readonly kind: "no-server" }
  | { readonly kind: "failed"; readonly reason: string };

export interface SharedSearch extends Search {
  /** From now on also searches for others whenever no other process does; resolves with whether it does now. */
  serve(): Promise<boolean>;
  close(): Promise<void>;
}

interface Sharing {
  askAfter: number;
  mayServe: boolean;
  service?: Promise<SharedService>;
  isServing: boolean;
}

export function openSharedSearch(options: SharedSearchOptions): SharedSearch {
  const { identity, local, log, host = thisHost(), waits = WAITS } = options;
  const state: Sharing = { askAfter: 0, mayServe: false, isServing: false };
  const serve = async () => {
    if (!state.mayServe || state.isServing) return state.isServing;
    const { serveSearches } = await import("./serve-searches.ts");
    state.service ??= serveSearches({ identity, search: local, log, host });
    state.isServing = (await state.service).isServing;
    if (!state.isServing) delete state.service;
    return state.isServing;
  };
  return {
    serve() {
      state.mayServe = true;
      return serve();
    },
    async close() {
      state.mayServe = false;
      await (await state.service)?.close();
    },
    async search(request, signal) {
      const isAlone = state.isServing || performance.now() < state.askAfter;
      const reply: ServerReply = isAlone
        ? { kind: "no-server" }
        : await askServer({ identity, host, waits }, request, signal);
      if (signal?.aborted) throw cancelled();
      if (reply.kind === "found") return reply.outcome;
      if (reply.kind === "failed") {
        state.askAfter = performance.now() + waits.pauseMs;
        log.info("search.not-delegated", { reason: reply.reason });
      }
      // The process that searched for others has ended.
      if (reply.kind === "no-server") void serve().catch(() => undefined);
      return (await local()).search(request, signal);
    },
  };
}

/** For a process that has no time to open anything; undefined if no server responds. */
export async function searchRunning(
  identity: Identity,
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<SearchOutcome | undefined> {
  const reply = await askServer({ identity, host: thisHost(), waits: WAITS }, request, signal);
  return reply.kind === "found" ? reply.outcome : undefined;
}

type Asking = Required<Pick<SharedSearchOptions, "identity" | "host" | "waits">>;

async function askServer(
  { identity, host, waits }: Asking,
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<ServerReply> {
  const address = findAddress(identity.dataDir, host);
  if (address === undefined) return { kind: "no-server" };
  const socket = connect(address);
  const onAbort = () => void socket.destroy();
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await ask(socket, request, { identity, waits });
  } finally {
    signal?.removeEventListener("abort", onAbort);
    socket.destroy();
  }
}

async function ask(
  socket: Socket,
  request: SearchRequest,
  { identity, waits }: { readonly identity: Identity; readonly waits: Waits },
): Promise<ServerReply> {
  const failure = { reason: "it closed the connection" };
  socket.on("error", (error: NodeJS.ErrnoException) => {
    failure.reason = error.code ?? "the connection failed";
  });
  const closeAfter = (ms: number) =>
    setTimeout(() => {
      failure.reason = "it does not respond";
      socket.destroy();
    }, ms);
  const lines = linesOf(socket, MAX_OUTCOME_BYTES);
  // If the connection breaks, reading lines fails, and `failure` has the reason.
  const next = () => lines.next().catch(() => ({ value: undefined }));
  const greeting = closeAfter(waits.greetingMs);
  const { value: greeted } = await next();
  clearTimeout(greeting);
  if (greeted === undefined)
    return isGone(failure.reason) ? { kind: "no-server" } : { kind: "failed", ...failure };
  if (greeted !== greetingOf(identity)) {
    return { kind: "failed", reason: "it serves another version or knowledge base" };
  }
  socket.write(`${JSON.stringify(request)}\n`);
  const outcome = closeAfter(waits.outcomeMs);
  const { value: line } = await next();
  clearTimeout(outcome);
  if (line === undefined) return { kind: "failed", ...failure };
  const read = readOutcome(line, request);
  return read === undefined
    ? { kind: "failed", reason: "its response cannot be used" }
    : { kind: "found", outcome: read };
}

/** A socket left behind by a server that has ended is not a failure. */
function isGone(reason: string): boolean {
  return reason === "ECONNREFUSED" || reason === "ENOENT";
}

function cancelled(): KnowledgeError {
  return new KnowledgeError("CANCELLED", "The search was cancelled.");
}
