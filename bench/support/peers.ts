// Other servers of the kind, started as their own documentation says. They are installed elsewhere, never in the project:
// npm install --ignore-scripts --prefix FOLDER mcp-local-rag
import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { openStdio, type Program, type Session } from "./stdio-session.ts";

export interface Peer {
  readonly name: string;
  readonly program: Program;
  search(session: Session, question: string): Promise<unknown>;
}

interface PeerPlaces {
  /** With the node_modules that hold it. */
  readonly installed: string;
  /** The documents that it adds. */
  readonly docs: string;
  /** A folder of its own. */
  readonly folder: string;
  /** The embedding model's files. */
  readonly modelDir: string;
  /** The weights among them. */
  readonly dtype: "q8" | "fp32";
}

/** mcp-local-rag with its default model; by default it takes the fp32 weights. */
export async function openLocalRag(places: PeerPlaces): Promise<Peer | undefined> {
  const { installed, docs, folder, modelDir, dtype } = places;
  const main = join(installed, "node_modules", "mcp-local-rag", "dist", "index.js");
  if (!existsSync(main)) return undefined;
  const cache = join(folder, "models");
  mkdirSync(join(cache, "Xenova"), { recursive: true });
  cpSync(modelDir, join(cache, "Xenova", "all-MiniLM-L6-v2"), { recursive: true });
  const program = {
    args: [main],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      BASE_DIR: docs,
      DB_PATH: join(folder, "db"),
      CACHE_DIR: cache,
      RAG_DTYPE: dtype,
    },
  };
  const session = await openStdio(program);
  for (const name of readdirSync(docs)) {
    await session.tool("ingest_file", { filePath: join(docs, name) });
  }
  await session.end();
  const search = (open: Session, query: string) => open.tool("query_documents", { query });
  return { name: "mcp-local-rag", program, search };
}
