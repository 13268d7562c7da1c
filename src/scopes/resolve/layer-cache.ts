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

export function openLayerCache(version: number, limits: CacheLimits): LayerCache {
  // Insertion order is the order of use: a hit is put back at the end.
  const scopes = new Map<string, { resolved: ResolvedScope; layers: readonly Layer[] }>();
  // An ancestor's layer lives as long as one scope that inherits from it.
  const layers = new Map<string, { layer: Layer; users: number }>();
  let bytes = 0;

  const release = (id: string) => {
    const gone = scopes.get(id);
    if (gone === undefined) return;
    scopes.delete(id);
    for (const { scope, weightBytes } of gone.layers) {
      const held = layers.get(scope.id);
      if (held === undefined) continue;
      held.users--;
      if (held.users > 0) continue;
      layers.delete(scope.id);
      bytes -= weightBytes;
    }
  };

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
      release(id);
      scopes.set(id, { resolved, layers: chain });
      for (const layer of chain) {
        const held = layers.get(layer.scope.id);
        if (held !== undefined) held.users++;
        else {
          layers.set(layer.scope.id, { layer, users: 1 });
          bytes += layer.weightBytes;
        }
      }
      for (const oldest of scopes.keys()) {
        if (oldest === id || (scopes.size <= limits.scopes && bytes <= limits.bytes)) break;
        release(oldest);
      }
    },
    size: () => ({ scopes: scopes.size, bytes }),
  };
}
