// Who calls, and what they may do.
import { KnowledgeError } from "../errors.ts";
import { formatGrant, type Holder, RIGHTS, type Right } from "./grants.ts";

export { RIGHTS, type Right } from "./grants.ts";

export interface Principal extends Holder {
  /** For log lines and limits; never a secret. */
  readonly name: string;
}

/** The same caller with the same rights may continue what the other started. */
export function isSame(one: Principal, other: Principal): boolean {
  return (
    one.name === other.name &&
    RIGHTS.every((right) => one.rights.has(right) === other.rights.has(right)) &&
    describeGrants(one) === describeGrants(other)
  );
}

function describeGrants({ grants }: Holder): string | undefined {
  return grants && JSON.stringify(grants.map(formatGrant).sort());
}

export function accessDenied(right: Right): KnowledgeError {
  const message = `This token lacks the right '${right}'. Ask the server's administrator for one that has it.`;
  return new KnowledgeError("ACCESS_DENIED", message);
}

/** It concerns every scope, and the caller has the right in some of them only. */
export function accessTooNarrow(right: Right): KnowledgeError {
  const message = `This concerns every scope, and this token has the right '${right}' in some only. Ask the server's administrator for one that has it everywhere.`;
  return new KnowledgeError("ACCESS_DENIED", message);
}

export function notOffered(): KnowledgeError {
  const message =
    "This server does not offer that to its callers. Ask its administrator, who chose what it offers with --tools.";
  return new KnowledgeError("ACCESS_DENIED", message);
}

/** Whoever started the process, or reaches it over loopback without a token. */
export const OWNER: Principal = { name: "owner", rights: new Set(RIGHTS) };

/** The server's own work: queued tasks, watched folders, reindexing, tidying. */
export const SERVER: Principal = { name: "server", rights: new Set(RIGHTS) };
