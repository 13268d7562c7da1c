// A request to become a WebSocket: routed and admitted like any other, then handed to the sockets.
import { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { RepeatedEvents } from "../repeated-events.ts";
import type { Upgrade, WebSockets } from "../websocket.ts";
import type { Headers } from "./exchange.ts";
import { noteRefusal } from "./front.ts";
import type { HttpOptions } from "./http.ts";
import { toUpgrade } from "./routes.ts";

export interface UpgradeParts extends Pick<HttpOptions, "guard" | "log"> {
  readonly sockets: WebSockets;
  readonly refusals: RepeatedEvents;
  readonly isStopping: () => boolean;
}

/**
 * Node hands every request that offers an upgrade to the listener for upgrades, whatever it offers. Offers that this
 * server does not take are ignored and the request is served (RFC 9110, section 7.8), so such a request appears to
 * offer none. Only newer versions of Node have an option for that, `shouldUpgradeCallback`.
 */
export class UpgradableRequest extends IncomingMessage {
  declare private offersUpgrade: boolean | null;

  get upgrade(): boolean | null {
    if (this.offersUpgrade !== true || this.method === "CONNECT") return this.offersUpgrade;
    return isWebSocket(this);
  }

  set upgrade(offers: boolean | null) {
    this.offersUpgrade = offers;
  }
}

/** An offer in a request of HTTP/1.0 does not count (RFC 9110), nor one in another method (RFC 6455). */
function isWebSocket({ method, httpVersionMinor, headers }: IncomingMessage): boolean {
  const offered = headers.upgrade?.split(",").map((each) => each.trim().toLowerCase());
  return method === "GET" && httpVersionMinor > 0 && (offered?.includes(WEB_SOCKET) ?? false);
}

const WEB_SOCKET = "websocket";

export function openUpgrades(parts: UpgradeParts) {
  return (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // The library expects the one protocol that is taken, not the list that was offered.
    request.headers.upgrade = WEB_SOCKET;
    socket.on("error", () => socket.destroy());
    upgrade({ request, socket, head }, parts).catch((error: unknown) => {
      parts.log.error("http.failed", { error });
      socket.destroy();
    });
  };
}

async function upgrade(
  { request, socket, head }: Upgrade,
  { guard, sockets, refusals, isStopping }: UpgradeParts,
): Promise<void> {
  const place = toUpgrade(request);
  if (place !== "mcp") return refuse(socket, place === "malformed" ? 400 : 404);
  const admission = await guard.admit(request);
  // The caller has disconnected meanwhile. The socket will not emit "close" again, so its share of the quotas would
  // never be returned.
  if (socket.closed) return;
  if (!admission.ok) {
    const { refusal } = admission;
    noteRefusal(refusals, request, refusal);
    return refuse(socket, refusal.status, refusal.headers);
  }
  if (isStopping()) return refuse(socket, 503);
  const { principal, countMessage } = admission;
  const recognise = () => guard.recognise(request);
  const taken = sockets.accept({ request, socket, head }, { principal, countMessage, recognise });
  if (!taken) refuse(socket, 503, { "Retry-After": "30" });
}

function refuse(socket: Duplex, status: number, headers: Headers = {}): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status} Refused\r\n${lines.join("")}Connection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}
