// Parses a URL once, so that what is checked is what is connected to.
import { isIP } from "node:net";
import { KnowledgeError } from "../../domain/errors.ts";
import { isPublic } from "./public-address.ts";

/** The usual web ports; others often belong to other services. */
const PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);
const MAX_LENGTH = 2_048;

export interface PageAddress {
  readonly url: URL;
  readonly isSecure: boolean;
  /** Without brackets; IP addresses are normalised. */
  readonly host: string;
  readonly port: number;
}

export function toPageAddress(given: string): PageAddress {
  if (given.length > MAX_LENGTH) throw refused(`must have at most ${MAX_LENGTH} characters`);
  const url = URL.parse(given.trim());
  if (url === null)
    throw refused("is not a web address; write it in full: https://example.com/page");
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw refused("must begin with http:// or https://");
  if (url.username !== "" || url.password !== "")
    throw refused("must not contain a user name or password");
  const isSecure = url.protocol === "https:";
  const usual = isSecure ? 443 : 80;
  const port = url.port === "" ? usual : Number(url.port);
  if (!PORTS.has(port)) throw refused(`must have one of the ports ${[...PORTS].join(", ")}`);
  url.hash = "";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return { url, isSecure, host, port };
}

/** The target of a redirect, checked like a given URL. */
export function toRedirect(location: string, from: PageAddress): PageAddress {
  const url = URL.parse(location, from.url.href);
  if (url === null) throw unreachable("It redirects to an invalid address.");
  const to = toPageAddress(url.href);
  if (from.isSecure && !to.isSecure)
    throw denied("The page redirects from https to http, which is not allowed.");
  return to;
}

export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * The address to connect to. All addresses of a name must be public, because the next lookup may return a different
 * one.
 */
export async function addressOf(
  { host }: PageAddress,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<string> {
  // Why a name has no address differs by system and says nothing more.
  const found = isIP(host) === 0 ? await resolve(host, signal).catch(() => []) : [host];
  const [first] = found;
  if (first === undefined) throw unreachable("The host name cannot be resolved.");
  if (!found.every(isPublic))
    throw denied(
      "The address leads to a private network or to this machine; only public pages can be fetched.",
    );
  return first;
}

function refused(problem: string): KnowledgeError {
  return new KnowledgeError("INVALID_PARAMETER", `'url': ${problem}.`, {
    details: { parameter: "url" },
  });
}

export function denied(message: string): KnowledgeError {
  return new KnowledgeError("ACCESS_DENIED", message);
}

export function unreachable(what: string): KnowledgeError {
  return new KnowledgeError(
    "FILE_UNAVAILABLE",
    `The page cannot be fetched. ${what} Check the address, or try again later.`,
  );
}
