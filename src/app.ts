// The composition root: opens every room once and closes them in reverse. Rooms open on first use, so that a
// server responds to its first request before anything heavy is loaded; only a thread may start ahead.

import { homedir } from "node:os";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import type { Answerer } from "./answer/answer.ts";
import { type LocalModels, openAnswerWithChoice } from "./answer/chosen-model.ts";
import { SERVERS } from "./cli/commands.ts";
import type { Config } from "./config/config.ts";
import { chosenOf } from "./domain/family.ts";
import { loadKbFile } from "./kbfile/kbfile.ts";
import { type Lifetime, openLifetime, threadStuck } from "./lifetime.ts";
import { openAudit } from "./observe/audit.ts";
import type { Log } from "./observe/log.ts";
import { openTracing, type Tracing } from "./observe/tracing.ts";
import { entryUrl, packagePath } from "./shipped.ts";
import type { DataFolder } from "./store/upkeep.ts";
import { type AccessControl, openAccessControl } from "./tools/access-control.ts";
import { answersFamily } from "./tools/answers/family.ts";
import { chatgptFamily } from "./tools/chatgpt/family.ts";
import { type DocumentRooms, documentsFamily } from "./tools/documents/family.ts";
import { documentOperations } from "./tools/documents/operations.ts";
import type { Toolbox } from "./tools/family.ts";
import { fileFamily } from "./tools/file/family.ts";
import type { Operations } from "./tools/operations.ts";
import { sampleOperations } from "./tools/samples.ts";
import { ruleOperations, scopesFamily } from "./tools/scopes/family.ts";
import { openChangeListeners, openToolbox } from "./tools/toolbox.ts";

export interface App extends Toolbox {
  /** Opens the rules, and processes queued tasks in the background, including those that another process left. */
  startWork(): Promise<void>;
  /** Starts accepting searches from other processes of this user. */
  share(): Promise<void>;
  close(): Promise<void>;
}

// With the time that running calls get before it, this stays below the deadline at which the process exits anyway.
// Work that is cut off here was not acknowledged.
const CLOSE_MS = 8_000;
const MEGABYTE = 1024 * 1024;
const LIGHT_DIR = packagePath("models/light");
const SAMPLES_DIR = packagePath("samples/collection/");
const STORE_WORKER = entryUrl("store/sqlite/thread/worker");

/** What a command expects of its first search: it reads once and ends, or a client waits for it. */
const FIRST_SEARCHES = new Map<string, FirstSearch>([
  ["search", { reads: "once", coldStart: "light" }],
  ["hook", { reads: "once", coldStart: "light" }],
  ["answer", { reads: "once" }],
  ["stdio", { reads: "soon", coldStart: "warm" }],
  ["http", { coldStart: "warm" }],
]);

interface FirstSearch {
  readonly reads?: "once" | "soon";
  readonly coldStart?: "light" | "warm";
}

/** What every room may need. */
interface Base {
  readonly config: Config;
  readonly log: Log;
  /** The command that this process runs. */
  readonly command: string;
  readonly lifetime: Lifetime;
  readonly folder: DataFolder;
  readonly access: AccessControl;
  readonly tracing: Tracing;
  /** Documents were stored, replaced or removed. */
  readonly onChange: () => void;
}

export async function openApp(config: Config, log: Log, command = "server"): Promise<App> {
  const lifetime = openLifetime(log, CLOSE_MS);
  const isUsed = config.tools.some((family) => family !== "file");
  const folder = await lifetime.open("data folder", async () => {
    const { openDataFolder } = await import("./store/upkeep.ts");
    return openDataFolder(config, { command, isUsed, workerUrl: STORE_WORKER, log });
  });
  const changes = openChangeListeners();
  const onChange = () => changes.notify({ kind: "resources" });
  const tracing = openTracing();
  const { auditFile, auditFailure: onAuditFailure } = config;
  const access = openAccessControl({ audit: openAudit(auditFile), onAuditFailure, log });
  const kbFile = await loadKbFile({ path: config.kbFile, description: config.kbDescription, log });
  const base: Base = { config, log, command, lifetime, folder, access, tracing, onChange };
  const rooms = openRooms(base);
  const documents = openDocuments(base, rooms);
  const { answers, models } = openAnswers(base, documents);
  const { scopes } = rooms;
  if (SERVERS.has(command) && isUsed) await refuseUnusable(config, documents);
  const { watchFolders, ...running } = runningOf(base, { documents, scopes, answers });
  const toolbox = openToolbox({
    ...base,
    families: [
      fileFamily(kbFile),
      answersFamily(answers),
      documentsFamily(documents),
      scopesFamily({ scopes, notify: changes.notify }),
      chatgptFamily(documents),
    ],
    offered: config.tools,
    operations: {
      ...peopleOperations(log, { documents, scopes, models }),
      ...folder.upkeep,
      watchFolders,
    },
    onChange: changes.listen,
  });
  return { ...toolbox, ...running };
}

interface PeopleRooms extends Pick<Rooms, "scopes"> {
  readonly documents: DocumentRooms;
  readonly models: LocalModels;
}

/** What people do beyond the tools. */
function peopleOperations(log: Log, { documents, scopes, models }: PeopleRooms) {
  const own = documentOperations(documents, log);
  const samples = sampleOperations({ folder: SAMPLES_DIR, documents, scopes, ...own });
  const model = {
    model: models.state,
    findModels: models.find,
    tryModel: models.compare,
    chooseModel: models.choose,
  };
  return { ...ruleOperations(scopes), ...own, ...samples, ...model };
}

type Rooms = ReturnType<typeof openRooms>;

/** The rooms below: the store and the rules, and what both paths do with a text. */
function openRooms({ config, log, command, lifetime: { lazy }, folder, tracing }: Base) {
  const reads = FIRST_SEARCHES.get(command)?.reads;
  const store = lazy("store", () => folder.openStore({ reads }));
  const isLocal =
    config.databaseUrl === undefined && chosenOf("documents", config.tools) !== "none";
  // Its thread takes as long to start as the protocol takes to load, so both happen at once.
  if (reads === "soon" && isLocal) ahead(store, store());
  const scopes = lazy("scopes", async () => {
    const { openScopes } = await import("./scopes/scopes.ts");
    return openScopes({ store: (await store()).scopes, log });
  });
  const extract = lazy("extract", async () => {
    const { openExtract } = await import("./extract/extract.ts");
    const { ocrDataDir: moreDataDir, ocrLanguages: languages } = config;
    return openExtract({
      childUrl: entryUrl("extract/sandbox/child"),
      ocr: { dataDir: packagePath("ocr-data/"), moreDataDir, languages },
      limits: { fileBytes: config.maxFileMb * MEGABYTE },
      log,
    });
  });
  const embed = lazy("embed", async () => {
    const { chooseEmbed } = await import("./embed/embed.ts");
    return chooseEmbed(config, {
      modelDir: packagePath("models/all-MiniLM-L6-v2"),
      lightDir: LIGHT_DIR,
      workerUrl: entryUrl("embed/onnx/worker"),
      traceHeaders: tracing.headers,
      log,
    });
  });
  const analyser = lazy("analyser", async () =>
    (await import("./search/search.ts")).openAnalyser(),
  );
  return { store, scopes, extract, embed, analyser };
}

/** Something whose first work has begun; a failure is reported by the call that needs it. */
function ahead<Room>(room: Room, work: Promise<unknown> | undefined): Room {
  work?.catch(() => undefined);
  return room;
}

/** Only for what waiting cannot change: an unavailable database makes calls fail, not the start. */
async function refuseUnusable({ databaseUrl }: Config, { store }: DocumentRooms): Promise<void> {
  if (databaseUrl === undefined) return;
  const { refusal } = await (await store()).health();
  if (refusal) throw refusal;
}

function openDocuments(base: Base, rooms: Rooms): DocumentRooms {
  const { config, lifetime, access, onChange } = base;
  const { tokenFile } = config;
  return {
    ...rooms,
    ingest: lifetime.lazy("ingest", () => openWriting(base, rooms)),
    search: openReading(base, rooms),
    maxFileMb: config.maxFileMb,
    allowUrls: config.allowUrls,
    topK: config.topK,
    isAudited: config.auditFile !== undefined,
    auditIssue: access.auditIssue,
    tokenFile:
      tokenFile === undefined
        ? undefined
        : async () => (await import("./transports/auth/token-file.ts")).readTokenFile(tokenFile),
    onRemoved: onChange,
  };
}

/** Searches go to a running `http` server of the same knowledge base, so that many clients share one model. */
function openReading(base: Base, { store, embed, analyser }: Rooms): DocumentRooms["search"] {
  const { config, log, command, lifetime, tracing } = base;
  const rerank = lifetime.lazy("rerank", async () => {
    const { openRerank } = await import("./search/search.ts");
    const workerUrl = entryUrl("rerank/worker");
    return openRerank(config, { workerUrl, traceHeaders: tracing.headers, log });
  });
  const local = lifetime.lazy("search", async () => {
    // The store opens its database and the light table is read while the rest is loaded.
    const [documents, port, { openSearch }, words, reranker] = await Promise.all([
      store().then((opened) => ahead(opened.documents, opened.documents.knownKeys([]))),
      embed().then((opened) => ahead(opened, opened.light?.load())),
      import("./search/search.ts"),
      analyser(),
      rerank(),
    ]);
    const coldStart = FIRST_SEARCHES.get(command)?.coldStart ?? "wait";
    return openSearch({
      ...{ store: documents, embed: port, analyser: words, rerank: reranker, coldStart, log },
    });
  });
  // A server that accepts searches from others does not send its own elsewhere.
  if (command === "http" || config.share === "off") return local;
  return lifetime.lazy("shared search", async () => {
    const { identityOf, openSharedSearch } = await import("./search/share/shared-search.ts");
    return openSharedSearch({ identity: identityOf(config, packageJson.version), local, log });
  });
}

async function openWriting(base: Base, { store, extract, embed, analyser }: Rooms) {
  const { config, log, access, onChange } = base;
  const { dataDir, configFile, tokenFile, auditFile, ocrDataDir, modelDir, rerankDir } = config;
  // Closed to every caller, regardless of the roots.
  const own = [
    ...[dataDir, configFile, tokenFile, auditFile, ocrDataDir, modelDir, rerankDir],
    ...[packagePath("models/"), packagePath("ocr-data/")],
  ];
  const { openIngest } = await import("./ingest/ingest.ts");
  const { DEFAULT_CHUNKS } = await import("./chunk/chunk.ts");
  const { openTrash } = await import("./store/core/trash.ts");
  return openIngest({
    store: await store(),
    extract: await extract(),
    embed: await embed(),
    analyser: await analyser(),
    chunks: DEFAULT_CHUNKS,
    roots: config.roots,
    closed: own.filter((path) => path !== undefined),
    home: homedir(),
    workingDirectory: process.cwd(),
    incomingDir: join(dataDir, "incoming"),
    ledgerDir: join(dataDir, "folders"),
    trash: openTrash(join(dataDir, "trash")),
    maxFileBytes: config.maxFileMb * MEGABYTE,
    refine: config.refine,
    web: config.allowUrls ? (await import("./ingest/web/fetch-page.ts")).openWeb() : undefined,
    perform: access.perform,
    allowsChanges: access.allowsChanges,
    onStored: onChange,
    log,
  });
}

function openAnswers({ config, log, lifetime, tracing }: Base, documents: DocumentRooms) {
  const { store, search, embed } = documents;
  // It works on the light encoder's pieces, whichever model makes the vectors.
  const reader = lifetime.lazy("reader", async () => {
    const { openReader } = await import("./answer/reader/reader.ts");
    const { openLightPort } = await import("./embed/light/port.ts");
    const { light = openLightPort(LIGHT_DIR) } = await embed();
    return openReader(packagePath("models/reader"), await light.load());
  });
  const reading = async () => ({
    documents: (await store()).documents,
    reader: await reader().catch((error: unknown) => {
      log.error("answer.no-reader", { error });
      return undefined;
    }),
  });
  return openAnswerWithChoice(config, { search, reading, traceHeaders: tracing.headers, log });
}

interface Running extends Pick<Rooms, "scopes"> {
  readonly documents: DocumentRooms;
  readonly answers: Answerer;
}

/** What the app does beside calls. */
function runningOf({ config, log, lifetime }: Base, { documents, scopes, answers }: Running) {
  const watchFolders: Operations["watchFolders"] = async (folders, onFile) => {
    const ingest = await documents.ingest();
    ingest.start();
    return lifetime.open("folders", () => ingest.watchFolders(folders, onFile));
  };
  return {
    watchFolders,
    startWork: async () => {
      // Opening takes longer than all three steps to a rule.
      if (chosenOf("scopes", config.tools) !== "none") {
        const listing = scopes().then(({ list }) => list());
        ahead(scopes, listing);
      }
      if (chosenOf("documents", config.tools) === "none") return;
      if (config.folders.length > 0) await watchFolders(config.folders);
      else (await documents.ingest()).start();
    },
    share: async () => {
      if (config.share === "off" || !config.tools.includes("documents")) return;
      await lifetime.open("share", async () => {
        const { identityOf, serveSearches } = await import("./search/share/serve-searches.ts");
        const identity = identityOf(config, packageJson.version);
        return serveSearches({ identity, search: documents.search, log });
      });
    },
    close: async () => {
      answers.close();
      if (!(await lifetime.close())) throw threadStuck();
    },
  };
}
