// Scopes in memory, as of one version of the store: resolved ones, and packed ones that were not requested yet.
//
//   read ahead ──▶ packed ──asked for──▶ layer, held by the resolved scopes above it ──least recently asked──▶ gone
import { TIERS } from "../../domain/scope.ts";
import { PAGE_BYTES, type PackedScope, unpack } from "../../store/store.ts";
import { type Layer, toLayer } from "./layer.ts";
import type { ResolvedScope } from "./resolve.ts";

export interface LayerCache {
  readonly version: number;
  resolved(id: string): ResolvedScope | undefined;
  layer(id: string): Layer | undefined;
  keep(id: string, resolved: ResolvedScope, layers: readonly Layer[]): void;
  /** Returns false if there is no room: scopes in use are never dropped for a packed one. */
  keepPacked(scope: PackedScope): boolean;
  /** Whether one more scope can be resolved without dropping another. */
  hasRoom(): boolean;
  size(): { scopes: number; packed: number; bytes: number };
}

interface CacheState {
  /** Insertion order is the order of use: after a hit, the scope is inserted again at the end. */
  readonly scopes: Map<string, { resolved: ResolvedScope; layers: readonly Layer[] }>;
  /** An ancestor's layer is kept while at least one scope inherits from it. */
  readonly layers: Map<string, { layer: Layer; users: number }>;
  readonly packed: Map<string, PackedScope>;
  bytes: number;
}

// Covers the rows of categories and lists of keywords, with their arrays and maps.
const RESOLVED_BYTES = 2_000;
// Covers a chain of the largest scopes that are read ahead, and the overhead of their maps.
const MOST_RESOLVED_BYTES = 2 * TIERS.length * PAGE_BYTES;
// Covers the object, its names, its slot in the map and the engine's overhead for a block of bytes.
const PACKED_BYTES = 700;

export function openLayerCache(version: number, budgetBytes: number): LayerCache {
  const state: CacheState = { scopes: new Map(), layers: new Map(), packed: new Map(), bytes: 0 };
  const { scopes, layers, packed } = state;
  return {
    version,
    resolved: (id) => {
      const hit = scopes.get(id);
      if (hit === undefined) return undefined;
      scopes.delete(id);
      scopes.set(id, hit);
      return hit.resolved;
    },
    layer: (id) => {
      const held = layers.get(id);
      if (held !== undefined) return held.layer;
      const waiting = packed.get(id);
      return waiting && toLayer(unpack(waiting));
    },
    keep: (id, resolved, chain) => {
      release(state, id);
      scopes.set(id, { resolved, layers: chain });
      state.bytes += RESOLVED_BYTES;
      for (const layer of chain) hold(state, layer);
      makeRoom(state, id, budgetBytes);
    },
    keepPacked: (scope) => {
      if (layers.has(scope.id) || packed.has(scope.id)) return true;
      const bytes = packedBytes(scope);
      if (state.bytes + bytes > budgetBytes) return false;
      packed.set(scope.id, scope);
      state.bytes += bytes;
      return true;
    },
    hasRoom: () => state.bytes + MOST_RESOLVED_BYTES <= budgetBytes,
    size: () => ({ scopes: scopes.size, packed: packed.size, bytes: state.bytes }),
  };
}

/** Drops scopes that were never requested first, then the least recently requested. */
function makeRoom(state: CacheState, newest: string, budgetBytes: number): void {
  for (const id of state.packed.keys()) {
    if (state.bytes <= budgetBytes) return;
    dropPacked(state, id);
  }
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
  dropPacked(state, layer.scope.id);
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

function dropPacked(state: CacheState, id: string): void {
  const gone = state.packed.get(id);
  if (gone === undefined) return;
  state.packed.delete(id);
  state.bytes -= packedBytes(gone);
}

function packedBytes({ content }: PackedScope): number {
  return PACKED_BYTES + content.byteLength;
}
