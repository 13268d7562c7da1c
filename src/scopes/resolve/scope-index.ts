// Resolved scopes in memory, built on first request and dropped when the store's version changes.
import { KnowledgeError } from "../../domain/errors.ts";
import type { ScopeStore, ScopeSummary } from "../../store/store.ts";
import { nearest } from "../../text/nearest.ts";
import { toName } from "../names.ts";
import { type Layer, toLayer } from "./layer.ts";
import { type LayerCache, openLayerCache } from "./layer-cache.ts";
import { type ResolvedScope, resolve } from "./resolve.ts";

export interface ScopeIndex {
  /** Throws SCOPE_NOT_FOUND. Returns at once, without a promise, when the scope is in memory. */
  get(id: string): ResolvedScope | Promise<ResolvedScope>;
  list(): Promise<readonly ScopeSummary[]>;
  /** The error for an id that does not exist, with the most similar existing ids. */
  unknown(id: string): Promise<KnowledgeError>;
  /** The first ids, listed in a sentence. */
  known(): Promise<string>;
  memory(): { readonly scopes: number; readonly bytes: number };
}

export function openScopeIndex(store: ScopeStore, budgetBytes: number): ScopeIndex {
  let cache = openLayerCache(-1, budgetBytes);
  // Many agents that start together request the same scope; it is read once.
  let building = new Map<string, Promise<ResolvedScope>>();
  const list = openList(store);

  const at = (version: number): LayerCache => {
    if (cache.version !== version) {
      cache = openLayerCache(version, budgetBytes);
      building = new Map();
    }
    return cache;
  };
  const unknown = async (id: string) => unknownScope(id, await list());
  const within = (id: string, version: number) => {
    const current = at(version);
    const ready = current.resolved(id) ?? building.get(id);
    if (ready !== undefined) return ready;
    const begun = building;
    const made = read(id, store, current)
      .then(async (found) => found ?? Promise.reject(await unknown(id)))
      .finally(() => begun.delete(id));
    begun.set(id, made);
    return made;
  };

  return {
    get: (asked) => {
      const id = toName(asked);
      const version = store.version();
      return typeof version === "number"
        ? within(id, version)
        : version.then((known) => within(id, known));
    },
    list,
    unknown,
    known: async () => naming((await list()).map((scope) => scope.id)),
    memory: () => cache.size(),
  };
}

/** Undefined if the scope does not exist. */
async function read(
  id: string,
  store: ScopeStore,
  into: LayerCache,
): Promise<ResolvedScope | undefined> {
  // Held here because a layer may be dropped from the cache while the others are read.
  const held = new Map<string, Layer>();
  const isKnown = (one: string) => {
    const layer = into.layer(one);
    if (layer !== undefined) held.set(one, layer);
    return layer !== undefined;
  };
  const chain = await store.chain(id, isKnown);
  const [first, ...rest] = chain.map((one) => held.get(one.id) ?? toLayer(one));
  if (first === undefined) return undefined;
  const resolved = resolve([first, ...rest]);
  // Kept under the version read before the content, so a change in between only drops it early.
  into.keep(id, { resolved, layers: [first, ...rest] });
  return resolved;
}

function openList(store: ScopeStore): () => Promise<readonly ScopeSummary[]> {
  let listed: { version: number; scopes: Promise<readonly ScopeSummary[]> } | undefined;
  return async () => {
    const version = await store.version();
    if (listed?.version !== version) {
      const scopes = store.list();
      listed = { version, scopes };
      // A failed lookup is not cached.
      scopes.catch(() => {
        listed = undefined;
      });
    }
    return listed.scopes;
  };
}

// Enough for an agent that knows no id to find its own, and few enough for a message.
const MAX_NAMED = 10;

export function unknownScope(id: string, scopes: readonly ScopeSummary[]): KnowledgeError {
  const known = scopes.map((scope) => scope.id);
  const suggestions = nearest(id, known);
  return new KnowledgeError(
    "SCOPE_NOT_FOUND",
    `No scope has the id "${id}". ${hint(suggestions, known)}`,
    { details: { scope_id: id, suggestions } },
  );
}

const quoted = (ids: readonly string[]) => ids.map((one) => `"${one}"`);

function hint(suggestions: readonly string[], known: readonly string[]): string {
  if (suggestions.length > 0) {
    return `Did you mean ${quoted(suggestions).join(" or ")}? Ids are case-sensitive.`;
  }
  return naming(known);
}

export function naming(known: readonly string[]): string {
  if (known.length === 0)
    return "There are no scopes yet. Import some with `knowledge-server scopes import PATH`.";
  const more = known.length > MAX_NAMED ? ", …" : "";
  const named = quoted(known.slice(0, MAX_NAMED)).join(", ");
  return `There ${known.length === 1 ? "is" : "are"} ${named}${more}.`;
}
