// The local model, with its vectors kept on disk by content: benches are run again and again.
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Embed, openEmbed } from "../../src/embed/embed.ts";
import { openLog } from "../../src/observe/log.ts";

const ROOT = join(import.meta.dirname, "../..");

export function openLocalModel(lightDir = join(ROOT, "models/light")): Embed {
  return openEmbed({
    kind: "local",
    modelDir: join(ROOT, "models/all-MiniLM-L6-v2"),
    lightDir,
    workerUrl: new URL("../../src/embed/onnx/worker.ts", import.meta.url),
    workers: 2,
    idleMs: 60_000,
    log: openLog({ level: "warn" }),
  });
}

export function openCachedEmbed(lightDir?: string): Embed {
  const embed = openLocalModel(lightDir);
  const folder = join(tmpdir(), "knowledge-bench");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${embed.fingerprint.replace(/\W+/g, "-")}.vectors`);
  const known = existsSync(file) ? readRecords(file, embed.dimensions) : new Map();

  const passages = async (texts: readonly string[]) => {
    const missing = [...new Set(texts)].filter((text) => !known.has(toKey(text)));
    for (let from = 0; from < missing.length; from += 256) {
      const part = missing.slice(from, from + 256);
      const vectors = await embed.passages(part);
      const records = vectors.map((vector, at) => {
        const key = toKey(part[at] ?? "");
        known.set(key, vector);
        return Buffer.concat([Buffer.from(key, "hex"), new Uint8Array(vector.buffer)]);
      });
      // In one piece: benches that run side by side append to the same file.
      appendFileSync(file, Buffer.concat(records));
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

/** A record is the text's sha1 (20 bytes) and its vector. */
function readRecords(file: string, dimensions: number): Map<string, Float32Array> {
  const bytes = readFileSync(file);
  const size = 20 + dimensions * 4;
  const known = new Map<string, Float32Array>();
  for (let at = 0; at + size <= bytes.length; at += size) {
    const vector = new Float32Array(
      bytes.buffer.slice(bytes.byteOffset + at + 20, bytes.byteOffset + at + size),
    );
    known.set(bytes.toString("hex", at, at + 20), vector);
  }
  return known;
}
