// A request's address, parsed once: who may pass, which handler serves it and what that handler reads all come
// from this one value.

export interface RequestTarget {
  /** Literal: nothing in it is decoded, and no URL parser would read another path from it. */
  readonly path: string;
  /** What follows the first `?`, without it. */
  readonly query: string;
}

// RFC 3986: what a path may be made of.
const PATH = /^\/[\w\-.~!$&'()*+,;=:@%/]*$/;
// Printable ASCII; a fragment is never sent, and a backslash is a slash to some parsers.
const QUERY = /^[!-"$-[\]-~]*$/;
// Dots, slashes, backslashes, percent signs and control characters have no reason to be encoded in a path
// of this server; each has been used to smuggle one path through the check of another.
const SMUGGLED = /%(?:[01][\da-f]|2[5ef]|5c|7f)/i;

/** Undefined for an address that two parsers might read differently; such an address is refused, never repaired. */
export function parseTarget(raw: string): RequestTarget | undefined {
  const end = raw.indexOf("?");
  const path = end < 0 ? raw : raw.slice(0, end);
  const query = end < 0 ? "" : raw.slice(end + 1);
  if (!PATH.test(path) || !QUERY.test(query)) return undefined;
  if (path.includes("//") || SMUGGLED.test(path) || /%00/.test(query)) return undefined;
  if (path.split("/").some((segment) => segment === "." || segment === "..")) return undefined;
  return isWellEncoded(path) && isWellEncoded(query) ? { path, query } : undefined;
}

function isWellEncoded(part: string): boolean {
  if (!part.includes("%")) return true;
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    // Thrown for a percent sign that begins no escape.
    return false;
  }
}
