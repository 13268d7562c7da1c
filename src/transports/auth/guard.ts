// Checks host name, web origin, token and rate, alike for HTTP and WebSocket.
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { hostname, networkInterfaces } from "node:os";
import type { Principal } from "../../domain/call/principal.ts";
import { JSON_RPC } from "../../domain/call/rpc-error.ts";
import type { Fault, Headers } from "../http/exchange.ts";
import { openRateLimit } from "./rate-limit.ts";

type Admission =
  | {
      readonly ok: true;
      readonly principal: Principal;
      readonly cors: Headers;
      /** Counts one more message of the connection. Returns the seconds to wait before it, 0 if it may pass. */
      readonly countMessage: () => number;
    }
  | { readonly ok: false; readonly refusal: Fault };

/**
 * Returns the principal that a bearer token identifies; without a token, the principal for an unknown caller, if
 * there is one.
 */
type Authenticate = (
  token: string | undefined,
) => Principal | undefined | Promise<Principal | undefined>;

export interface Guard {
  admit(request: IncomingMessage): Promise<Admission>;
  /** The principal that the request's token identifies now, because a connection may outlive its token. */
  recognise(request: IncomingMessage): Promise<Principal | undefined>;
  /** Checks only host and origin, for pages and health checks that need no token. */
  admitHostAndOrigin(request: IncomingMessage): Fault | undefined;
  /** Checks only the host, for responses that pages of any origin may read. */
  admitHost(request: IncomingMessage): Fault | undefined;
  /** For a browser's preflight: undefined if its origin is not allowed. */
  corsOf(request: IncomingMessage): Headers | undefined;
}

export interface GuardOptions {
  readonly host: string;
  readonly authenticate: Authenticate;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** Requests per minute per client; if absent, the default applies, except on loopback, which has no limit. */
  readonly rateLimit?: number | undefined;
  /** Added to `WWW-Authenticate`: where clients find out how to get a token. */
  readonly challenge?: string | undefined;
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "::1", "::ffff:127.0.0.1"]);
const DEFAULT_RATE = 6_000;
// Wrong tokens per minute per address. A person mistypes a few; a program that guesses sends thousands.
const MAX_FAILURES = 30;
/** How many recently correct tokens are remembered. Beyond that, the longest unused is treated like a new one. */
const MAX_KNOWN = 10_000;

export function isLoopback(host: string): boolean {
  return LOOPBACK.has(bare(host)) || bare(host).startsWith("127.");
}

export function openGuard(options: GuardOptions): Guard {
  const hosts = allowedHosts(options);
  const origins = new Set(options.allowedOrigins.map((origin) => new URL(origin).origin));
  const rateLimit = openRateLimit();
  const tryToken = openTries(options.authenticate);

  const admitHostAndOrigin = (request: IncomingMessage) =>
    refuseHostOrOrigin(request, hosts, origins);

  return {
    admitHostAndOrigin,
    admitHost: (request) => unknownHost(request, hosts),
    corsOf(request) {
      const { origin = "" } = request.headers;
      return origins.has(origin) && !admitHostAndOrigin(request)
        ? corsFor(origin, origins)
        : undefined;
    },
    recognise: async (request) => options.authenticate(tokenOf(request)),
    async admit(request) {
      const refusal = admitHostAndOrigin(request);
      if (refusal) return { ok: false, refusal };
      const token = tokenOf(request);
      const peer = request.socket.remoteAddress ?? "";
      const attempt = await tryToken(token, peer);
      if ("waitSeconds" in attempt) {
        return { ok: false, refusal: tooManyTries(attempt.waitSeconds) };
      }
      const { principal } = attempt;
      if (!principal) {
        return { ok: false, refusal: unauthorised(token !== undefined, options) };
      }
      const limit = options.rateLimit ?? (isLoopback(peer) ? undefined : DEFAULT_RATE);
      const client = `${principal.name} ${peer}`;
      const countMessage = () => (limit === undefined ? 0 : rateLimit.take(client, limit));
      const waitSeconds = countMessage();
      if (waitSeconds > 0) return { ok: false, refusal: tooFast(waitSeconds) };
      const cors = corsFor(request.headers.origin, origins);
      return { ok: true, principal, cors, countMessage };
    },
  };
}

function unknownHost(
  { headers: { host = "" } }: Pick<IncomingMessage, "headers">,
  hosts: ReadonlySet<string>,
): Fault | undefined {
  if (hosts.has(nameOf(host))) return undefined;
  return refuse(
    403,
    "This host name is not allowed. Start the server with --allowed-host to allow it.",
  );
}

function refuseHostOrOrigin(
  { headers }: IncomingMessage,
  hosts: ReadonlySet<string>,
  origins: ReadonlySet<string>,
): Fault | undefined {
  const { host = "", origin } = headers;
  const unknown = unknownHost({ headers }, hosts);
  if (unknown) return unknown;
  if (origin === undefined || origins.has(origin) || isOwn(origin, host)) return undefined;
  return refuse(
    403,
    "This origin is not allowed. Start the server with --allowed-origin to allow it.",
  );
}

function tooFast(waitSeconds: number): Fault {
  const seconds = String(Math.ceil(waitSeconds));
  return refuse(429, `Rate limit exceeded. Retry in ${seconds} s.`, { "Retry-After": seconds });
}

/** The seconds until this address may try again, or whom the token identifies. */
type Try = { readonly waitSeconds: number } | { readonly principal: Principal | undefined };

/**
 * After too many wrong tokens from an address, its tokens are no longer checked, which stops guessing. Tokens that were
 * correct before are still accepted: people behind a proxy share an address, and one must not lock out the others.
 */
function openTries(authenticate: Authenticate) {
  const failures = openRateLimit();
  const known = new Set<string>();
  /** A token that arrives again while it is checked is the same try. */
  const checks = new Map<string, Promise<Principal | undefined>>();
  const check = async (token: string, digest: string, peer: string) => {
    const isKnown = known.delete(digest);
    const principal = await authenticate(token);
    if (principal) known.add(digest);
    const [oldest] = known.size > MAX_KNOWN ? known : [];
    if (oldest !== undefined) known.delete(oldest);
    // A known token was not counted beforehand.
    if (principal && !isKnown) failures.giveBack(networkOf(peer), MAX_FAILURES);
    if (!principal && isKnown) failures.take(networkOf(peer), MAX_FAILURES);
    return principal;
  };
  return async (token: string | undefined, peer: string): Promise<Try> => {
    if (token === undefined) return { principal: await authenticate(token) };
    const digest = digestOf(token);
    const running = checks.get(digest);
    if (running !== undefined) return { principal: await running };
    // Counted before it is checked: others may arrive meanwhile.
    const isCounted = !known.has(digest);
    const waitSeconds = isCounted ? failures.take(networkOf(peer), MAX_FAILURES) : 0;
    if (waitSeconds > 0) return { waitSeconds };
    const checking = check(token, digest, peer).finally(() => checks.delete(digest));
    checks.set(digest, checking);
    return { principal: await checking };
  };
}

function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}

function allowedHosts({ host, allowedHosts: more }: GuardOptions): ReadonlySet<string> {
  const own = ["localhost", "127.0.0.1", "::1", bare(host)];
  // The server is bound to other addresses, so a client may use any of this machine's names.
  if (!isLoopback(host)) {
    own.push(hostname().toLowerCase());
    for (const addresses of Object.values(networkInterfaces())) {
      own.push(...(addresses ?? []).map(({ address }) => address.toLowerCase()));
    }
  }
  return new Set([...own, ...more.map((name) => nameOf(name))]);
}

function corsFor(origin: string | undefined, origins: ReadonlySet<string>): Headers {
  if (origin === undefined || !origins.has(origin)) return {};
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": "Mcp-Session-Id, WWW-Authenticate",
    Vary: "Origin",
  };
}

function isOwn(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}

function tokenOf({ headers }: IncomingMessage): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
}

function unauthorised(given: boolean, { challenge }: GuardOptions): Fault {
  const parts = ['realm="knowledge-server"'];
  if (given) parts.push('error="invalid_token"');
  if (challenge !== undefined) parts.push(challenge);
  return refuse(401, "A valid bearer token is required.", {
    "WWW-Authenticate": `Bearer ${parts.join(", ")}`,
  });
}

function tooManyTries(waitSeconds: number): Fault {
  return refuse(429, "Too many wrong tokens from this address. Wait a few seconds.", {
    "Retry-After": String(Math.ceil(waitSeconds)),
  });
}

/** One client usually has a whole /64 of IPv6 addresses, so that counts as one address. */
export function networkOf(address: string): string {
  if (!address.includes(":") || address.startsWith("::ffff:")) return address;
  const [head = "", tail] = address.split("%", 1)[0]?.split("::") ?? [];
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array<string>(Math.max(0, 8 - front.length - back.length)).fill("0");
  return `${[...front, ...zeros, ...back].slice(0, 4).join(":")}::/64`;
}

function refuse(status: number, message: string, headers: Headers = {}): Fault {
  return { status, code: JSON_RPC.refused, message, headers };
}

/** `Example.com:3000` → `example.com`, `[::1]:3000` → `::1`. */
function nameOf(host: string): string {
  return bare(host.replace(/:\d+$/, ""));
}

function bare(host: string): string {
  return host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
}
