// A retrieval set as a knowledge base: chunked, analysed, embedded and stored the way documents are.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ChunkOptions, chunk, searchText } from "../../src/chunk/chunk.ts";
import type { ExtractedDocument } from "../../src/domain/document.ts";
import type { Embed } from "../../src/embed/embed.ts";
import { openLog } from "../../src/observe/log.ts";
import { openAnalyser, openSearch, openSynonyms, type Search } from "../../src/search/search.ts";
import { openPostgres } from "../../src/store/postgres/postgres.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import type { DocumentStore, IndexedChunk } from "../../src/store/store.ts";
import type { RetrievalSet } from "./retrieval-set.ts";

export interface Base {
  readonly store: DocumentStore;
  readonly search: Search;
  readonly chunkCount: number;
  /** A chunk's document, by key. */
  readonly nameOf: ReadonlyMap<number, string>;
  /** What is embedded of a chunk, by key. */
  readonly textOf: ReadonlyMap<number, string>;
  close(): Promise<void>;
}

const log = openLog({ level: "error" });
const LIST = new URL("../../models/synonyms/synonyms.txt.br", import.meta.url);
const synonyms = openSynonyms(fileURLToPath(LIST), log);

export interface BaseOptions {
  readonly size: ChunkOptions;
  /** PostgreSQL instead of SQLite. */
  readonly databaseUrl?: string | undefined;
  /** What is stored instead of a chunk; undefined leaves it out. */
  readonly change?: (chunk: IndexedChunk, document: string) => IndexedChunk | undefined;
}

export async function openBase(
  set: RetrievalSet,
  embed: Embed,
  { size, databaseUrl, change = (chunk) => chunk }: BaseOptions,
): Promise<Base> {
  const dataDir = mkdtempSync(join(tmpdir(), "knowledge-retrieval-"));
  const workerUrl = new URL("../../src/store/sqlite/thread/worker.ts", import.meta.url);
  const store = databaseUrl
    ? openPostgres({ url: databaseUrl, base: dataDir, log })
    : openSqlite({ dataDir, workerUrl, log });
  const analyser = openAnalyser();
  const nameOf = new Map<number, string>();
  const textOf = new Map<number, string>();
  for (const { id, title, text } of set.corpus) {
    const document = { ...plain(text), ...(title !== "" && { title }) };
    const chunks = chunk(document, size);
    const texts = chunks.map((each) => searchText(each, document));
    const vectors = await refined(embed, texts);
    const titled = texts.map((each) => `${each}\n${title}`);
    const hash = createHash("sha256").update(id).digest("hex");
    await store.documents.put(
      {
        id: hash.slice(0, 32),
        filename: id,
        contentHash: hash,
        format: "txt",
        sizeBytes: text.length,
        metadata: {},
        extracted: document,
        fingerprint: `${embed.fingerprint}+bench`,
        ...(title !== "" && { title }),
      },
      chunks.flatMap((each, at) => {
        const vector = vectors[at];
        const terms = analyser.terms(titled[at] ?? "");
        return change({ ...each, terms, ...(vector && { vector }) }, id) ?? [];
      }),
    );
    for (const [at, { key }] of (await store.documents.chunksOf(hash.slice(0, 32))).entries()) {
      nameOf.set(key, id);
      textOf.set(key, texts[at] ?? "");
    }
  }
  return {
    store: store.documents,
    search: openSearch({ store: store.documents, embed, analyser, synonyms, log }),
    chunkCount: nameOf.size,
    nameOf,
    textOf,
    async close() {
      if (databaseUrl) await store.documents.clear();
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** As they are once the model has replaced the light vectors of what it reads. */
async function refined(embed: Embed, texts: readonly string[]): Promise<readonly Float32Array[]> {
  const light = await embed.light?.load();
  if (light === undefined) return embed.passages(texts);
  const read = texts.filter((text) => light.encoderFor(text) === "model");
  const vectors = new Map((await embed.passages(read)).map((vector, at) => [read[at], vector]));
  return texts.map((text) => vectors.get(text) ?? light.encode(text));
}

function plain(text: string): ExtractedDocument {
  return { format: "txt", method: "text_extraction", text, blocks: [], pages: [], warnings: [] };
}
