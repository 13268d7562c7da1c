// Changes the token file without losing what people wrote into it: comments, order and other entries stay. It is
// replaced whole, so that a reader never sees half of it, and one editor at a time holds the new file as a lock.
import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { isMap, isSeq, parseDocument, type YAMLSeq } from "yaml";
import { describeHolder, formatGrant } from "../../domain/call/grants.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import { parseBounded } from "../bounded-json.ts";
import {
  digestOf,
  entryProblem,
  readBounded,
  readTokenFile,
  type TokenList,
} from "./token-file.ts";

interface NewEntry {
  readonly name: string;
  readonly rights: readonly string[];
  readonly until?: string;
}

export function openTokenFile(path: string) {
  return {
    list: async () => {
      const { tokens, groups } = readUsable(path);
      return {
        tokens: tokens.map(({ principal, until }) => ({
          ...{ name: principal.name, rights: describeHolder(principal) },
          ...(until === Infinity ? {} : { until: new Date(until).toISOString() }),
        })),
        groups: [...groups].map(([name, grants]) => ({ name, rights: grants.map(formatGrant) })),
      };
    },
    create: async (given: NewEntry) => {
      // The prefix is for programs that look for leaked secrets.
      const token = `knowledge_${randomBytes(32).toString("base64url")}`;
      const sha256 = digestOf(token).toString("hex");
      const { name, rights, until } = given;
      const entry = { name, sha256, rights, ...(until === undefined ? {} : { until }) };
      const problem = entryProblem(entry);
      if (problem !== undefined) throw new KnowledgeError("INVALID_PARAMETER", problem);
      await edit(path, (entries) => {
        if (!entries.names().includes(name)) return entries.add(entry);
        const message = `There is a token '${name}' already. Choose another name, or revoke it first.`;
        throw new KnowledgeError("INVALID_PARAMETER", message);
      });
      return token;
    },
    revoke: async (name: string) => {
      let count = 0;
      await edit(path, (entries) => {
        count = entries.remove(name);
      });
      return count;
    },
  };
}

async function edit(path: string, change: (entries: Entries) => void): Promise<void> {
  // A link keeps leading to the file.
  const target = await realpath(path).catch(() => path);
  const next = `${target}.new`;
  const file = await open(next, "wx", 0o600).catch((error: unknown) => {
    throw asFailure(error, target);
  });
  try {
    const owner = await ownerOf(target);
    if (owner) readUsable(target);
    const entries = openEntries(owner ? (readBounded(target) ?? "") : "tokens: []");
    change(entries);
    await write(file, entries.toText(), owner);
    await rename(next, target);
  } catch (error) {
    await rm(next, { force: true });
    throw asFailure(error, target);
  } finally {
    await file.close();
  }
  await syncFolder(dirname(target));
}

async function ownerOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

/** Refuses what the server would not read either. */
function readUsable(path: string): TokenList {
  const list = readTokenFile(path);
  if (list.issue?.code !== "tokensUnusable") return list;
  const message = `The token file cannot be used: ${list.problems}`;
  throw new KnowledgeError("CONFIG_INVALID", message);
}

/** Other entries stay as they are written: a digest of digits is not a number. */
const AS_WRITTEN = { schema: "failsafe" } as const;
const STYLE = {
  lineWidth: 0,
  flowCollectionPadding: false,
  defaultStringType: "QUOTE_DOUBLE",
  defaultKeyType: "PLAIN",
} as const;

type Entries = ReturnType<typeof openEntries>;

/** JSON is YAML, and stays JSON. */
function openEntries(text: string) {
  const isJson = parseBounded(Buffer.from(text)).kind === "value";
  const document = parseDocument(text, AS_WRITTEN);
  if (!isSeq(document.get("tokens"))) document.set("tokens", document.createNode([]));
  const list = document.get("tokens") as YAMLSeq;
  const nameOf = (item: unknown) => (isMap(item) ? item.get("name") : undefined);
  return {
    names: () => list.items.map(nameOf),
    add(entry: object) {
      // An empty list is written in brackets.
      if (list.items.length === 0) list.flow = false;
      list.add(document.createNode(entry));
    },
    remove(name: string): number {
      const before = list.items.length;
      list.items = list.items.filter((item) => nameOf(item) !== name);
      return before - list.items.length;
    },
    toText() {
      return isJson ? `${JSON.stringify(document.toJS(), null, 2)}\n` : document.toString(STYLE);
    },
  };
}

/** Whoever could read it, except everybody, still can: servers often run as another user. */
async function write(file: FileHandle, text: string, owner: Stats | undefined): Promise<void> {
  await file.writeFile(text);
  if (owner) {
    await file.chown(owner.uid, owner.gid);
    await file.chmod((owner.mode & 0o640) | 0o600);
  }
  await file.sync();
  await file.close();
}

/** So that the new name survives a power cut. */
async function syncFolder(path: string): Promise<void> {
  // Not every platform can open a folder.
  const folder = await open(path).catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

function asFailure(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof KnowledgeError || code === undefined) return error;
  const name = basename(path);
  const message =
    code === "EEXIST"
      ? `${name} is being changed by another command. If none is running, remove ${name}.new.`
      : `${name} cannot be changed (${code}). Run this as the user who owns it.`;
  return new KnowledgeError("CONFIG_INVALID", message, { cause: error });
}
