// A TCP proxy in front of PostgreSQL that makes one statement fail: it replaces the response by an error, damages it, or
// ends the connection.
import type { Socket } from "node:net";
import { openPostgresProxy, type PostgresProxy } from "../support/postgres-proxy.ts";

/**
 * ERROR: the statement fails, and so does what was sent after it in its transaction. FATAL: the session ends too.
 * closed: it ends without a word. garbled: the JSON in its rows cannot be read.
 */
export type Fault =
  | { readonly kind: "ERROR" | "FATAL"; readonly code: string }
  | { readonly kind: "closed" | "garbled" };

export interface FaultyPostgres extends PostgresProxy {
  /** Statements since it was armed. */
  readonly seen: () => number;
  /** Counts from 0 again; with a fault, statement number `at` meets it. */
  arm(at?: number, fault?: Fault): void;
}

interface State {
  seen: number;
  at: number;
  fault?: Fault | undefined;
}

/** One connection's place in the conversation. */
interface Talk {
  /** Statements that were sent and have no response yet. */
  open: number;
  /** Startup ends with the first "ready for query". */
  isReady: boolean;
  /** The next message is the first one of a response. */
  isFirst: boolean;
  /** The current statement's fault, until its end. */
  fault?: Fault | undefined;
  /** Statements that were sent before the failure of their transaction was known. */
  doomed: number;
  /** The session has ended: nothing more is passed on. */
  isOver: boolean;
}

const IDLE = "I".charCodeAt(0);
const DOOMED: Fault = { kind: "ERROR", code: "25P02" };

export async function openFaultyPostgres(targetUrl: string): Promise<FaultyPostgres> {
  const state: State = { seen: 0, at: -1 };
  const proxy = await openPostgresProxy(targetUrl, (client, upstream) =>
    relay(state, client, upstream),
  );
  return {
    ...proxy,
    seen: () => state.seen,
    arm(at = -1, fault) {
      Object.assign(state, { seen: 0, at, fault });
    },
  };
}

function relay(state: State, client: Socket, upstream: Socket): void {
  const flags = { isReady: false, isFirst: true, isOver: false };
  const talk: Talk = { open: 0, doomed: 0, ...flags };
  const sent = openFrames();
  client.on("data", (bytes) => {
    upstream.write(bytes);
    // What is sent before the session is ready is not framed like the rest.
    if (!talk.isReady) return;
    for (const message of sent(bytes)) if ("QS".includes(typeOf(message))) talk.open += 1;
  });
  const received = openFrames();
  upstream.on("data", (bytes) => {
    if (talk.isOver) return;
    for (const message of received(bytes)) {
      for (const each of pass(state, talk, message)) client.write(each);
      if (talk.isOver) return void client.end();
    }
  });
}

/** Cuts a stream into messages: a type, a length, and what it says. */
function openFrames(): (bytes: Buffer) => readonly Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    const messages: Buffer[] = [];
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const length = rest.readUInt32BE(1) + 1;
      messages.push(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
    return messages;
  };
}

function typeOf(message: Buffer): string {
  return String.fromCharCode(message[0] as number);
}

function pass(state: State, talk: Talk, message: Buffer): readonly Buffer[] {
  if (typeOf(message) === "Z") return [endStatement(talk, message)];
  // Notices, notifications and parameters belong to no statement.
  if (!talk.isReady || "NAS".includes(typeOf(message))) return [message];
  if (!talk.isFirst) return during(talk, message);
  talk.isFirst = false;
  talk.fault = talk.doomed > 0 ? DOOMED : faultOf(state, message);
  talk.isOver = talk.fault?.kind === "FATAL" || talk.fault?.kind === "closed";
  if (talk.fault === undefined || !("code" in talk.fault)) return during(talk, message);
  return [errorMessage(talk.fault.kind, talk.fault.code)];
}

/** A BEGIN does not fail by itself: the statement after it does. */
function faultOf(state: State, message: Buffer): Fault | undefined {
  if (message.includes("BEGIN")) return undefined;
  const isHere = state.seen === state.at;
  state.seen += 1;
  return isHere ? state.fault : undefined;
}

function during({ fault }: Talk, message: Buffer): readonly Buffer[] {
  if (fault?.kind === "garbled") return [garbled(message)];
  return fault === undefined ? [message] : [];
}

function endStatement(talk: Talk, ready: Buffer): Buffer {
  if (talk.isReady) talk.open -= 1;
  const isInside = ready[5] !== IDLE;
  if (talk.doomed > 0) talk.doomed -= 1;
  else if (talk.fault?.kind === "ERROR" && isInside) talk.doomed = talk.open;
  Object.assign(talk, { isReady: true, isFirst: true, fault: undefined });
  return ready;
}

/** Only what is sent as an object. It keeps its length. */
function garbled(message: Buffer): Buffer {
  return Buffer.from(message.toString("latin1").replaceAll('{"', '!"'), "latin1");
}

function errorMessage(severity: string, code: string): Buffer {
  const fields = `S${severity}\0V${severity}\0C${code}\0Mplanted by the test\0\0`;
  const head = Buffer.alloc(5, "E");
  head.writeUInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, Buffer.from(fields)]);
}
