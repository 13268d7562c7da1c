// When sources are synced: each process looks for those whose time has come, and queues a task that any worker may take.
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { backgroundEvent } from "../../domain/call/audit-event.ts";
import { GENERAL_SCOPE } from "../../domain/call/grants.ts";
import { defined } from "../../domain/defined.ts";
import { isOutage, KnowledgeError, toKnowledgeError } from "../../domain/errors.ts";
import { checkMetadata } from "../../domain/metadata.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import {
  type ItemFailure,
  type Source,
  type SourceDescription,
  type SourceItem,
  type SourceSettings,
  unknownSource,
} from "../../domain/source.ts";
import type { Task } from "../../domain/task.ts";
import type { Store } from "../../store/store.ts";
import type { Ingest, IngestOptions } from "../ingest.ts";
import { openRounds } from "../queue/background.ts";
import { type CallerBounds, type GivenSource, refuseForCallers, toDescription } from "./guess.ts";
import { copyOf } from "./kind.ts";

const LOOK_EVERY_MS = 15_000;
/** If the process dies between taking its turn and queueing the task, another one does it after this time. */
const TURN_MS = 600_000;
/** Schedules differ by up to a tenth, so that many sources do not start at once. */
const JITTER = 0.1;

export interface Sources {
  list(): Promise<readonly Source[]>;
  /** The first items without a document, and why. */
  failures(id: string, most: number): Promise<readonly ItemFailure[]>;
  /**
   * Adds it, or changes the settings of the one with this address. Returns its id. `anywhere`: a person at this machine
   * named the path, so the allowed folders do not apply.
   */
  put(source: GivenSource, from?: "anywhere"): Promise<string>;
  pause(id: string, isPaused: boolean): Promise<void>;
  /** Returns how many documents were removed with it; without `documents` they stay. */
  remove(id: string, documents?: boolean): Promise<number>;
  /** Queues a sync, or returns the one that is queued or running. */
  sync(id: string, signal: AbortSignal, caller?: string): Promise<Task>;
}

export function nextRunOf({ everySeconds }: SourceSettings, now: Date): string | undefined {
  if (everySeconds === undefined) return undefined;
  const factor = 1 + (Math.random() * 2 - 1) * JITTER;
  return new Date(now.getTime() + everySeconds * 1000 * factor).toISOString();
}

type Parts = Pick<
  IngestOptions,
  "store" | "perform" | "log" | "allowsChanges" | "sourcesDir" | "configured"
> &
  CallerBounds &
  Pick<Ingest, "enqueue" | "task">;

export function openSources(parts: Parts) {
  const { store, perform, log } = parts;
  const sync = syncWith(parts);
  const { configured = [] } = parts;
  const left = new Set(configured);
  const round = async (signal: AbortSignal) => {
    if (!(await parts.allowsChanges())) return;
    for (const given of left) {
      await addConfigured(given, parts);
      left.delete(given);
    }
    for (const id of await store.sources.due(new Date().toISOString())) {
      await store.sources.change(id, { nextRun: new Date(Date.now() + TURN_MS).toISOString() });
      await perform(backgroundEvent("source-sync", { source: id }), () => sync(id, signal));
    }
  };
  const onFailure = (error: unknown) => log.warn("ingest.schedule-failed", { error });
  const rounds = openRounds(round, { everyMs: LOOK_EVERY_MS, onFailure });
  return { ...rounds, sources: { ...openChanges(parts), sync } satisfies Sources };
}

/** Rejects only if it is to be tried again. */
async function addConfigured(given: GivenSource, parts: Parts): Promise<void> {
  const { kind = "source" } = given;
  const add = () => openChanges(parts).put(given, "anywhere");
  await parts.perform(backgroundEvent("source-add", { kind }), add).catch((error: unknown) => {
    if (isOutage(toKnowledgeError(error).code)) throw error;
    parts.log.error("ingest.source-refused", { kind, error });
  });
}

function syncWith({ store, task, enqueue }: Parts): Sources["sync"] {
  return async (id, signal, caller) => {
    const source = (await store.sources.list()).find((each) => each.id === id);
    if (!source) throw unknownSource(id);
    if (source.task !== undefined) return task(source.task);
    const from = { kind: "source", id, name: nameOf(source) } as const;
    const { scope } = source.settings;
    const options = { metadata: {}, forceOcr: false, signal, ...defined({ caller, scope }) };
    return (await enqueue(from, options)).task;
  };
}

function openChanges(parts: Parts): Omit<Sources, "sync"> {
  const { store, sourcesDir } = parts;
  const { sources } = store;
  return {
    list: () => sources.list(),
    failures: async (id, most) =>
      (await sources.items(id))
        .flatMap(({ item, failure = "none" }) => (failure === "none" ? [] : [{ item, ...failure }]))
        .slice(0, most),
    put: (given, from) => putSource(given, { ...parts, from }),
    async pause(id, isPaused) {
      if (!(await sources.change(id, { isPaused }))) throw unknownSource(id);
    },
    async remove(id, documents = false) {
      const [items, all] = await Promise.all([sources.items(id), sources.list()]);
      const { scope } = all.find((each) => each.id === id)?.settings ?? {};
      if (!(await sources.remove(id))) throw unknownSource(id);
      await rm(copyOf(sourcesDir, id), { recursive: true, force: true });
      return documents ? removeDocuments(items, store, scope) : 0;
    },
  };
}

async function putSource(
  given: GivenSource,
  { from, ...parts }: Parts & { readonly from: "anywhere" | undefined },
): Promise<string> {
  const { sources } = parts.store;
  const all = await sources.list();
  const isPerson = from === "anywhere" || all.some((each) => isPersons(each, given));
  // What kind it is says what is there, so callers are refused before.
  const address = given.address.trim();
  if (!isPerson && isAbsolute(address)) await refuseForCallers({ address, settings: {} }, parts);
  const described = await toDescription(given);
  checkMetadata(described.settings.metadata ?? {});
  const { id, before } = findPlace(described, all);
  const settings: SourceSettings =
    from === "anywhere"
      ? { ...described.settings, anywhere: true }
      : chosenByCaller(described.settings, before);
  const source = { ...described, settings };
  await refuseForCallers(source, parts);
  if (isDeepStrictEqual(settings, before)) return id;
  const isTimed = settings.everySeconds !== undefined;
  await sources.put(id, source, isTimed ? new Date().toISOString() : undefined);
  return id;
}

/** Only those that still have what the source gave them. */
async function removeDocuments(
  items: readonly SourceItem[],
  { documents }: Store,
  scope = GENERAL_SCOPE,
): Promise<number> {
  let removed = 0;
  for (const { path, contentHash } of items) {
    const found = path === undefined ? undefined : await documents.findByPath(path, scope);
    if (!found || found.contentHash !== contentHash) continue;
    await documents.remove(found.id);
    removed += 1;
  }
  return removed;
}

/**
 * Callers cannot change which hosts may be private. Nor what is read of a person's source: that is read with the
 * server's own rights, and what the person left out would be shown.
 */
function chosenByCaller(
  { anywhere: _, allowHosts: __, ...chosen }: SourceSettings,
  before: SourceSettings | undefined,
): SourceSettings {
  if (!before?.anywhere) return chosen;
  const { everySeconds = before.everySeconds, ...reads } = defined(chosen);
  const settings = defined({ ...before, everySeconds });
  if (isDeepStrictEqual(settings, { ...settings, ...reads })) return settings;
  throw new KnowledgeError("ACCESS_DENIED", toMessage("sourceOfPerson"));
}

function isPersons({ address, settings }: Source, given: GivenSource): boolean {
  const isSame = settings.scope === given.settings.scope && address === given.address.trim();
  return isSame && settings.anywhere === true;
}

/** The same address in the same scope is the same source, whoever adds it again. */
function identityOf({ kind, address, settings: { ref = "", scope = "" } }: SourceDescription) {
  return JSON.stringify([kind, address, ref, scope]);
}

/** Ids are short: if another source has it, by chance or because somebody searched for one, the next is taken. */
function findPlace(described: SourceDescription, all: readonly Source[]) {
  const identity = identityOf(described);
  const same = all.find((each) => identityOf(each) === identity);
  if (same) return { id: same.id, before: same.settings };
  const taken = new Set(all.map(({ id }) => id));
  let id = hashOf(identity);
  while (taken.has(id)) id = hashOf(identity + id);
  return { id, before: undefined };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

function nameOf({ address }: Source): string {
  const [last = address] = address
    .replace(/[/?#]+$/, "")
    .split(/[/\\]/)
    .slice(-1);
  return last;
}
