// Bearer tokens and their rights. A token file is read again when it changes, so tokens are rotated by editing it,
// without a restart.
import { createHash, timingSafeEqual } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { parse } from "yaml";
import * as z from "zod";
import { OWNER, type Principal, RIGHTS } from "../../domain/call/principal.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";

export interface TokenOptions {
  /** One token that may do everything. */
  readonly token?: string | undefined;
  /** A file `tokens: [{name, sha256, rights, until}]`. */
  readonly tokenFile?: string | undefined;
  readonly log: Log;
}

const TokenFile = z.strictObject({
  tokens: z.array(
    z.strictObject({
      name: z.string().min(1).max(100),
      /** The token's SHA-256 in hex, so that the content of the file cannot be used as a token. */
      sha256: z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in lower-case hex"),
      rights: z.array(z.enum(RIGHTS)).min(1),
      /** The token is refused from this date on, for the old token of a rotation. */
      until: z.iso.datetime({ offset: true }).optional(),
    }),
  ),
});

interface Known {
  readonly digest: Buffer;
  readonly principal: Principal;
  readonly until: number;
}

/** Checking the file's date on every request would cost more than the rest of the check. */
const CHECK_EVERY_MS = 1_000;

/** Throws at once if the file cannot be used; later, the last usable list stays in force. */
export function openTokens({
  token,
  tokenFile,
  log,
}: TokenOptions): (given: string | undefined) => Principal | undefined {
  if (token === undefined && tokenFile === undefined) return () => OWNER;
  const fixed =
    token === undefined ? [] : [{ digest: digestOf(token), principal: OWNER, until: Infinity }];
  const listed = tokenFile === undefined ? () => [] : watchFile(tokenFile, log);
  return (given) => {
    if (given === undefined) return undefined;
    const digest = digestOf(given);
    const now = Date.now();
    let found: Principal | undefined;
    // Compares with every token, so that timing does not reveal a near match.
    for (const known of [...fixed, ...listed()]) {
      if (timingSafeEqual(digest, known.digest) && now < known.until) found ??= known.principal;
    }
    return found;
  };
}

function watchFile(path: string, log: Log): () => readonly Known[] {
  const state = { seen: stampOf(path), tokens: readTokens(path), lookedAt: performance.now() };
  return () => {
    if (performance.now() - state.lookedAt < CHECK_EVERY_MS) return state.tokens;
    state.lookedAt = performance.now();
    const stamp = stampOf(path);
    if (stamp === state.seen) return state.tokens;
    state.seen = stamp;
    try {
      state.tokens = readTokens(path);
      log.info("guard.tokens-read", { count: state.tokens.length });
    } catch (error) {
      log.error("guard.tokens-unusable", { error });
    }
    return state.tokens;
  };
}

function readTokens(path: string): readonly Known[] {
  let content: unknown;
  try {
    content = parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new KnowledgeError(
      "CONFIG_INVALID",
      "The token file cannot be read, or is neither YAML nor JSON.",
      { cause },
    );
  }
  const parsed = TokenFile.safeParse(content);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path: at, message }) => `${at.join(".")}: ${message}`,
    );
    throw new KnowledgeError(
      "CONFIG_INVALID",
      `The token file cannot be used: ${problems.join("; ")}`,
    );
  }
  return parsed.data.tokens.map(({ name, sha256, rights, until }) => ({
    digest: Buffer.from(sha256, "hex"),
    principal: { name, rights: new Set(rights) },
    until: until === undefined ? Infinity : Date.parse(until),
  }));
}

function stampOf(path: string): string {
  try {
    const { mtimeNs, ctimeNs, size, ino } = statSync(path, { bigint: true });
    return `${mtimeNs} ${ctimeNs} ${size} ${ino}`;
  } catch {
    return "gone";
  }
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
