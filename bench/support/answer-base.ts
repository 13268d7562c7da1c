// A retrieval set in a knowledge base of its own: real store, model, chunks and search, in a temporary folder.
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_CHUNKS, nameText } from "../../src/chunk/chunk.ts";
import type { ExtractedDocument } from "../../src/domain/document.ts";
import { openIndexer } from "../../src/ingest/add/indexer.ts";
import { openAnalyser, openSearch, type Search } from "../../src/search/search.ts";
import type { DocumentStore } from "../../src/store/store.ts";
import { openRooms } from "./open-rooms.ts";

interface CorpusRow {
  readonly _id: string;
  readonly title?: string;
  readonly text: string;
}

export interface AnswerBase {
  readonly search: Search;
  readonly documents: DocumentStore;
  /** A row's document id is the row's own. */
  readonly rows: readonly CorpusRow[];
  close(): Promise<void>;
}

export async function readLines<Row>(path: string): Promise<readonly Row[]> {
  const lines = (await readFile(path, "utf8")).trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Row);
}

export async function openAnswerBase(folder: string): Promise<AnswerBase> {
  const dataDir = await mkdtemp(join(tmpdir(), "answers-"));
  const { store, embed, log, close } = openRooms(dataDir, { workers: 2 });
  const analyser = openAnalyser();
  const indexer = openIndexer({ chunks: DEFAULT_CHUNKS, analyser, embed, refine: "before", log });
  const rows = await readLines<CorpusRow>(join(folder, "corpus.jsonl"));
  const signal = new AbortController().signal;
  for (const row of rows) {
    const extracted = toExtracted(row);
    const name = nameText({ filename: `${row._id}.md` });
    const chunks = await indexer.index(extracted, { signal, report: () => {}, name });
    await store.documents.put({ ...toDocument(row, extracted), ...indexer.under }, chunks);
  }
  return {
    rows,
    documents: store.documents,
    search: openSearch({ store: store.documents, embed, analyser, log }),
    async close() {
      await close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function toDocument({ _id, title }: CorpusRow, extracted: ExtractedDocument) {
  const contentHash = createHash("sha256").update(_id).update(extracted.text).digest("hex");
  return {
    id: _id,
    filename: `${_id}.md`,
    contentHash,
    format: "md" as const,
    sizeBytes: extracted.text.length,
    ...(title !== undefined && { title }),
    metadata: {},
    extracted,
  };
}

function toExtracted({ title, text }: CorpusRow): ExtractedDocument {
  const heading = title ? `# ${title}` : "";
  const start = heading === "" ? 0 : heading.length + 2;
  const whole = heading === "" ? text : `${heading}\n\n${text}`;
  return {
    format: "md",
    method: "text_extraction",
    ...(title !== undefined && { title }),
    text: whole,
    blocks: [
      ...(heading === ""
        ? []
        : [{ kind: "heading" as const, start: 0, end: heading.length, place: {}, level: 1 }]),
      { kind: "paragraph", start, end: whole.length, place: {} },
    ],
    pages: [],
    warnings: [],
  };
}
