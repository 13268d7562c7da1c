// Bearer tokens and their rights. A token file is read again when it changes, so tokens are rotated and revoked by
// editing it, without a restart.
//
//   usable ──edited──▶ partly usable: the valid entries count
//      ▲               missing, empty, unreadable, not YAML: nobody is let in
//      └──── as soon as the file is usable again ────┘

import { timingSafeEqual } from "node:crypto";
import type { Grant } from "../../domain/call/grants.ts";
import { OWNER, type Principal } from "../../domain/call/principal.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import { type Message, toEnglish } from "../../domain/phrases/messages.ts";
import type { Log } from "../../observe/log.ts";
import { digestOf, type FileToken, readTokenFile, stampOf, type TokenList } from "./token-file.ts";
import { openViews } from "./views.ts";

interface TokenOptions {
  /** One token that may do everything. */
  readonly token?: string | undefined;
  /** A file `tokens: [{name, sha256, rights, until}]`, `groups: {name: rights}`. */
  readonly tokenFile?: string | undefined;
  readonly log: Log;
}

interface Tokens {
  identify(given: string | undefined): Principal | undefined;
  /** What the token file grants to a group. */
  grantsOf(group: string): readonly Grant[];
  /** A temporary token that shows the server as a token of the file does; undefined if there is none of that name. */
  view(viewer: Principal, name: string): string | undefined;
  /** What is wrong with the token file, if anything. */
  issue(): Message | undefined;
}

/** Checking the file's date on every request would cost more than the rest of the check. */
const CHECK_EVERY_MS = 1_000;

/** Throws if the file is not entirely usable at the start; later, only its valid entries count. */
export function openTokens({ token, tokenFile, log }: TokenOptions): Tokens {
  if (token === undefined && tokenFile === undefined) {
    const [view, issue] = [() => undefined, () => undefined];
    return { identify: () => OWNER, grantsOf: () => [], view, issue };
  }
  const fixed: readonly FileToken[] =
    token === undefined ? [] : [{ digest: digestOf(token), principal: OWNER, until: Infinity }];
  const listed = tokenFile === undefined ? () => NO_FILE : watchFile(tokenFile, log);
  const views = openViews(() => listed().tokens);
  return {
    issue: () => listed().issue,
    view: views.open,
    grantsOf: (group) => listed().groups.get(group) ?? [],
    identify(given) {
      if (given === undefined) return undefined;
      const digest = digestOf(given);
      const now = Date.now();
      let found: Principal | undefined;
      // Compares with every token, so that timing does not reveal a near match.
      for (const known of [...fixed, ...listed().tokens, ...views.tokens()]) {
        if (timingSafeEqual(digest, known.digest) && now < known.until) found ??= known.principal;
      }
      return found;
    },
  };
}

const NO_FILE: TokenList = { tokens: [], groups: new Map() };

function watchFile(path: string, log: Log): () => TokenList {
  const seen = stampOf(path);
  const list = readTokenFile(path);
  if (list.problems !== undefined) {
    throw new KnowledgeError("CONFIG_INVALID", `The token file cannot be used: ${list.problems}`);
  }
  const state = { seen, list, lookedAt: performance.now() };
  return () => {
    if (performance.now() - state.lookedAt < CHECK_EVERY_MS) return state.list;
    state.lookedAt = performance.now();
    const stamp = stampOf(path);
    if (stamp === state.seen && !state.list.mayPass) return state.list;
    const next = readTokenFile(path);
    if (stamp !== state.seen || next.issue?.code !== state.list.issue?.code) noteReading(next, log);
    state.seen = stamp;
    state.list = next;
    return next;
  };
}

function noteReading({ tokens, issue, problems }: TokenList, log: Log): void {
  const count = tokens.length;
  if (issue === undefined) log.info("guard.tokens-read", { count });
  else log.error("guard.tokens-unusable", { count, issue: toEnglish(issue), problems });
}
