// Opens the rooms that documents go through: extract, embed, search, ingest, watched folders.
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Config } from "./config/config.ts";
import type { Embed } from "./embed/embed.ts";
import type { Extract } from "./extract/extract.ts";
import type { FileChange, Folders, WatchedFolder } from "./ingest/folders/folders.ts";
import type { Ingest } from "./ingest/ingest.ts";
import { type Lazy, type OpenLazily, packageUrl } from "./lazy.ts";
import type { Log } from "./observe/log.ts";
import type { Tracing } from "./observe/tracing.ts";
import { openEmbedder, openExtractor, openReranker, WORKERS } from "./reading-rooms.ts";
import type { Search } from "./search/search.ts";
import { shareSearch } from "./share.ts";
import type { Store } from "./store/store.ts";
import type { Analyser } from "./text/analyse.ts";
import type { AccessControl } from "./tools/access-control.ts";
import type { DocumentRooms } from "./tools/documents/family.ts";

export interface DocumentParts {
  readonly lazy: OpenLazily;
  readonly store: Lazy<Store>;
  readonly access: AccessControl;
  readonly log: Log;
  readonly tracing: Tracing;
  /** The command that this process runs. */
  readonly command: string;
  /** Documents were stored, replaced or removed. */
  readonly onChange: () => void;
}

const MEGABYTE = 1024 * 1024;
const COLD_STARTS: Readonly<Record<string, "warm" | "light">> = {
  stdio: "warm",
  http: "warm",
  search: "light",
};

export function openDocuments(config: Config, parts: DocumentParts): DocumentRooms {
  const { lazy, store, access, log, onChange, command } = parts;
  const reading: ReadingRooms = {
    extract: lazy("extract", () => openExtractor(config, log)),
    embed: lazy("embed", () => openEmbedder(config, parts)),
    analyser: lazy("analyser", async () => {
      const { openAnalyser } = await import("./search/search.ts");
      return openAnalyser();
    }),
  };
  const local = lazy("search", () => openLocalSearch(config, parts, reading));
  // A server that accepts searches from others does not send its own elsewhere.
  const search =
    command === "http" ? local : lazy("shared search", shareSearch(config, local, log));
  return {
    store,
    ingest: lazy("ingest", () => openWriting(config, parts, reading)),
    search,
    embed: reading.embed,
    extract: reading.extract,
    chunkSize: async () => (await import("./chunk/chunk.ts")).DEFAULT_CHUNKS.size,
    maxFileMb: config.maxFileMb,
    allowUrls: config.allowUrls,
    topK: config.topK,
    folders: async () => {
      const { summariseFolders } = await import("./ingest/folders/folders.ts");
      return summariseFolders(ledgerDirOf(config));
    },
    isAudited: config.auditFile !== undefined,
    auditIssue: access.auditIssue,
    onRemoved: onChange,
  };
}

/** What both paths do with a text: the write path for documents, the read path for questions. */
interface ReadingRooms {
  readonly extract: Lazy<Extract>;
  readonly embed: Lazy<Embed>;
  readonly analyser: Lazy<Analyser>;
}

async function openLocalSearch(
  config: Config,
  { lazy, store, command, log, tracing }: DocumentParts,
  { embed, analyser }: ReadingRooms,
): Promise<Search> {
  // The store opens its database and the light table is read while the rest is loaded.
  const [{ documents }, port, { openSearch }, words] = await Promise.all([
    store().then(openAhead),
    embed().then(loadAhead),
    import("./search/search.ts"),
    analyser(),
  ]);
  const parts = { store: documents, embed: port, analyser: words, log };
  const coldStart = COLD_STARTS[command] ?? "wait";
  return openSearch({
    ...parts,
    coldStart,
    ...(await openReranker(config, { lazy, tracing, log })),
  });
}

/** Warms up with a cheap query. A failure here is reported by the real search. */
function openAhead(store: Store): Store {
  store.documents.knownKeys([]).catch(() => undefined);
  return store;
}

function loadAhead(embed: Embed): Embed {
  embed.light?.load().catch(() => undefined);
  return embed;
}

async function openWriting(
  config: Config,
  { store, access, log, onChange }: DocumentParts,
  { extract, embed, analyser }: ReadingRooms,
): Promise<Ingest> {
  const [{ openIngest }, { DEFAULT_CHUNKS }, { openTrash }] = await Promise.all([
    import("./ingest/ingest.ts"),
    import("./chunk/chunk.ts"),
    import("./store/core/trash.ts"),
  ]);
  // The embedded store creates its folder with its database.
  if (config.databaseUrl !== undefined) {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  }
  return openIngest({
    store: await store(),
    extract: await extract(),
    embed: await embed(),
    analyser: await analyser(),
    chunks: DEFAULT_CHUNKS,
    roots: config.roots,
    closed: ownPaths(config),
    home: homedir(),
    workingDirectory: process.cwd(),
    incomingDir: join(config.dataDir, "incoming"),
    trash: openTrash(join(config.dataDir, "trash")),
    maxFileBytes: config.maxFileMb * MEGABYTE,
    concurrency: WORKERS,
    refine: config.refine,
    web: config.allowUrls ? await openPublicWeb() : undefined,
    perform: access.perform,
    allowsChanges: access.allowsChanges,
    onStored: onChange,
    log,
  });
}

export interface WatchParts extends Pick<DocumentParts, "access" | "log"> {
  readonly documents: DocumentRooms;
  readonly folders: readonly WatchedFolder[];
  readonly onFile?: ((change: FileChange) => void) | undefined;
}

export async function openWatch(config: Config, parts: WatchParts): Promise<Folders> {
  const { documents, folders, access, log, onFile } = parts;
  const { openFolders } = await import("./ingest/folders/folders.ts");
  const [store, ingest] = [await documents.store(), await documents.ingest()];
  const ledgerDir = ledgerDirOf(config);
  const { perform } = access;
  const rooms = { documents: store.documents, ingest };
  return openFolders({ folders, ledgerDir, ...rooms, perform, log, onFile });
}

/** Closed to every caller, regardless of the roots. */
function ownPaths(config: Config): readonly string[] {
  const { dataDir, configFile, tokenFile, auditFile, ocrDataDir, modelDir, rerankDir } = config;
  const shipped = ["models/", "ocr-data/"].map((path) => fileURLToPath(packageUrl(path)));
  const set = [dataDir, configFile, tokenFile, auditFile, ocrDataDir, modelDir, rerankDir];
  return [...set.flatMap((path) => (path === undefined ? [] : [resolve(path)])), ...shipped];
}

async function openPublicWeb() {
  const { openWeb } = await import("./ingest/web/open-web.ts");
  return openWeb();
}

const ledgerDirOf = (config: Config) => join(config.dataDir, "folders");
