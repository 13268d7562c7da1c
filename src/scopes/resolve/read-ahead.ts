// Reads all scopes ahead in the background. An agent asks only once per process, so its first lookup is the one that
// matters.
import type { UntilIdle } from "../../domain/call/until-idle.ts";
import type { ScopeStore } from "../../store/store.ts";
import type { LayerCache } from "./layer-cache.ts";

export interface ReadAhead {
  readonly store: ScopeStore;
  /** Returns the cache for a version of the store. */
  readonly at: (version: number) => LayerCache;
  /** Resolves a scope that was read ahead, with its ancestors. */
  readonly resolve: (id: string, from: LayerCache) => void;
  readonly untilIdle: UntilIdle;
  readonly signal: AbortSignal;
}

/** If rules change this often while they are being read ahead, they are read on request instead. */
const MOST_STARTS = 3;

export async function readAhead(parts: ReadAhead): Promise<void> {
  for (let starts = 0; starts < MOST_STARTS; starts++) {
    if (await readAll(parts, parts.at(await parts.store.version()))) return;
  }
}

/**
 * Returns false if the rules changed before all were read. A page is kept under the version that
 * was requested before it was read: its content has that version or a newer one, which drops it. It
 * never gets into the cache of a later version.
 */
async function readAll(parts: ReadAhead, into: LayerCache): Promise<boolean> {
  const { store, untilIdle, signal } = parts;
  const parents = new Set<string>();
  let from: number | undefined = 0;
  while (from !== undefined) {
    await untilIdle();
    if (signal.aborted) return true;
    if ((await store.version()) !== into.version) return false;
    const page = await store.packed(from);
    if (!page.scopes.every(into.keepPacked)) return true;
    for (const { parent } of page.scopes) if (parent !== undefined) parents.add(parent);
    from = page.next;
  }
  await resolveParents(parts, parents, into);
  return true;
}

/**
 * Few scopes have others below them, and every lookup needs those few, so they are resolved now.
 * Then the first call only unpacks its own scope.
 */
async function resolveParents(
  { untilIdle, signal, resolve }: ReadAhead,
  parents: Iterable<string>,
  from: LayerCache,
): Promise<void> {
  for (const id of parents) {
    await untilIdle();
    if (signal.aborted || !from.hasRoom()) return;
    resolve(id, from);
  }
}
