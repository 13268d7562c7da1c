// One knowledge base with every tool, resource and operation on it, without threads or models.
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { openAnswer } from "../../src/answer/answer.ts";
import { GENERAL_SCOPE } from "../../src/domain/call/grants.ts";
import { OWNER, type Principal } from "../../src/domain/call/principal.ts";
import { isSeen, type Sight } from "../../src/domain/call/sight.ts";
import { toResources } from "../../src/mcp/resources.ts";
import { openTracing } from "../../src/observe/tracing.ts";
import { openScopes } from "../../src/scopes/scopes.ts";
import { openAnalyser, openSearch, type Search } from "../../src/search/search.ts";
import { readOutcome, readRequest } from "../../src/search/share/messages.ts";
import { toChanges } from "../../src/store/core/copy.ts";
import type { Store } from "../../src/store/store.ts";
import { answersFamily } from "../../src/tools/answers/family.ts";
import { chatgptFamily } from "../../src/tools/chatgpt/family.ts";
import { type DocumentRooms, documentsFamily } from "../../src/tools/documents/family.ts";
import { documentOperations } from "../../src/tools/documents/operations.ts";
import type { Change, Toolbox } from "../../src/tools/family.ts";
import type { Operations } from "../../src/tools/operations.ts";
import { sampleOperations } from "../../src/tools/samples.ts";
import { ruleOperations, scopesFamily } from "../../src/tools/scopes/family.ts";
import { openSights, type Sights } from "../../src/tools/sights.ts";
import { openToolbox } from "../../src/tools/toolbox.ts";
import { testAccess } from "../../test/support/access-control.ts";
import { callContext } from "../../test/support/call-context.ts";
import { someOperations } from "../../test/support/operations.ts";
import { silentLog } from "../../test/support/silent-log.ts";
import { tempIngest } from "../../test/support/temp-ingest.ts";
import type { TempStore } from "../../test/support/temp-store.ts";

export interface Base {
  readonly store: Store;
  readonly dataDir: string;
  readonly toolbox: Toolbox;
  readonly sights: Sights;
  /** Everybody has been notified of what has happened. */
  notified(): Promise<void>;
  readonly resources: ReturnType<typeof toResources>;
  /** A tool's structured result, as the owner. */
  own(name: string, args: unknown): Promise<unknown>;
  close(): Promise<void>;
}

export interface BaseOptions {
  /** May change what callers get of the store, to plant a hole. */
  readonly plant?: ((store: Store) => Store) | undefined;
  /** Searches go to another process and back. */
  readonly isPassedOn?: boolean;
}

export async function openBase(temp: TempStore, options: BaseOptions = {}): Promise<Base> {
  const { plant = (store) => store, isPassedOn = false } = options;
  const store = plant(temp.store);
  const listeners = new Set<(change: Change) => void>();
  const notify = (change: Change) => {
    for (const listener of listeners) listener(change);
  };
  const onRemoved: DocumentRooms["onRemoved"] = (scopes) =>
    notify({ kind: "resources", ...(scopes && { scopes }) });
  const onStored = (_id: string, scope: string) => onRemoved([scope]);
  const at = await tempIngest({ temp: { ...temp, store }, onStored });
  const log = silentLog();
  const { embed } = at;
  const here = openSearch({ store: store.documents, embed, analyser: openAnalyser(), log });
  const search = isPassedOn ? passedOn(here) : here;
  const scopes = openScopes({ store: store.scopes, log });
  const sights = openSights(async () => scopes);
  const rooms: DocumentRooms = {
    sights,
    store: async () => store,
    ingest: async () => at.ingest,
    search: async () => search,
    embed: async () => embed,
    extract: async () => at.extract,
    maxFileMb: 1,
    allowUrls: false,
    topK: 10,
    isAudited: false,
    auditIssue: testAccess().auditIssue,
    checksFile: "",
    shown: { note: () => {}, start: () => async () => {} },
    onRemoved,
  };
  const answerer = openAnswer(
    { answer: "local", answerTimeoutSeconds: 60, awsRegion: "" },
    { search: rooms.search, reading: async () => ({ documents: store.documents }), log },
  );
  const ofDocuments = documentOperations(rooms, log);
  const operationsOf = (who: Principal): Operations => {
    const own = { ...someOperations(), ...ruleOperations(sights.scopes, who), ...ofDocuments(who) };
    const samples = { folder: "", documents: rooms, who, addFile: own.addFile };
    return { ...own, ...sampleOperations(samples) };
  };
  const looking = openLooking(sights);
  const toolbox = openToolbox({
    families: [
      answersFamily(answerer, rooms),
      documentsFamily(rooms),
      scopesFamily({ scopes: sights.scopes, notify }),
      chatgptFamily(rooms),
    ],
    offered: ["answers", "documents", "scopes", "chatgpt"],
    operations: operationsOf,
    sights: { ...sights, of: looking.of },
    access: testAccess(),
    tracing: openTracing(),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    log,
  });
  return {
    store: temp.store,
    dataDir: temp.dataDir,
    toolbox,
    sights,
    notified: looking.ended,
    resources: toResources(toolbox),
    async own(name, args) {
      const tool = toolbox.tool(name);
      if (!tool) throw new Error(`no tool ${name}`);
      const { structured, payload } = await toolbox.run(
        tool,
        args,
        callContext({ principal: OWNER }),
      );
      return structured ?? payload;
    },
    async close() {
      scopes.close();
      await at.dispose();
    },
  };
}

/** Knows when nobody's rights are being looked at any more. */
function openLooking({ of }: Sights) {
  const running = new Set<Promise<unknown>>();
  return {
    of(...args: Parameters<Sights["of"]>) {
      const looked = of(...args);
      running.add(looked);
      const end = () => running.delete(looked);
      looked.then(end, end);
      return looked;
    },
    async ended() {
      while (running.size > 0) await Promise.allSettled([...running]);
    },
  };
}

/** As a server searches for another process of its user. */
function passedOn({ search }: Search): Pick<Search, "search"> & Search {
  return {
    async search(request, signal) {
      const found = await search(readRequest(JSON.stringify(request)), signal);
      const outcome = readOutcome(JSON.stringify(found), request);
      if (outcome === undefined) throw new Error("not an outcome");
      return outcome;
    },
  };
}

/** What a caller with this sight may see of one base, in another one that holds nothing else. */
export async function copySeen(from: Base, to: Base, sight: Sight | undefined): Promise<void> {
  const changes = (await from.store.scopes.all())
    .filter(({ id }) => isSeen(id, sight))
    .flatMap(toChanges);
  if (changes.length > 0) await to.store.scopes.apply(changes);
  const seen = sight ? from.store.seenBy(sight) : from.store;
  const page = { limit: 1000, offset: 0, sortBy: "date_added", sortOrder: "asc" } as const;
  const { documents } = await from.store.documents.list(page);
  // In the order of their chunks, which decides among equals: a document that is indexed again comes last.
  const keyOf = async ({ id }: { readonly id: string }) =>
    (await from.store.documents.chunksOf(id))[0]?.key ?? 0;
  const keys = new Map(
    await Promise.all(documents.map(async (each) => [each, await keyOf(each)] as const)),
  );
  const ordered = documents.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
  for (const { id, scope = "general", contentHash } of ordered) {
    if (!isSeen(scope, sight)) continue;
    const whole = await from.store.documents.whole(id);
    if (whole) await to.store.documents.put(whole.document, whole.chunks);
    const original = await from.store.originals.open(contentHash);
    const own = join(to.dataDir, contentHash);
    await copyFile(original.path, own);
    await to.store.originals.keep(contentHash, own);
    await original.release();
  }
  for (const { id, nextRun, isPaused, ...source } of await from.store.sources.list()) {
    if (!isSeen(source.settings.scope ?? GENERAL_SCOPE, sight)) continue;
    await to.store.sources.put(id, source, nextRun);
    if (isPaused) await to.store.sources.change(id, { isPaused });
    await to.store.sources.restore(id, await from.store.sources.items(id));
  }
  const tasks = await seen.tasks.list({ limit: 1000, open: true });
  for (const { id, request } of tasks.toReversed()) await to.store.tasks.enqueue(id, request);
}
