// A knowledge base with everything that can be lost, ways to damage it, and a measure of the losses.
import { createHash } from "node:crypto";
import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join, relative } from "node:path";
import type { ExtractedDocument, StoredDocument } from "../../src/domain/document.ts";
import type { ScopeContent } from "../../src/domain/scope.ts";
import type { AddRequest } from "../../src/domain/task.ts";
import type { Loss } from "../../src/store/store.ts";
import { sampleDocument } from "./sample-documents.ts";
import { tempFolder } from "./temp-folder.ts";
import { openStoreHere } from "./temp-store.ts";

const DOCUMENTS = 30;
const TASKS = 24;

/** Every third document has lost its original; metadata is nested, so that it is in no index. */
export async function makeFolder(dataDir: string): Promise<void> {
  const store = openStoreHere(dataDir);
  const { documents, tasks, scopes } = store;
  try {
    for (let at = 0; at < DOCUMENTS; at++) {
      const bytes = `original ${at} `.repeat(5);
      const contentHash = createHash("sha256").update(bytes).digest("hex");
      if (at % 3 !== 0) keep(dataDir, contentHash, bytes);
      const texts = Array.from({ length: 1 + (at % 9) }, (_, n) => noise(at * 10 + n, 500));
      const { document, chunks } = sampleDocument(texts, {
        id: `document-${at}`,
        filename: `report ${at}.md`,
        sourcePath: `/reports/${at}.md`,
        contentHash,
        metadata: { author: `author ${at}`, nested: { at, notes: noise(at, 60) } },
      });
      await documents.put(document, chunks);
    }
    for (let at = 0; at < TASKS; at++) await tasks.enqueue(`task-${at}`, request(dataDir, at));
    for (let at = 0; at < TASKS; at += 3) {
      await tasks.claimById(`task-${at}`, "w", 1);
      await tasks.fail(`task-${at}`, "w", { error: "corrupt_file", message: "no" });
    }
    await scopes.apply([
      { kind: "put-scope", scope: { id: "general", tier: "GENERAL", description: "all of us" } },
      { kind: "put-scope", scope: { id: "shop", tier: "PRODUCT", parent: "general" } },
      { kind: "put-scope", scope: { id: "team", tier: "PROJECT", parent: "shop" } },
      ...["general", "shop", "team"].flatMap((scope, s) => [
        { kind: "put-category" as const, scope, name: "git", description: `how we use git, ${s}` },
        ...Array.from({ length: 25 }, (_, at) => ({
          kind: "put-entry" as const,
          scope,
          category: "git",
          keyword: `keyword-${at}`,
          content: noise(s * 100 + at, 200),
        })),
      ]),
    ]);
  } finally {
    await store.close();
  }
}

function request(dataDir: string, at: number): AddRequest {
  const bytes = `queued ${at} `.repeat(5);
  const contentHash = createHash("sha256").update(bytes).digest("hex");
  if (at % 4 !== 3) keep(dataDir, contentHash, bytes);
  return {
    contentHash,
    filename: `waiting ${at}.pdf`,
    sourcePath: `/waiting/${at}.pdf`,
    sizeBytes: bytes.length,
    metadata: { queued: at, nested: { by: `person ${at}` } },
    forceOcr: at % 2 === 0,
  };
}

function keep(dataDir: string, hash: string, bytes: string): void {
  mkdirSync(join(dataDir, "originals", hash.slice(0, 2)), { recursive: true });
  writeFileSync(join(dataDir, "originals", hash.slice(0, 2), hash), bytes);
}

/** Words that do not compress to nothing. */
function noise(seed: number, length: number): string {
  let text = "";
  for (let at = 0; text.length < length; at++) {
    text += `${createHash("sha256").update(`${seed}/${at}`).digest("base64url").slice(0, 9)} `;
  }
  return text.trim();
}

export interface Contents {
  readonly documents: ReadonlyMap<string, { readonly about: string; readonly text: string }>;
  readonly tasks: ReadonlyMap<string, string>;
  readonly scopes: ReadonlyMap<string, string>;
  readonly categories: ReadonlyMap<string, string>;
  readonly rules: ReadonlyMap<string, string>;
  /** Documents that are about to be read from their original. */
  readonly unread: ReadonlySet<string>;
}

export async function readContents(dataDir: string): Promise<Contents> {
  const store = openStoreHere(dataDir);
  try {
    const page = { limit: 10_000, offset: 0, sortBy: "filename", sortOrder: "asc" } as const;
    const list = (await store.documents.list(page)).documents;
    const tasks = await store.tasks.list({ limit: 10_000 });
    const queued = new Set(
      tasks.filter(({ status }) => status === "queued").map(({ request: r }) => r.contentHash),
    );
    const documents = new Map<string, ReturnType<typeof contentOf>>();
    for (const each of list) {
      documents.set(each.id, contentOf(each, await store.documents.extracted(each.id)));
    }
    return {
      documents,
      tasks: new Map(
        tasks.map(({ id, request: r, failure }) => [id, JSON.stringify([r, failure])]),
      ),
      ...ruleContents(await store.scopes.all()),
      unread: new Set(
        list
          .filter((each) => each.chunkCount === 0 && queued.has(each.contentHash))
          .map(({ id }) => id),
      ),
    };
  } finally {
    await store.close();
  }
}

function contentOf(document: StoredDocument, extracted: ExtractedDocument | undefined) {
  const { filename, sourcePath, contentHash, metadata, dateAdded } = document;
  const { text = "", blocks } = extracted ?? {};
  return {
    about: JSON.stringify({ filename, sourcePath, contentHash, metadata, dateAdded }),
    text: JSON.stringify([text, blocks]),
  };
}

function ruleContents(all: readonly ScopeContent[]) {
  return {
    scopes: new Map(
      all.map(({ id, tier, parent, description }) => [
        id,
        JSON.stringify([tier, parent, description]),
      ]),
    ),
    categories: new Map(
      all.flatMap(({ id, categories }) =>
        categories.map((c) => [`${id} › ${c.name}`, c.description]),
      ),
    ),
    rules: new Map(
      all.flatMap(({ id, entries }) =>
        entries.map((e) => [`${id} › ${e.category} › ${e.keyword}`, e.content]),
      ),
    ),
  };
}

/** What is missing or changed: `kind name`. */
export function measureLosses(before: Contents, after: Contents): Set<string> {
  return new Set([
    ...[...before.documents.keys()].flatMap((id) => documentLosses(id, before, after)),
    ...changed("task", before.tasks, after.tasks),
    ...changed("scope", before.scopes, after.scopes),
    ...changed("category", before.categories, after.categories),
    ...changed("rule", before.rules, after.rules),
  ]);
}

function documentLosses(id: string, before: Contents, after: Contents): readonly string[] {
  const was = before.documents.get(id);
  const now = after.documents.get(id);
  if (!now) return [`document ${id}`];
  const losses: string[] = [];
  if (now.about !== was?.about) losses.push(`metadata ${id}`);
  if (now.text !== was?.text && !after.unread.has(id)) losses.push(`text ${id}`);
  return losses;
}

function changed(
  kind: string,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  return [...before].flatMap(([name, value]) =>
    after.get(name) === value ? [] : [`${kind} ${name}`],
  );
}

/** In the same format. Originals that were missing before do not count. */
export function reportedLosses(losses: readonly Loss[]) {
  const named = losses.filter(({ kind, name, what }) => {
    const isOld = kind === "original" || (kind === "task" && what.includes("its file is gone"));
    return name !== "unknown" && !isOld && kind !== "log";
  });
  const words = (some: readonly Loss[]) =>
    new Set(some.map(({ kind, name }) => `${kind} ${/\((.*)\)$/.exec(name)?.[1] ?? name}`));
  return { all: words(named), certain: words(named.filter(({ isUncertain }) => !isUncertain)) };
}

export interface Damage {
  readonly name: string;
  apply(dataDir: string): void;
}

const PAGE = 4096;

/** A stream of numbers below one, the same for the same seed. */
function numbers(seed: number): () => number {
  let turn = 0;
  return () => createHash("sha256").update(`${seed}:${turn++}`).digest().readUInt32BE(0) / 2 ** 32;
}

export function damages(seed: number): readonly Damage[] {
  const next = numbers(seed);
  const cut = next();
  return [
    pages(next, 1, "noise"),
    pages(next, 2, "zeros"),
    pages(next, 3, "noise"),
    pages(next, 12, "noise"),
    pages(next, 40, "zeros"),
    runs(next, 1, 64),
    runs(next, 3, 1000),
    runs(next, 8, 4096),
    runs(next, 30, 300),
    {
      name: `cut at ${cut.toFixed(3)}`,
      apply: (dataDir) => {
        const path = join(dataDir, "knowledge.db");
        truncateSync(path, Math.floor(cut * statSync(path).size));
      },
    },
    {
      name: "no header",
      apply: (dataDir) => overwrite(join(dataDir, "knowledge.db"), 0, Buffer.alloc(100)),
    },
    {
      name: "no first page",
      apply: (dataDir) => overwrite(join(dataDir, "knowledge.db"), 0, Buffer.alloc(PAGE)),
    },
  ];
}

function pages(next: () => number, count: number, fill: "noise" | "zeros"): Damage {
  const places = Array.from({ length: count }, next);
  return {
    name: `${count} pages of ${fill} (${places.map((each) => each.toFixed(3)).join(" ")})`,
    apply: (dataDir) => {
      const path = join(dataDir, "knowledge.db");
      const total = Math.floor(statSync(path).size / PAGE);
      for (const place of places) {
        overwrite(path, Math.floor(place * total) * PAGE, page(place, fill));
      }
    },
  };
}

function runs(next: () => number, count: number, length: number): Damage {
  const places = Array.from({ length: count }, next);
  return {
    name: `${count} runs of ${length} bytes (${places.map((each) => each.toFixed(3)).join(" ")})`,
    apply: (dataDir) => {
      const path = join(dataDir, "knowledge.db");
      const { size } = statSync(path);
      for (const place of places) {
        overwrite(path, Math.floor(place * size), page(place, "noise").subarray(0, length));
      }
    },
  };
}

function page(place: number, fill: "noise" | "zeros"): Buffer {
  if (fill === "zeros") return Buffer.alloc(PAGE);
  const next = numbers(place);
  return Buffer.from(Array.from({ length: PAGE }, () => Math.floor(next() * 256)));
}

export function overwrite(path: string, at: number, bytes: Buffer): void {
  const descriptor = openSync(path, "r+");
  writeSync(descriptor, bytes, 0, bytes.length, at);
  closeSync(descriptor);
}

/** A sound data folder, and copies of it to damage. */
export async function soundFolder(name: string) {
  const base = tempFolder(name);
  const sound = join(base, "sound");
  await makeFolder(sound);
  const copies = { made: 0 };
  const copy = (of = sound): string => {
    copies.made += 1;
    const folder = join(base, `copy-${copies.made}`);
    copyFolder(of, folder);
    return folder;
  };
  return { sound, copy };
}

export function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
}

/** Every file below the folder with its content. */
export function fingerprint(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files
      .sort()
      .map((path) => [
        relative(folder, path),
        createHash("sha256").update(readFileSync(path)).digest("hex"),
      ]),
  );
}
