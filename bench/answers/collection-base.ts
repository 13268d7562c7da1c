// Paragraphs as documents of a knowledge base of their own: real store, encoders, chunks and search.
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_CHUNKS, nameText } from "../../src/chunk/chunk.ts";
import type { ExtractedDocument } from "../../src/domain/document.ts";
import { openIndexer } from "../../src/ingest/add/indexer.ts";
import { openAnalyser, openSearch, type Search } from "../../src/search/search.ts";
import type { DocumentStore } from "../../src/store/store.ts";
import { openRooms } from "../support/open-rooms.ts";
import type { Paragraph } from "./collections.ts";

export interface CollectionBase {
  readonly search: Search;
  readonly documents: DocumentStore;
  close(): Promise<void>;
}

/** A paragraph's document id is its number. */
export const idOf = (number: number) => `p${number}`;

export async function openCollectionBase(
  paragraphs: readonly Paragraph[],
): Promise<CollectionBase> {
  const dataDir = await mkdtemp(join(tmpdir(), "answers-"));
  const { store, embed, log, close } = openRooms(dataDir, { workers: 2, withLight: true });
  const analyser = openAnalyser();
  const indexer = openIndexer({ chunks: DEFAULT_CHUNKS, analyser, embed, refine: "before", log });
  const { signal } = new AbortController();
  for (const [number, paragraph] of paragraphs.entries()) {
    const extracted = toExtracted(paragraph);
    const id = idOf(number);
    const filename = `${id}.md`;
    const options = { signal, report: () => {}, name: nameText({ filename }) };
    const chunks = await indexer.index(extracted, options);
    const document = {
      id,
      filename,
      contentHash: createHash("sha256").update(id).update(extracted.text).digest("hex"),
      format: "md" as const,
      sizeBytes: extracted.text.length,
      ...(extracted.title !== undefined && { title: extracted.title }),
      metadata: {},
      extracted,
    };
    await store.documents.put({ ...document, ...indexer.under }, chunks);
  }
  return {
    documents: store.documents,
    search: openSearch({ store: store.documents, embed, analyser, log }),
    async close() {
      await close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Half of the articles have their title as a heading, as files do; the others have none. */
export function toExtracted({ article, title, text }: Paragraph): ExtractedDocument {
  const isEven = (createHash("sha1").update(article).digest()[0] ?? 0) % 2 === 0;
  const heading = title !== "" && isEven ? `# ${title}` : "";
  const start = heading === "" ? 0 : heading.length + 2;
  const whole = heading === "" ? text : `${heading}\n\n${text}`;
  const head = { kind: "heading" as const, start: 0, end: heading.length, place: {}, level: 1 };
  return {
    format: "md",
    method: "text_extraction",
    ...(heading !== "" && { title }),
    text: whole,
    blocks: [
      ...(heading === "" ? [] : [head]),
      { kind: "paragraph", start, end: whole.length, place: {} },
    ],
    pages: [],
    warnings: [],
  };
}
