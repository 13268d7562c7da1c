// Parts of the write way that take no time and can be held up: for tests of what stands around them.
import { readFile } from "node:fs/promises";
import type { ExtractedDocument } from "../../src/domain/document.ts";
import { KnowledgeError } from "../../src/domain/errors.ts";
import type { Embed } from "../../src/embed/embed.ts";
import type { Extract } from "../../src/extract/extract.ts";

export function toExtracted(text: string): ExtractedDocument {
  return {
    format: "txt",
    method: "text_extraction",
    text,
    blocks: [{ kind: "paragraph", start: 0, end: text.length, place: {} }],
    pages: [],
    warnings: [],
  };
}

export interface Gate {
  /** While shut, whoever passes waits; an aborted signal lets go with a rejection. */
  shut(): void;
  open(): void;
  pass(signal?: AbortSignal): Promise<void>;
  readonly waiting: number;
}

export function openGate(): Gate {
  let door = Promise.withResolvers<void>();
  let waiting = 0;
  door.resolve();
  return {
    shut() {
      door = Promise.withResolvers<void>();
    },
    open: () => door.resolve(),
    async pass(signal) {
      if (signal?.aborted) throw new KnowledgeError("CANCELLED", "stopped");
      waiting += 1;
      const stopped = new Promise<never>((_, reject) => {
        signal?.addEventListener("abort", () => reject(new KnowledgeError("CANCELLED", "stopped")));
      });
      try {
        await Promise.race([door.promise, stopped]);
      } finally {
        waiting -= 1;
      }
    },
    get waiting() {
      return waiting;
    },
  };
}

/** The file's bytes are its text; a file that begins with "corrupt" cannot be read. */
export function plainExtract(gate: Gate): Extract & { readonly count: () => number } {
  let count = 0;
  return {
    count: () => count,
    async extract({ path }, { signal, onProgress } = {}) {
      count += 1;
      onProgress?.({ done: 0, total: 2, unit: "page" });
      await gate.pass(signal);
      const text = await readFile(path, "utf8");
      if (text.startsWith("corrupt")) {
        throw new KnowledgeError("CORRUPT_FILE", "The file is damaged.");
      }
      return toExtracted(text);
    },
    ocrLanguages: async () => [],
    close: async () => {},
  };
}

/** Letter counts as a vector: equal for equal texts, near for near ones. `away`: the model cannot be used. */
export function letterEmbed(): Embed & { away: boolean } {
  const toVector = (text: string) => {
    const vector = new Float32Array(8).fill(0.01);
    for (const letter of text) {
      const at = letter.charCodeAt(0) % 8;
      vector[at] = (vector[at] ?? 0) + 1;
    }
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  };
  const embed = {
    away: false,
    model: "letters",
    dimensions: 8,
    languages: "any" as const,
    fingerprint: "letters-1",
    query: async (text: string) => (await embed.passages([text]))[0] as Float32Array,
    passages: async (texts: readonly string[]) => {
      if (embed.away) throw new KnowledgeError("MODEL_UNAVAILABLE", "The model is away.");
      return texts.map(toVector);
    },
    baseline: async () => 0,
    state: () => ({ kind: "ready" as const }),
    close: async () => {},
  };
  return embed;
}
