// The local model, with its vectors kept on disk by content: benches are run again and again.
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Embed, openEmbed } from "../../src/embed/embed.ts";
import { openLog } from "../../src/observe/log.ts";

const ROOT = join(import.meta.dirname, "../..");

export function openLocalModel(): Embed {
  return openEmbed({
    kind: "local",
    modelDir: join(ROOT, "models/all-MiniLM-L6-v2"),
    workerUrl: new URL("../../src/embed/worker.ts", import.meta.url),
    workers: 2,
    idleMs: 60_000,
    log: openLog({ level: "warn" }),
  });
}

export function openCachedEmbed(): Embed {
  const embed = openLocalModel();
  const folder = join(tmpdir(), "knowledge-bench");
  mkdirSync(folder, { recursive: true });
  const base = join(folder, embed.fingerprint.replace(/\W+/g, "-"));
  const [keysFile, vectorsFile] = [`${base}.keys`, `${base}.f32`];
  const known = existsSync(keysFile)
    ? readVectors(keysFile, vectorsFile, embed.dimensions)
    : new Map();

  const passages = async (texts: readonly string[]) => {
    const missing = [...new Set(texts)].filter((text) => !known.has(toKey(text)));
    for (let from = 0; from < missing.length; from += 256) {
      const part = missing.slice(from, from + 256);
      const vectors = await embed.passages(part);
      for (const [at, vector] of vectors.entries()) {
        known.set(toKey(part[at] ?? ""), vector);
        appendFileSync(vectorsFile, new Uint8Array(vector.buffer));
      }
      appendFileSync(keysFile, part.map((text) => `${toKey(text)}\n`).join(""));
    }
    return texts.map((text) => known.get(toKey(text)) as Float32Array);
  };
  return {
    ...embed,
    passages,
    query: async (text) => known.get(toKey(text)) ?? ((await passages([text]))[0] as Float32Array),
  };
}

function toKey(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}

function readVectors(keysFile: string, vectorsFile: string, dimensions: number) {
  const keys = readFileSync(keysFile, "utf8").trimEnd().split("\n");
  const bytes = readFileSync(vectorsFile);
  const all = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const row = (at: number) => all.slice(at * dimensions, (at + 1) * dimensions);
  return new Map(keys.map((key, at) => [key, row(at)]));
}
