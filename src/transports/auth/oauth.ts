// OAuth 2.1 resource server: accepts an issuer's access tokens for this server and turns their scopes into rights.
import type { createRemoteJWKSet, JWTPayload } from "jose";
import type { Principal, Right } from "../../domain/call/principal.ts";
import type { Log } from "../../observe/log.ts";
import { openTally } from "./tally.ts";

export interface OauthOptions {
  readonly issuer: string;
  /** This server's own address as clients know it, which must be the token's `aud`. */
  readonly resource: string;
  /** The address of the issuer's keys; if absent, it is taken from the issuer's metadata. */
  readonly jwksUrl?: string | undefined;
  readonly log: Log;
}

export interface Oauth {
  authenticate(token: string): Promise<Principal | undefined>;
  /** The protected resource metadata (RFC 9728), which shows clients where to get a token. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly metadataPath: string;
  /** Added to `WWW-Authenticate`. */
  readonly challenge: string;
}

/** A map, because the key comes from a caller: an object would also have `constructor` and `__proto__`. */
const RIGHT_OF_SCOPE: ReadonlyMap<string, Right> = new Map([
  ["knowledge:read", "read"],
  ["knowledge:write", "write"],
  ["knowledge:admin", "admin"],
]);

// Signatures only: with a shared-secret algorithm the public key could be used to forge tokens.
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
];
const CLOCK_SKEW_SECONDS = 30;

type KeySet = ReturnType<typeof createRemoteJWKSet>;

export function openOauth({ issuer, resource, jwksUrl, log }: OauthOptions): Oauth {
  let keys: Promise<KeySet> | undefined;
  const loadKeys = () => {
    keys ??= findKeys(issuer, jwksUrl);
    keys.catch(() => {
      keys = undefined;
    });
    return keys;
  };
  const refused = openTally({ log, level: "info", event: "guard.token-refused" });
  const metadataPath = metadataPathOf(resource);
  return {
    async authenticate(token) {
      const { jwtVerify } = await import("jose");
      try {
        const { payload } = await jwtVerify(token, await loadKeys(), {
          issuer,
          audience: resource,
          algorithms: ALGORITHMS,
          clockTolerance: CLOCK_SKEW_SECONDS,
          requiredClaims: ["exp", "sub"],
        });
        return toPrincipal(payload);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        refused.note({ kind: reason, fields: { reason } });
        return undefined;
      }
    },
    metadata: {
      resource,
      authorization_servers: [issuer],
      scopes_supported: [...RIGHT_OF_SCOPE.keys()],
      bearer_methods_supported: ["header"],
      resource_name: "knowledge-server",
    },
    metadataPath,
    challenge: `resource_metadata="${new URL(resource).origin}${metadataPath}"`,
  };
}

function metadataPathOf(resource: string): string {
  const { pathname } = new URL(resource);
  return `/.well-known/oauth-protected-resource${pathname === "/" ? "" : pathname}`;
}

function toPrincipal({ sub, scope }: JWTPayload): Principal | undefined {
  const scopes = typeof scope === "string" ? scope.split(" ") : [];
  const rights = scopes.flatMap((each) => RIGHT_OF_SCOPE.get(each) ?? []);
  return rights.length === 0 ? undefined : { name: `oauth:${sub}`, rights: new Set(rights) };
}

async function findKeys(issuer: string, jwksUrl: string | undefined): Promise<KeySet> {
  const { createRemoteJWKSet: remote } = await import("jose");
  return remote(new URL(jwksUrl ?? (await discover(issuer))), { timeoutDuration: 5_000 });
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
      signal: AbortSignal.timeout(5_000),
      redirect: "error",
    }).catch(() => undefined);
    if (!response?.ok) continue;
    const { jwks_uri: found, issuer: named } = (await response.json()) as Record<string, unknown>;
    if (typeof found === "string" && named === issuer) return found;
  }
  throw new Error("the issuer publishes no keys");
}
