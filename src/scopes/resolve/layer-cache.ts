// Resolved scopes in memory, as of one version of the store. The least recently requested go first.
import type { Layer } from "./layer.ts";
import type { ResolvedScope } from "./resolve.ts";

interface Kept {
  readonly resolved: ResolvedScope;
  readonly layers: readonly Layer[];
}

// Covers the rows of categories and lists of keywords, with their arrays and maps.
const RESOLVED_BYTES = 2_000;

export type LayerCache = ReturnType<typeof openLayerCache>;

export function openLayerCache(version: number, budgetBytes: number) {
  /** Insertion order is the order of use: after a hit, the scope is inserted again at the end. */
  const scopes = new Map<string, Kept>();
  const layers = openLayers();
  const bytes = () => scopes.size * RESOLVED_BYTES + layers.bytes();
  const drop = (id: string) => {
    scopes.get(id)?.layers.forEach(layers.release);
    scopes.delete(id);
  };
  return {
    version,
    resolved(id: string): ResolvedScope | undefined {
      const hit = scopes.get(id);
      if (hit === undefined) return undefined;
      scopes.delete(id);
      scopes.set(id, hit);
      return hit.resolved;
    },
    layer: layers.get,
    keep(id: string, kept: Kept): void {
      drop(id);
      scopes.set(id, kept);
      kept.layers.forEach(layers.hold);
      for (const oldest of scopes.keys()) {
        if (oldest === id || bytes() <= budgetBytes) return;
        drop(oldest);
      }
    },
    size: () => ({ scopes: scopes.size, bytes: bytes() }),
  };
}

/** A layer is kept while at least one scope has it or inherits from it. */
function openLayers() {
  const layers = new Map<string, { readonly layer: Layer; users: number }>();
  const state = { bytes: 0 };
  return {
    get: (id: string): Layer | undefined => layers.get(id)?.layer,
    bytes: () => state.bytes,
    hold(layer: Layer) {
      const held = layers.get(layer.scope.id) ?? { layer, users: 0 };
      if (held.users === 0) state.bytes += layer.weightBytes;
      held.users++;
      layers.set(layer.scope.id, held);
    },
    release({ scope, weightBytes }: Layer) {
      const held = layers.get(scope.id);
      if (held === undefined || --held.users > 0) return;
      layers.delete(scope.id);
      state.bytes -= weightBytes;
    },
  };
}
