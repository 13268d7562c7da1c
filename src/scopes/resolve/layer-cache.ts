// Resolved scopes in memory, as of one version of the store; the least recently asked go first.
import type { Layer } from "./layer.ts";
import type { ResolvedScope } from "./resolve.ts";

export interface CacheLimits {
  readonly scopes: number;
  readonly bytes: number;
}

export interface LayerCache {
  readonly version: number;
  resolved(id: string): ResolvedScope | undefined;
  layer(id: string): Layer | undefined;
  keep(id: string, resolved: ResolvedScope, layers: readonly Layer[]): void;
  size(): { scopes: number; bytes: number };
}

interface CacheState {
  /** Insertion order is the order of use: a hit is put back at the end. */
  readonly scopes: Map<string, { resolved: ResolvedScope; layers: readonly Layer[] }>;
  /** An ancestor's layer lives as long as one scope that inherits from it. */
  readonly layers: Map<string, { layer: Layer; users: number }>;
  bytes: number;
}

export function openLayerCache(version: number, limits: CacheLimits): LayerCache {
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
      for (const layer of chain) hold(state, layer);
      for (const oldest of scopes.keys()) {
        if (oldest === id || (scopes.size <= limits.scopes && state.bytes <= limits.bytes)) break;
        release(state, oldest);
      }
    },
    size: () => ({ scopes: scopes.size, bytes: state.bytes }),
  };
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
  for (const { scope, weightBytes } of gone.layers) {
    const held = state.layers.get(scope.id);
    if (held === undefined) continue;
    held.users--;
    if (held.users > 0) continue;
    state.layers.delete(scope.id);
    state.bytes -= weightBytes;
  }
}
