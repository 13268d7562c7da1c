// All vectors of one length: codes to score with, bits to scan by.
export interface VectorHit {
  readonly key: number;
  readonly score: number;
}

export interface VectorTable {
  add(firstKey: number, blob: Uint8Array): void;
  remove(firstKey: number, lastKey: number): void;
  compact(): void;
  nearest(query: Float32Array, limit: number, allows?: (key: number) => boolean): VectorHit[];
}

export function openVectorTable(dimensions: number): VectorTable {
  const rows = new Map<number, { codes: Int8Array; scale: number }>();
  return {
    add(firstKey, blob) {
      const count = blob.length / (dimensions + 4);
      const scales = new DataView(blob.buffer, blob.byteOffset + count * dimensions);
      for (let row = 0; row < count; row++) {
        const scale = scales.getFloat32(row * 4, true);
        if (scale === 0) continue;
        const codes = new Int8Array(blob.buffer, blob.byteOffset + row * dimensions, dimensions);
        rows.set(firstKey + row, { codes, scale });
      }
    },
    remove(firstKey, lastKey) {
      for (const key of rows.keys()) if (key >= firstKey && key <= lastKey) rows.delete(key);
    },
    compact() {},
    nearest(query, limit, allows = () => true) {
      const norm = Math.hypot(...query) || 1;
      const hits: VectorHit[] = [];
      for (const [key, { codes, scale }] of rows) {
        if (!allows(key)) continue;
        let dot = 0;
        for (let at = 0; at < dimensions; at++)
          dot += (codes[at] as number) * (query[at] as number);
        hits.push({ key, score: (dot * scale) / norm });
      }
      return hits.sort((a, b) => b.score - a.score || a.key - b.key).slice(0, limit);
    },
  };
}
