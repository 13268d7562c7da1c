// Who may call: one token, a file of tokens with rights, an OAuth issuer's tokens, or together.
import { KnowledgeError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
import { type GuardOptions, isLoopback, openGuard } from "./guard.ts";
import { openOauth } from "./oauth.ts";
import { openTokens } from "./tokens.ts";

/** The part of the configuration that the guard needs. */
export interface GuardConfig
  extends Pick<GuardOptions, "host" | "allowedHosts" | "allowedOrigins" | "rateLimit"> {
  readonly token?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly oauthIssuer?: string | undefined;
  readonly oauthResource?: string | undefined;
  readonly oauthJwksUrl?: string | undefined;
}

/** The guard, and what the server says about itself to callers without a token. */
export function chooseGuard(config: GuardConfig, log: Log) {
  const { token, tokenFile, host } = config;
  const oauth = issuerOf(config, log);
  const hasTokens = token !== undefined || tokenFile !== undefined;
  const isGuarded = hasTokens || oauth !== undefined;
  if (!isGuarded && !isLoopback(host)) throw exposed(host);
  // Without any, a caller on this machine is the owner.
  const tokens = hasTokens || !oauth ? openTokens({ token, tokenFile, log }) : undefined;
  const guard = openGuard({
    ...config,
    authenticate: (given) =>
      tokens?.identify(given) ?? (given === undefined ? undefined : oauth?.authenticate(given)),
    challenge: oauth?.challenge,
  });
  const metadata = new Map(oauth ? [[oauth.metadataPath, oauth.metadata]] : []);
  return { guard, isGuarded, metadata, issue: () => tokens?.issue() };
}

function issuerOf(config: GuardConfig, log: Log) {
  const { oauthIssuer: issuer, oauthResource: resource, oauthJwksUrl: jwksUrl } = config;
  if (issuer === undefined) return undefined;
  if (resource !== undefined) return openOauth({ issuer, resource, jwksUrl, log });
  const message =
    "KNOWLEDGE_OAUTH_ISSUER needs KNOWLEDGE_OAUTH_RESOURCE: set it to this server's URL as clients see it.";
  throw new KnowledgeError("CONFIG_INVALID", message);
}

function exposed(host: string): KnowledgeError {
  return new KnowledgeError(
    "CONFIG_INVALID",
    `Other machines can reach ${host}, so a token is required. Set KNOWLEDGE_TOKEN (16 characters or more) or --token-file, or listen on 127.0.0.1.`,
  );
}
