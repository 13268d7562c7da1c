// Instant parts of the write path that can be paused, for tests of the code around them.
import { readFile } from "node:fs/promises";
import type { ExtractedDocument } from "../../src/domain/document.ts";
import { KnowledgeError } from "../../src/domain/errors.ts";
import type { Embed, Light, LightPieces } from "../../src/embed/embed.ts";
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
  /** While shut, `pass` waits; it rejects when its signal is aborted. */
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
      const text = await readFile(path, "utf8").catch((cause: unknown) => {
        throw new KnowledgeError("FILE_NOT_FOUND", "no file", { cause });
      });
      if (text.startsWith("corrupt")) {
        throw new KnowledgeError("CORRUPT_FILE", "The file is damaged.");
      }
      return toExtracted(text);
    },
    viewPage: () => Promise.reject(new Error("nothing is painted here")),
    ocrLanguages: async () => [],
    close: async () => {},
  };
}

export interface LetterEmbed extends Embed {
  /** Makes the model unavailable. */
  isUnavailable: boolean;
  /** Every text that the model has read, in order. */
  readonly read: string[];
}

/** Letter counts as a vector: equal for equal texts, near for near ones. */
export function letterEmbed(gate: Gate = openGate()): LetterEmbed {
  const embed: LetterEmbed = {
    isUnavailable: false,
    read: [],
    model: "letters",
    dimensions: 8,
    languages: "any" as const,
    fingerprint: "letters-1",
    query: async (text: string) => {
      if (embed.isUnavailable) throw unavailable();
      return toLetters(text);
    },
    passages: async (texts, { signal } = {}) => {
      if (embed.isUnavailable) throw unavailable();
      await gate.pass(signal);
      embed.read.push(...texts);
      return texts.map(toLetters);
    },
    unrelatedCosine: async () => 0,
    state: () => ({ kind: "ready" as const }),
    close: async () => {},
  };
  return embed;
}

const unavailable = () => new KnowledgeError("MODEL_UNAVAILABLE", "The model is away.");

/** With a light encoder, whose vectors are similar and which is better at non-Latin text. */
export function lightLetterEmbed(gate?: Gate, table = "light-1"): LetterEmbed {
  const encode = (text: string) => lightLetters(text, table);
  const light: Light & LightPieces = {
    dimensions: 8,
    encode,
    encoderFor: (text) => (/[^\p{sc=Latin}\p{P}\p{N}\s]/u.test(text) ? "light" : "model"),
    information: () => 20,
    compare: () => ({ weights: new Float32Array(0), nearest: () => new Float32Array(0) }),
    passages: async (texts) => texts.map(encode),
    locate: () => ({ pieces: [], starts: [], ends: [] }),
    copyRow: () => 0,
  };
  return Object.assign(letterEmbed(gate), {
    light: { fingerprint: table, load: async () => light },
  });
}

export function toLetters(text: string): Float32Array {
  const vector = new Float32Array(8).fill(0.01);
  for (const letter of text) {
    const at = letter.charCodeAt(0) % 8;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  return toLengthOne(vector);
}

/** Similar to the model's vector but distinguishable; different for each table. */
export function lightLetters(text: string, table = "light-1"): Float32Array {
  const vector = toLetters(text);
  const at = table.charCodeAt(table.length - 1) % 8;
  vector[at] = (vector[at] ?? 0) + 0.5;
  return toLengthOne(vector);
}

function toLengthOne(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
