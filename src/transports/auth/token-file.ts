// The token file's entries, and what is wrong with it. Nothing in its place can block or exhaust the server, and no
// message repeats what it contains.
import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import { parse } from "yaml";
import * as z from "zod";
import { type Grant, parseGrant, toHolder } from "../../domain/call/grants.ts";
import type { Principal } from "../../domain/call/principal.ts";
import { type Message, toMessage } from "../../domain/phrases/messages.ts";

export interface FileToken {
  readonly digest: Buffer;
  readonly principal: Principal;
  readonly until: number;
}

export interface TokenList {
  /** The entries that are valid. */
  readonly tokens: readonly FileToken[];
  /** What the members of a group may do, by the name that an issuer's tokens give it. */
  readonly groups: ReadonlyMap<string, readonly Grant[]>;
  /** What is wrong with the file, if anything. */
  readonly issue?: Message;
  /** Where and why, for whoever edits the file. */
  readonly problems?: string;
  /** Set if reading it failed, which may pass although the file does not change. */
  readonly mayPass?: true;
}

const File = z
  .strictObject({
    tokens: z.array(z.unknown()).optional(),
    groups: z.record(z.string(), z.unknown()).optional(),
  })
  .refine(({ tokens, groups }) => tokens ?? groups);
const Rights = z
  .array(
    z
      .string()
      .refine(
        (text) => parseGrant(text) !== undefined,
        "must be read, write or admin, alone or in a scope: read:checkout-api, write:webapp/**",
      ),
  )
  .min(1);
const Entry = z.strictObject({
  name: z.string().min(1).max(100),
  /** The token's SHA-256 in hex, so that the content of the file cannot be used as a token. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in lower-case hex"),
  rights: Rights,
  /** The token is refused from this date on, for the old token of a rotation. */
  until: z.iso.datetime({ offset: true }).optional(),
});

/** About 5,000 entries. */
const MAX_BYTES = 1024 * 1024;

export function readTokenFile(path: string): TokenList {
  try {
    const text = readBounded(path);
    if (text === undefined) return unusable("it is not a file of at most 1 MB");
    const file = File.safeParse(parse(text, { logLevel: "error" }));
    const { tokens = [], groups = {} } = file.data ?? {};
    const isEmpty = tokens.length === 0 && Object.keys(groups).length === 0;
    if (text.trim() === "" || (file.success && isEmpty)) return missing("it lists no tokens");
    return file.success ? readEntries(tokens, groups) : unusable("it is not a list `tokens`");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return missing("there is no such file");
    const isSystemError = typeof code === "string" && /^E[A-Z]+$/.test(code);
    if (!isSystemError) return unusable("it is neither YAML nor JSON");
    return { ...unusable(code), mayPass: true };
  }
}

const NOTHING = { tokens: [], groups: new Map() };

function missing(problems: string): TokenList {
  return { ...NOTHING, issue: toMessage("tokensMissing"), problems };
}

function unusable(problems: string): TokenList {
  return { ...NOTHING, issue: toMessage("tokensUnusable"), problems };
}

function readEntries(
  entries: readonly unknown[],
  byGroup: Readonly<Record<string, unknown>>,
): TokenList {
  const parsed = entries.map((entry) => Entry.safeParse(entry));
  const tokens = parsed.flatMap(({ data }) => (data === undefined ? [] : [toToken(data)]));
  const named = Object.entries(byGroup).map(
    ([name, list]) => [name, Rights.safeParse(list)] as const,
  );
  const groups = new Map(
    named.flatMap(([name, { data }]) => (data === undefined ? [] : [[name, toGrants(data)]])),
  );
  const problems = [
    ...problemsOf("tokens", parsed),
    ...problemsOf(
      "groups",
      named.map(([, list]) => list),
    ),
  ];
  if (problems.length === 0) return { tokens, groups };
  const count = entries.length + named.length;
  return {
    tokens,
    groups,
    issue: toMessage("tokensPartly", count - tokens.length - groups.size, count),
    problems: problems.slice(0, MAX_PROBLEMS).join("; "),
  };
}

function problemsOf(list: string, parsed: readonly z.ZodSafeParseResult<unknown>[]) {
  return parsed.flatMap(({ error }, at) =>
    (error?.issues ?? []).map((issue) => `${list}.${[at, ...issue.path].join(".")}: ${why(issue)}`),
  );
}

/** Why an entry would be refused; undefined if it is valid. */
export function entryProblem(entry: unknown): string | undefined {
  const [issue] = Entry.safeParse(entry).error?.issues ?? [];
  return issue && `${issue.path.join(".")}: ${why(issue)}`;
}

/** The library repeats the names of unknown members, which could be a token. */
function why({ code, message }: z.core.$ZodIssue): string {
  return code === "unrecognized_keys" ? "has unknown members" : message;
}

const MAX_PROBLEMS = 10;

function toToken({ name, sha256, rights, until }: z.output<typeof Entry>): FileToken {
  return {
    digest: Buffer.from(sha256, "hex"),
    principal: { name, ...toHolder(toGrants(rights)) },
    until: until === undefined ? Infinity : Date.parse(until),
  };
}

function toGrants(texts: readonly string[]): readonly Grant[] {
  return texts.flatMap((text) => parseGrant(text) ?? []);
}

/** Undefined if it is not a file of a plausible size. Opened without waiting: a FIFO would block all requests. */
export function readBounded(path: string): string | undefined {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > MAX_BYTES) return undefined;
    const bytes = Buffer.alloc(MAX_BYTES + 1);
    let size = 0;
    for (let count = -1; count !== 0; size += count) {
      count = readSync(file, bytes, size, bytes.length - size, null);
    }
    return size > MAX_BYTES ? undefined : bytes.toString("utf8", 0, size);
  } finally {
    closeSync(file);
  }
}

/** A token is compared and stored by its digest only. */
export function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Changes whenever the file does. */
export function stampOf(path: string): string {
  try {
    const { mtimeNs, ctimeNs, size, ino } = statSync(path, { bigint: true });
    return `${mtimeNs} ${ctimeNs} ${size} ${ino}`;
  } catch {
    // Whatever the reason, reading it reports it.
    return "unavailable";
  }
}
