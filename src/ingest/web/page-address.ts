// Parses a URL once, so that what is checked is what is connected to.
import { BlockList, isIP } from "node:net";
import { denied, KnowledgeError } from "../../domain/errors.ts";
import { toMessage } from "../../domain/phrases/messages.ts";

/** The usual web ports; others often belong to other services. */
const PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);
const PORTS_LISTED = [...PORTS].join(", ");
const MAX_LENGTH = 2_048;

export type Hosts = ReadonlySet<string>;
const NO_HOSTS: Hosts = new Set();

export interface PageAddress {
  readonly url: URL;
  readonly isSecure: boolean;
  /** Without brackets; IP addresses are normalised. */
  readonly host: string;
  readonly port: number;
}

/** `allowed`: hosts that may have another port (`host:port`) or a private address. */
export function toPageAddress(given: string, allowed: Hosts = NO_HOSTS): PageAddress {
  if (given.length > MAX_LENGTH) throw refused("addressLong", MAX_LENGTH);
  const url = URL.parse(given.trim());
  if (url === null) throw refused("addressNotWeb");
  if (url.protocol !== "http:" && url.protocol !== "https:") throw refused("addressScheme");
  if (url.username !== "" || url.password !== "") throw refused("addressPassword");
  const isSecure = url.protocol === "https:";
  const usual = isSecure ? 443 : 80;
  const port = url.port === "" ? usual : Number(url.port);
  if (!PORTS.has(port) && !allowed.has(url.host))
    throw allowed === NO_HOSTS
      ? refused("addressPort", PORTS_LISTED)
      : refused("addressPortAllow", PORTS_LISTED, url.host);
  url.hash = "";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return { url, isSecure, host, port };
}

/** The target of a redirect, checked like a given URL. */
export function toRedirect(location: string, from: PageAddress, allowed?: Hosts): PageAddress {
  const url = URL.parse(location, from.url.href);
  if (url === null) throw unreachable("pageRedirectInvalid");
  const to = toPageAddress(url.href, allowed);
  if (from.isSecure && !to.isSecure) throw denied("pageInsecure");
  return to;
}

export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * The address to connect to. All addresses of a name must be public, because the next lookup may return a different
 * one.
 */
export async function addressOf(
  { host, url }: PageAddress,
  { resolve, allowed = NO_HOSTS }: { readonly resolve: Resolve; readonly allowed?: Hosts },
  signal: AbortSignal,
): Promise<string> {
  // Why a name has no address differs by system and says nothing more.
  const found = isIP(host) === 0 ? await resolve(host, signal).catch(() => []) : [host];
  const [first] = found;
  if (first === undefined) throw unreachable("pageNoHost");
  if (!allowed.has(url.host) && !found.every(isPublic)) throw denied("pagePrivate");
  return first;
}

function refused(...message: Parameters<typeof toMessage>): KnowledgeError {
  return new KnowledgeError("INVALID_PARAMETER", toMessage(...message), {
    details: { parameter: "url" },
  });
}

export function unreachable(...message: Parameters<typeof toMessage>): KnowledgeError {
  return new KnowledgeError("FILE_UNAVAILABLE", toMessage(...message));
}

// Which IP addresses a page may be fetched from: none that leads to this machine or its network.

/** Everything that is not public, from IANA's registries of special addresses. */
const CLOSED: readonly (readonly [network: string, bits: number])[] = [
  ["0.0.0.0", 8], // this network
  ["10.0.0.0", 8],
  ["100.64.0.0", 10], // carrier-grade NAT
  ["127.0.0.0", 8], // loopback
  ["169.254.0.0", 16], // link-local, and cloud metadata
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // relays
  ["192.168.0.0", 16],
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, and broadcast
];

// Only this eighth of IPv6 is public; exceptions inside it are listed below.
const OPEN_V6 = ["2000::", 3] as const;
const CLOSED_V6: readonly (readonly [network: string, bits: number])[] = [
  ["2001::", 23], // IETF protocols, including Teredo
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4: an IPv4 address inside
  ["3fff::", 20], // documentation
];

const closed = new BlockList();
for (const [network, bits] of CLOSED) closed.addSubnet(network, bits, "ipv4");
for (const [network, bits] of CLOSED_V6) closed.addSubnet(network, bits, "ipv6");
const open = new BlockList();
open.addSubnet(...OPEN_V6, "ipv6");

/** Accepts only IP addresses in their usual form; names and other forms are not public. */
export function isPublic(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closed.check(address, "ipv4");
  // A zone refers to an interface of this machine.
  if (family !== 6 || address.includes("%")) return false;
  return open.check(address, "ipv6") && !closed.check(address, "ipv6");
}
