// OAuth 2.1 resource server: accepts an issuer's access tokens for this server and turns their scopes into rights.
import type { createRemoteJWKSet, JWTPayload, JWTVerifyResult } from "jose";
import { type Grant, parseGrant, RIGHTS, toHolder } from "../../domain/call/grants.ts";
import { isJsonObject } from "../../domain/call/json-object.ts";
import type { Principal } from "../../domain/call/principal.ts";
import type { Log } from "../../observe/log.ts";
import { parseBounded } from "../bounded-json.ts";
import { openRepeatedEvents } from "../repeated-events.ts";

export interface OauthOptions {
  readonly issuer: string;
  /** This server's own address as clients know it, which must be the token's `aud`. */
  readonly resource: string;
  /** The address of the issuer's keys; if absent, it is taken from the issuer's metadata. */
  readonly jwksUrl?: string | undefined;
  readonly groups?: Groups | undefined;
  readonly log: Log;
}

/** Who its tokens say the caller belongs to. */
export interface Groups {
  /** The member of a token that lists the caller's groups. */
  readonly claim: string;
  grantsOf(group: string): readonly Grant[];
}

/** `knowledge:read`, or in one scope: `knowledge:read:checkout-api`. */
const PREFIX = "knowledge:";

// Signatures only: with a shared-secret algorithm the public key could be used to forge tokens.
const ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA"],
];
const CLOCK_SKEW_SECONDS = 30;
// Not a logout token, and not the grant (ID-JAG) that an issuer exchanges for an access token.
const ACCESS_TYPES: ReadonlySet<string> = new Set(["", "jwt", "at+jwt", "application/at+jwt"]);

type KeySet = ReturnType<typeof createRemoteJWKSet>;

export function openOauth({ issuer, resource, jwksUrl, groups, log }: OauthOptions) {
  let keys: Promise<KeySet> | undefined;
  const loadKeys = () => {
    keys ??= findKeys(issuer, jwksUrl);
    keys.catch(() => {
      keys = undefined;
    });
    return keys;
  };
  const refused = openRepeatedEvents({ log, level: "info", event: "guard.token-refused" });
  const metadataPath = metadataPathOf(resource);
  return {
    async authenticate(token: string): Promise<Principal | undefined> {
      const { jwtVerify } = await import("jose");
      try {
        const verified = await jwtVerify(token, await loadKeys(), {
          issuer,
          audience: resource,
          algorithms: ALGORITHMS,
          clockTolerance: CLOCK_SKEW_SECONDS,
          requiredClaims: ["exp", "sub"],
        });
        return toPrincipal(accessOf(verified), groups);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        refused.note({ kind: reason, fields: { reason } });
        return undefined;
      }
    },
    /** The protected resource metadata (RFC 9728), which shows clients where to get a token. */
    metadata: {
      resource,
      authorization_servers: [issuer],
      scopes_supported: RIGHTS.map((right) => `${PREFIX}${right}`),
      bearer_methods_supported: ["header"],
      resource_name: "knowledge-server",
    },
    metadataPath,
    /** Added to `WWW-Authenticate`. */
    challenge: `resource_metadata="${new URL(resource).origin}${metadataPath}"`,
  };
}

function accessOf({ payload, protectedHeader: { typ = "" } }: JWTVerifyResult): JWTPayload {
  if (ACCESS_TYPES.has(typ.toLowerCase())) return payload;
  throw new Error("it is not an access token");
}

function metadataPathOf(resource: string): string {
  const { pathname } = new URL(resource);
  return `/.well-known/oauth-protected-resource${pathname === "/" ? "" : pathname}`;
}

/** A name for log lines and limits: OpenID Connect allows 255 characters, and none that is invisible belongs in it. */
const NAME = /^[^\p{C}\p{Zl}\p{Zp}]{1,255}$/u;

/** The types of the library promise strings, but a token may contain anything. */
function toPrincipal(
  claims: Readonly<Record<string, unknown>>,
  groups: Groups | undefined,
): Principal | undefined {
  const { sub, scope } = claims;
  if (typeof sub !== "string" || !NAME.test(sub)) {
    throw new Error("the subject is not a text of at most 255 visible characters");
  }
  const scopes = typeof scope === "string" ? scope.split(" ") : [];
  const own = scopes.filter((each) => each.startsWith(PREFIX));
  const grants = own.flatMap((each) => parseGrant(each.slice(PREFIX.length)) ?? []);
  const holder = toHolder([...grants, ...(groups ? grantsIn(claims, groups) : [])]);
  return holder.rights.size === 0 ? undefined : { name: `oauth:${sub}`, ...holder };
}

/** Issuers write a list, or one name as a text. */
function grantsIn(
  claims: Readonly<Record<string, unknown>>,
  { claim, grantsOf }: Groups,
): readonly Grant[] {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  return names.flatMap((name) => (typeof name === "string" ? grantsOf(name) : []));
}

async function findKeys(issuer: string, jwksUrl: string | undefined): Promise<KeySet> {
  const { createRemoteJWKSet: remote, customFetch } = await import("jose");
  const url = new URL(jwksUrl ?? (await discover(issuer)));
  return remote(url, { timeoutDuration: FETCH_MS, [customFetch]: fetchKeys });
}

const FETCH_MS = 5_000;
/** Issuers publish a few keys of about 1 KB each. */
const MAX_BYTES = 256 * 1024;
const MAX_KEYS = 100;

async function fetchKeys(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  if (response.status !== 200) return response;
  const value = await readBounded(response);
  const { keys } = isJsonObject(value) ? value : {};
  if (Array.isArray(keys) && keys.length > MAX_KEYS)
    throw new Error("the issuer has too many keys");
  return Response.json(value);
}

/** The library would read a response of any size. */
async function readBounded(response: Response): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > MAX_BYTES) throw new Error("the issuer's response is too large");
    parts.push(part);
  }
  const json = parseBounded(Buffer.concat(parts));
  if (json.kind !== "value") throw new Error("the issuer's response is not usable JSON");
  return json.value;
}

/** RFC 8414, then OpenID Connect: issuers publish one or both. */
async function discover(issuer: string): Promise<string> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  for (const place of places) {
    const response = await fetch(place, {
      signal: AbortSignal.timeout(FETCH_MS),
      redirect: "error",
    }).catch(() => undefined);
    if (!response?.ok) continue;
    const value = await readBounded(response);
    const { jwks_uri: found, issuer: named } = isJsonObject(value) ? value : {};
    if (typeof found === "string" && named === issuer) return found;
  }
  throw new Error("the issuer publishes no keys");
}
