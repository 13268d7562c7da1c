// Fetches one public web page: the URL of every hop is parsed, resolved once and checked; only that address is used.
import { Buffer } from "node:buffer";
import { lookup } from "node:dns/promises";
import { type IncomingMessage, request } from "node:http";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { connect as connectTls } from "node:tls";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { defined } from "../../domain/defined.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import {
  addressOf,
  denied,
  type Hosts,
  type PageAddress,
  type Resolve,
  toPageAddress,
  toRedirect,
  unreachable,
} from "./page-address.ts";
import { pageName } from "./page-name.ts";
import { isAllowed } from "./robots.ts";

export interface Web {
  readonly resolve: Resolve;
  readonly dial: Dial;
  /** Hosts, by name or as host:port, that may have a private address. */
  readonly allowed?: Hosts;
  /** Time limit for a whole page, including redirects and robots.txt. */
  readonly timeoutMs: number;
  readonly userAgent: string;
}

/** A page's validators (ETag, date), which show later whether it changed. */
export interface Validators {
  readonly etag?: string;
  readonly modified?: string;
}

export type Fetched =
  | ({ readonly kind: "unchanged" } & FetchedFrom)
  | ({
      readonly kind: "page";
      readonly filename: string;
      readonly validators: Validators;
      readonly bytes: AsyncGenerator<Uint8Array>;
    } & FetchedFrom);

interface FetchedFrom {
  /** The address after the last redirect. */
  readonly url: string;
  /** There were redirects to it, all of them permanent. */
  readonly isMoved: boolean;
}

export interface FetchOptions {
  readonly web: Web;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** ETag and date from an earlier fetch of this address. */
  readonly known: (url: string) => Promise<Validators | undefined>;
  /** What earlier pages of a crawl found; without it, each page looks them up again. */
  readonly hosts?: VisitedHosts;
}

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const PERMANENT: ReadonlySet<number> = new Set([301, 308]);
// The minimum that RFC 9309 requires.
const ROBOTS_BYTES = 500 * 1024;

/** The address of each host and port, looked up once, and each site's robots.txt; of the last ones. */
export interface VisitedHosts {
  readonly addresses: Map<string, Promise<string>>;
  readonly robots: Map<string, Promise<string>>;
}

/** Redirects can lead to any number of hosts. */
const MAX_HOSTS = 50;

function remember<Value>(known: Map<string, Value>, key: string, value: Value): void {
  known.delete(key);
  known.set(key, value);
  for (const oldest of [...known.keys()].slice(0, -MAX_HOSTS)) known.delete(oldest);
}

/** The state of one call. */
type Visit = FetchOptions & VisitedHosts;

export async function fetchPage(given: string, options: FetchOptions): Promise<Fetched> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.web.timeoutMs)]);
  const hosts = options.hosts ?? { addresses: new Map(), robots: new Map() };
  const visit: Visit = { ...options, ...hosts, signal };
  const { allowed } = options.web;
  let page = toPageAddress(given, allowed);
  const statuses: number[] = [];
  while (statuses.length <= MAX_REDIRECTS) {
    await respectRobots(page, visit);
    const response = await get(page, visit, await conditions(page, visit));
    const { statusCode = 0, headers } = response;
    const isMoved = statuses.length > 0 && statuses.every((status) => PERMANENT.has(status));
    if (!REDIRECTS.has(statusCode)) return { ...toFetched(page, response, visit), isMoved };
    statuses.push(statusCode);
    response.destroy();
    page = toRedirect(headers.location ?? "", page, allowed);
  }
  throw unreachable("pageRedirects", MAX_REDIRECTS);
}

async function get(
  page: PageAddress,
  { addresses, web, signal }: Visit,
  headers: Readonly<Record<string, string>> = {},
): Promise<IncomingMessage> {
  const address = addresses.get(page.url.host) ?? addressOf(page, web, signal);
  remember(addresses, page.url.host, address);
  const own = { "user-agent": web.userAgent, accept: "*/*", "accept-encoding": "gzip, identity" };
  const asking = {
    address: await address,
    dial: web.dial,
    signal,
    headers: { ...own, ...headers },
  };
  return ask(page, asking);
}

async function conditions(page: PageAddress, { known }: Visit) {
  const { etag, modified } = (await known(page.url.href)) ?? {};
  return defined({ "if-none-match": etag, "if-modified-since": modified });
}

function toFetched(page: PageAddress, response: IncomingMessage, visit: Visit) {
  const { statusCode = 0, headers } = response;
  const url = page.url.href;
  if (statusCode === 304) {
    response.destroy();
    return { kind: "unchanged", url } as const;
  }
  try {
    if (statusCode !== 200) throw statusFailure(statusCode);
    const filename = pageName(page.url, headers["content-type"]);
    checkLength(headers["content-length"], visit.maxBytes);
    const { etag, "last-modified": modified } = headers;
    const validators = { ...(etag && { etag }), ...(modified && { modified }) };
    const bytes = bodyOf(response, visit.signal);
    return { kind: "page", url, filename, validators, bytes } as const;
  } catch (thrown) {
    response.destroy();
    throw thrown;
  }
}

function statusFailure(status: number): KnowledgeError {
  if (status === 404 || status === 410)
    return new KnowledgeError("FILE_NOT_FOUND", toMessage("pageMissing", status));
  if (status === 401 || status === 403) return denied("pageClosed", status);
  return unreachable("pageStatus", status);
}

function checkLength(length: string | undefined, maxBytes: number): void {
  if (Number(length ?? 0) <= maxBytes) return;
  const most = maxBytes / 1024 / 1024;
  const details = { details: { max_size_mb: most } };
  throw new KnowledgeError("FILE_TOO_LARGE", toMessage("pageTooLarge", most), details);
}

/** The decompressed body. The consumer counts the bytes and stops at the limit. */
async function* bodyOf(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const unpack = UNPACKERS.get(encoding);
  if (unpack === undefined) throw unreachable("pageEncoding");
  const body = encoding === "identity" ? response : pipeline(response, unpack(), () => {});
  try {
    yield* body as AsyncIterable<Uint8Array>;
    if (!response.complete) throw unreachable("pageLost");
  } catch (thrown) {
    throw toFailure(thrown, signal);
  } finally {
    response.destroy();
  }
}

const UNPACKERS = new Map(
  Object.entries<() => NodeJS.ReadWriteStream>({
    identity: createGunzip,
    gzip: createGunzip,
    "x-gzip": createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  }),
);

async function respectRobots(page: PageAddress, visit: Visit): Promise<void> {
  const { origin, pathname, search } = page.url;
  const rules = visit.robots.get(origin) ?? readRobots(page, visit);
  remember(visit.robots, origin, rules);
  if (isAllowed(await rules, `${pathname}${search}`)) return;
  throw denied("pageForbidden");
}

/** Empty if the site has no robots.txt. After a server error, nothing is fetched (RFC 9309). */
async function readRobots(page: PageAddress, visit: Visit): Promise<string> {
  const { allowed } = visit.web;
  let at = toPageAddress(new URL("/robots.txt", page.url).href, allowed);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    const response = await get(at, visit);
    const { statusCode = 0, headers } = response;
    try {
      if (REDIRECTS.has(statusCode)) at = toRedirect(headers.location ?? "", at, allowed);
      else if (statusCode >= 500) throw unreachable("pageRobotsStatus", statusCode);
      else if (statusCode !== 200) return "";
      else return await readStart(bodyOf(response, visit.signal), ROBOTS_BYTES);
    } finally {
      response.destroy();
    }
  }
  return "";
}

// One request over one connection to the address that was checked, without resolving the name again.

export type Dial = (to: { readonly address: string; readonly port: number }) => Socket;

interface Asking {
  readonly address: string;
  readonly dial: Dial;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export const dialDirectly: Dial = ({ address, port }) =>
  connectTcp({ host: address, port, autoSelectFamily: false });

// How long a server may send nothing. The whole page has a separate limit.
const SILENCE_MS = 15_000;
const MAX_HEADER_BYTES = 16 * 1024;

/** Node's error codes for certificates it rejects. */
const WRONG_NAME = "ERR_TLS_CERT_ALTNAME_INVALID";
const UNTRUSTED = /CERT|LEAF_SIGNATURE/;

/** Resolves with the response's head; the caller reads the body. */
function ask(page: PageAddress, asking: Asking): Promise<IncomingMessage> {
  const { url, isSecure, host, port } = page;
  const { address, dial, headers, signal } = asking;
  const servername = isIP(host) === 0 ? host : "";
  const open = () => {
    const socket = dial({ address, port });
    if (!isSecure) return socket;
    return connectTls({ socket, servername, host, ALPNProtocols: ["http/1.1"] });
  };
  return new Promise((resolve, reject) => {
    const failed = (thrown: unknown) => reject(toFailure(thrown, signal));
    const asked = request({
      createConnection: open,
      method: "GET",
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, connection: "close" },
      maxHeaderSize: MAX_HEADER_BYTES,
      setHost: false,
      signal,
    });
    asked.setTimeout(SILENCE_MS, () => asked.destroy(new Error("silent")));
    asked.on("error", failed);
    asked.on("response", resolve);
    asked.end();
  });
}

/** Reads at most `most` bytes and ignores the rest. */
export async function readStart(body: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    parts.push(part);
    size += part.byteLength;
    if (size >= most) break;
  }
  return Buffer.concat(parts).subarray(0, most).toString("utf8");
}

function toFailure(thrown: unknown, signal: AbortSignal): unknown {
  if (thrown instanceof KnowledgeError) return thrown;
  if (signal.aborted && signal.reason instanceof Error && signal.reason.name === "TimeoutError")
    return unreachable("pageSlow");
  if (signal.aborted) return new KnowledgeError("CANCELLED", "The call was cancelled.");
  const code = (thrown as NodeJS.ErrnoException | null)?.code ?? "";
  if (code === WRONG_NAME) return unreachable("pageOtherName");
  return unreachable(UNTRUSTED.test(code) ? "pageUntrusted" : "pageNotHttp");
}

// The real network, for a server that may fetch pages.

// Long enough for a large file over a slow connection.
const TIMEOUT_MS = 60_000;

export function openWeb(): Web {
  return {
    resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    dial: dialDirectly,
    timeoutMs: TIMEOUT_MS,
    userAgent: "knowledge-server",
  };
}
