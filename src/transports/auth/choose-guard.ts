// Who may call: one token, a file of tokens with rights, an OAuth issuer's tokens, or together.

import type { Principal } from "../../domain/call/principal.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import type { Log } from "../../observe/log.ts";
import { type GuardOptions, isLoopback, openGuard } from "./guard.ts";
import { type Groups, openOauth } from "./oauth.ts";
import { openTokens } from "./tokens.ts";

/** The part of the configuration that the guard needs. */
export interface GuardConfig
  extends Pick<GuardOptions, "host" | "allowedHosts" | "allowedOrigins" | "rateLimit"> {
  readonly token?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly oauthIssuer?: string | undefined;
  readonly oauthResource?: string | undefined;
  readonly oauthJwksUrl?: string | undefined;
  readonly oauthGroupsClaim?: string | undefined;
}

/** The guard, and what the server says about itself to callers without a token. */
export function chooseGuard(config: GuardConfig, log: Log) {
  const { token, tokenFile, host } = config;
  const hasTokens = token !== undefined || tokenFile !== undefined;
  const isGuarded = hasTokens || config.oauthIssuer !== undefined;
  if (!isGuarded && !isLoopback(host)) throw exposed(host);
  // Without any, a caller on this machine is the owner.
  const tokens = hasTokens || !isGuarded ? openTokens({ token, tokenFile, log }) : undefined;
  const oauth = issuerOf(config, tokens?.grantsOf, log);
  const guard = openGuard({
    ...config,
    authenticate: (given) =>
      tokens?.identify(given) ?? (given === undefined ? undefined : oauth?.authenticate(given)),
    challenge: oauth?.challenge,
  });
  const metadata = new Map(oauth ? [[oauth.metadataPath, oauth.metadata]] : []);
  const view = (viewer: Principal, name: string) => tokens?.view(viewer, name);
  return { guard, isGuarded, metadata, view, issue: () => tokens?.issue() };
}

function issuerOf(config: GuardConfig, grantsOf: Groups["grantsOf"] | undefined, log: Log) {
  const { oauthIssuer: issuer, oauthResource: resource, oauthJwksUrl: jwksUrl } = config;
  if (issuer === undefined) return undefined;
  if (resource === undefined) {
    throw invalid(
      "KNOWLEDGE_OAUTH_ISSUER needs KNOWLEDGE_OAUTH_RESOURCE: set it to this server's URL as clients see it.",
    );
  }
  return openOauth({ issuer, resource, jwksUrl, groups: groupsOf(config, grantsOf), log });
}

function groupsOf(
  { oauthGroupsClaim: claim, tokenFile }: GuardConfig,
  grantsOf: Groups["grantsOf"] | undefined,
): Groups | undefined {
  if (claim === undefined) return undefined;
  if (tokenFile !== undefined && grantsOf) return { claim, grantsOf };
  throw invalid(
    "KNOWLEDGE_OAUTH_GROUPS_CLAIM needs KNOWLEDGE_TOKEN_FILE: its member `groups` says what each group may do.",
  );
}

function exposed(host: string): KnowledgeError {
  return new KnowledgeError("CONFIG_INVALID", toMessage("tokenNeeded", host));
}

function invalid(message: string): KnowledgeError {
  return new KnowledgeError("CONFIG_INVALID", message);
}
