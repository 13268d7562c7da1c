// The composition root: opens every room once and closes them in reverse. Rooms open on first use, so that a
// server responds to its first request before anything heavy is loaded; only a thread may start ahead.

import { homedir } from "node:os";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import type { Answerer } from "./answer/answer.ts";
import { type LocalModels, openAnswerWithChoice } from "./answer/chosen-model.ts";
import { SERVERS } from "./cli/commands.ts";
import type { Config } from "./config/config.ts";
import type { Principal } from "./domain/call/principal.ts";
import { CHECKS_FILE } from "./domain/checks-file.ts";
import { defined } from "./domain/defined.ts";
import { chosenOf } from "./domain/family.ts";
import type { EmbedParts } from "./embed/embed.ts";
import { loadKbFile } from "./kbfile/kbfile.ts";
import { type Lifetime, openLifetime, threadStuck } from "./lifetime.ts";
import { openAudit } from "./observe/audit.ts";
import type { Log } from "./observe/log.ts";
import { openTracing, type Tracing } from "./observe/tracing.ts";
import { entryUrl, packagePath } from "./shipped.ts";
import type { DataFolder } from "./store/data-folder.ts";
import { accessOperations } from "./tools/access/operations.ts";
import { type AccessControl, openAccessControl } from "./tools/access-control.ts";
import { answersFamily } from "./tools/answers/family.ts";
import { chatgptFamily } from "./tools/chatgpt/family.ts";
import { type DocumentRooms, documentsFamily } from "./tools/documents/family.ts";
import { documentOperations } from "./tools/documents/operations.ts";
import { openShownCounts } from "./tools/documents/shown-counts.ts";
import type { Toolbox } from "./tools/family.ts";
import { fileFamily } from "./tools/file/family.ts";
import type { Operations } from "./tools/operations.ts";
import { sampleOperations } from "./tools/samples.ts";
import { ruleOperations, scopesFamily } from "./tools/scopes/family.ts";
import { expectScopes, openSights } from "./tools/sights.ts";
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
const SYNONYMS = packagePath("models/synonyms/synonyms.txt.br");
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
  /** Documents of these scopes, or of any, were stored, replaced, moved or removed. */
  readonly onChange: (scopes?: readonly string[]) => void;
}

export async function openApp(config: Config, log: Log, command = "server"): Promise<App> {
  const lifetime = openLifetime(log, CLOSE_MS);
  const isUsed = config.tools.some((family) => family !== "file");
  const folder = await lifetime.open("data folder", async () => {
    const { openDataFolder } = await import("./store/data-folder.ts");
    return openDataFolder(config, { command, isUsed, workerUrl: STORE_WORKER, log });
  });
  const changes = openChangeListeners();
  const onChange: Base["onChange"] = (scopes) =>
    changes.notify({ kind: "resources", ...defined({ scopes }) });
  const audit = openAudit(config.auditFile);
  const access = openAccessControl({ audit, onAuditFailure: config.auditFailure, log });
  const kbFile = await loadKbFile({ path: config.kbFile, description: config.kbDescription, log });
  const tracing = openTracing();
  const base: Base = { config, log, command, lifetime, folder, access, tracing, onChange };
  const rooms = openRooms(base);
  const { scopes } = rooms;
  const { documents, share } = openDocuments(base, rooms);
  const { answers, models } = openAnswers(base, documents);
  const { sights } = documents;
  if (SERVERS.has(command) && isUsed) await refuseUnusable(config, documents);
  const { operations: own, ...running } = runningOf(base, { documents, scopes, answers, share });
  const toolbox = openToolbox({
    ...base,
    families: [
      fileFamily(kbFile),
      answersFamily(answers, documents),
      documentsFamily(documents),
      scopesFamily({ scopes: sights.scopes, notify: changes.notify }),
      chatgptFamily(documents),
    ],
    offered: config.tools,
    sights,
    operations: operationsOf(base, documents, { ...own, ...models }),
    onChange: changes.listen,
  });
  return { ...toolbox, ...running };
}

type Own = Pick<Operations, "watchFolders" | keyof LocalModels> &
  ReturnType<typeof modelOperations>;

/** What people do beside the tools, each as far as they may. */
function operationsOf({ config, folder, log }: Base, documents: DocumentRooms, own: Own) {
  const ofDocuments = documentOperations(documents, log);
  const { scopes } = documents.sights;
  return (who: Principal): Operations => {
    const { addFile, ...others } = ofDocuments(who);
    return {
      ...{ ...ruleOperations(scopes, who), ...others, addFile },
      ...accessOperations(scopes, tokenFileOf(config), who),
      ...sampleOperations({ folder: SAMPLES_DIR, documents, who, addFile }),
      ...{ ...folder.upkeep, ...own },
    };
  };
}

function tokenFileOf({ tokenFile }: Config) {
  if (tokenFile === undefined) return undefined;
  return async () => {
    const { openTokenFile } = await import("./transports/auth/edit-token-file.ts");
    return openTokenFile(tokenFile);
  };
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
    const {
      dataDir,
      ocrDataDir: moreDataDir = join(dataDir, "ocr"),
      ocrLanguages: languages,
    } = config;
    return openExtract({
      childUrl: entryUrl("extract/sandbox/child"),
      ocr: { dataDir: packagePath("ocr-data/"), moreDataDir, languages },
      limits: { fileBytes: config.maxFileMb * MEGABYTE },
      log,
    });
  });
  const embed = lazy("embed", async () => {
    const { chooseEmbed } = await import("./embed/embed.ts");
    const { readChosenModel } = await import("./models/installed.ts");
    const chosen = await readChosenModel(config.dataDir, "embedding");
    return chooseEmbed(config, embedParts(tracing, log), chosen);
  });
  const analyser = lazy("analyser", async () =>
    (await import("./search/search.ts")).openAnalyser(),
  );
  return { store, scopes, extract, embed, analyser };
}

const embedParts = ({ headers: traceHeaders }: Tracing, log: Log): EmbedParts => ({
  modelDir: packagePath("models/all-MiniLM-L6-v2"),
  lightDir: LIGHT_DIR,
  workerUrl: entryUrl("embed/onnx/worker"),
  traceHeaders,
  log,
});

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

function openDocuments(base: Base, rooms: Rooms) {
  const { config, log, lifetime, access, onChange } = base;
  const { tokenFile } = config;
  const { search, share } = openReading(base, rooms);
  const documents: DocumentRooms = {
    ...rooms,
    sights: openSights(rooms.scopes),
    ingest: lifetime.lazy("ingest", () => openWriting(base, rooms)),
    search,
    maxFileMb: config.maxFileMb,
    allowUrls: config.allowUrls,
    topK: config.topK,
    checksFile: join(config.dataDir, CHECKS_FILE),
    isAudited: config.auditFile !== undefined,
    auditIssue: access.auditIssue,
    tokenFile:
      tokenFile === undefined
        ? undefined
        : async () => (await import("./transports/auth/token-file.ts")).readTokenFile(tokenFile),
    shown: openShownCounts(rooms.store, log),
    onRemoved: onChange,
  };
  return { documents, share };
}

/** Models that a person fetches and chooses, and what they need to be tried. */
function modelOperations({ config, log, tracing }: Base, { store }: Pick<Rooms, "store">) {
  const open = async () => {
    const { openModels } = await import("./models/models.ts");
    const embed = embedParts(tracing, log);
    const hasVectorsOf = async (model: string) => (await store()).documents.hasVectorsOf(model);
    return openModels({ config, embed, hasVectorsOf });
  };
  return {
    models: async () => (await open()).list(),
    checkModels: async (name) => (await open()).check(name),
    changeModel: async (change, watch) => (await open()).change(change, watch),
  } satisfies Partial<Operations>;
}

interface Reading extends Pick<DocumentRooms, "search"> {
  readonly share: () => Promise<void>;
}

/** Searches go to a running server of the same knowledge base, so that many clients share one model. */
function openReading(base: Base, { store, embed, analyser }: Rooms): Reading {
  const { config, log, command, lifetime, tracing } = base;
  const rerank = lifetime.lazy("rerank", () => openChosenRerank(base));
  const others = lifetime.lazy("other models", async () => {
    const { openOtherModels } = await import("./models/other-models.ts");
    const [{ documents }, own] = await Promise.all([store(), embed()]);
    const { dataDir } = config;
    return openOtherModels({ dataDir, own, documents, embed: embedParts(tracing, log) });
  });
  const local = lifetime.lazy("search", async () => {
    // The store opens its database and the light table is read while the rest is loaded.
    const [documents, port, { openSearch, openSynonyms }, words, reranker] = await Promise.all([
      store().then((opened) => ahead(opened.documents, opened.documents.knownKeys([]))),
      embed().then((opened) => ahead(opened, opened.light?.load())),
      import("./search/search.ts"),
      analyser(),
      rerank(),
    ]);
    const coldStart = FIRST_SEARCHES.get(command)?.coldStart ?? "wait";
    return openSearch({
      ...{ store: documents, embed: port, analyser: words, rerank: reranker, coldStart, log },
      others: async () => (await others()).needed(),
      synonyms: openSynonyms(SYNONYMS, log),
    });
  });
  if (config.share === "off") return { search: local, share: async () => {} };
  const shared = lifetime.lazy("shared search", async () => {
    const { identityOf, openSharedSearch } = await import("./search/share/shared-search.ts");
    return openSharedSearch({ identity: identityOf(config, packageJson.version), local, log });
  });
  return {
    // A server for many callers does not send its own searches elsewhere.
    search: command === "http" ? local : shared,
    share: async () => {
      if (!config.tools.includes("documents")) return;
      // Opened now, because whoever asks has no time to wait for it.
      if (await (await shared()).serve()) ahead(local, local());
    },
  };
}

async function openChosenRerank({ config, log, tracing }: Base) {
  const { openRerank } = await import("./search/search.ts");
  const { readChosenModel } = await import("./models/installed.ts");
  const chosen = await readChosenModel(config.dataDir, "reranker");
  return openRerank(config, embedParts(tracing, log), chosen?.folder);
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
    ...{ store: await store(), extract: await extract() },
    embed: await embed(),
    analyser: await analyser(),
    chunks: DEFAULT_CHUNKS,
    roots: config.roots,
    closed: own.filter((path) => path !== undefined),
    ...{ home: homedir(), workingDirectory: process.cwd() },
    incomingDir: join(dataDir, "incoming"),
    watchLocksDir: join(dataDir, "folders"),
    sourcesDir: join(dataDir, "sources"),
    s3: { region: config.awsRegion, endpoint: config.s3Endpoint },
    configured: config.sources,
    trash: openTrash(join(dataDir, "trash")),
    ...{ maxFileBytes: config.maxFileMb * MEGABYTE, refine: config.refine },
    web: config.allowUrls ? (await import("./ingest/web/fetch-page.ts")).openWeb() : undefined,
    perform: access.perform,
    isCurrent: await (await import("./models/installed.ts")).openIsCurrent(dataDir),
    allowsChanges: access.allowsChanges,
    onStored: (_id, scope) => onChange([scope]),
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

interface Running extends Pick<Rooms, "scopes">, Pick<Reading, "share"> {
  readonly documents: DocumentRooms;
  readonly answers: Answerer;
}

/** What the app does beside calls. */
function runningOf(base: Base, { documents, scopes, answers, share }: Running) {
  const { config, lifetime } = base;
  const watchFolders: Operations["watchFolders"] = async (folders, onFile) => {
    await expectScopes(documents.sights, folders);
    const ingest = await documents.ingest();
    ingest.start();
    return lifetime.open("folders", () => ingest.watchFolders(folders, onFile));
  };
  return {
    operations: { watchFolders, ...modelOperations(base, documents) },
    startWork: async () => {
      // Opening takes longer than all three steps to a rule.
      if (chosenOf("scopes", config.tools) !== "none") {
        const listing = scopes().then(({ list }) => list());
        ahead(scopes, listing);
      }
      if (chosenOf("documents", config.tools) === "none") return;
      const placed = config.sources.map(({ settings }) => settings);
      await expectScopes(documents.sights, placed);
      if (config.folders.length > 0) await watchFolders(config.folders);
      else (await documents.ingest()).start();
      lifetime.keep("shown counts", documents.shown.start());
    },
    share,
    close: async () => {
      answers.close();
      if (!(await lifetime.close())) throw threadStuck();
    },
  };
}
