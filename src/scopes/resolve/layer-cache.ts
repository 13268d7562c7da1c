// Resolved scopes in memory, as of one version of the store. The least recently requested go first.
import type { Layer } from "./layer.ts";
import type { ResolvedScope } from "./resolve.ts";

export interface LayerCache {
  readonly version: number;
  resolved(id: string): ResolvedScope | undefined;
  layer(id: string): Layer | undefined;
  keep(id: string, resolved: ResolvedScope, layers: readonly Layer[]): void;
  size(): { scopes: number; bytes: number };
}

interface CacheState {
  /** Insertion order is the order of use: after a hit, the scope is inserted again at the end. */
  readonly scopes: Map<string, { resolved: ResolvedScope; layers: readonly Layer[] }>;
  /** An ancestor's layer is kept while at least one scope inherits from it. */
  readonly layers: Map<string, { layer: Layer; users: number }>;
  bytes: number;
}

// Covers the rows of categories and lists of keywords, with their arrays and maps.
const RESOLVED_BYTES = 2_000;

export function openLayerCache(version: number, budgetBytes: number): LayerCache {
  const state: CacheState = { scopes: new Map(), layers: new Map(), bytes: 0 };
  const { scopes, layers } = state;
  return {
    version,
    resolved: (id) => {
      const hit = scopes.get(id);
      if (hit === undefined) return undefined;
      scopes.delete(id);
      scopes.set(id, hit);
      return hit.resolved;
    },
    layer: (id) => layers.get(id)?.layer,
    keep: (id, resolved, chain) => {
      release(state, id);
      scopes.set(id, { resolved, layers: chain });
      state.bytes += RESOLVED_BYTES;
      for (const layer of chain) hold(state, layer);
      makeRoom(state, id, budgetBytes);
    },
    size: () => ({ scopes: scopes.size, bytes: state.bytes }),
  };
}

function makeRoom(state: CacheState, newest: string, budgetBytes: number): void {
  for (const oldest of state.scopes.keys()) {
    if (oldest === newest || state.bytes <= budgetBytes) return;
    release(state, oldest);
  }
}

function hold(state: CacheState, layer: Layer): void {
  const held = state.layers.get(layer.scope.id);
  if (held !== undefined) {
    held.users++;
    return;
  }
  state.layers.set(layer.scope.id, { layer, users: 1 });
  state.bytes += layer.weightBytes;
}

function release(state: CacheState, id: string): void {
  const gone = state.scopes.get(id);
  if (gone === undefined) return;
  state.scopes.delete(id);
  state.bytes -= RESOLVED_BYTES;
  for (const { scope, weightBytes } of gone.layers) {
    const held = state.layers.get(scope.id);
    if (held === undefined) continue;
    held.users--;
    if (held.users > 0) continue;
    state.layers.delete(scope.id);
    state.bytes -= weightBytes;
  }
}
