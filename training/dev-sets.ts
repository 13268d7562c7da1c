// The development sets as the trainer reads them: chunks cut by the product's own rule, and the teacher's vectors for
// the English side of cross-lingual sets: node training/dev-sets.ts --data DIR --cross DIR --out FOLDER
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readRetrievalSet } from "../bench/support/retrieval-set.ts";
import { chunk, searchText } from "../src/chunk/chunk.ts";
import { loadEncoder } from "../src/embed/onnx/onnx-model.ts";
import { SHIPPED } from "../src/embed/onnx/profile.ts";

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    cross: { type: "string", default: "" },
    out: { type: "string", default: "" },
  },
});

const QUERIES = 500; // a sample is enough to choose by
const model = await loadEncoder(join(import.meta.dirname, "../models/all-MiniLM-L6-v2"), SHIPPED);

const known = new Map<string, Float32Array>();

async function teach(file: string, texts: readonly string[]): Promise<void> {
  const vectors = new Float16Array(texts.length * SHIPPED.dimensions);
  for (const [at, text] of texts.entries()) {
    const vector = known.get(text) ?? (await model.run({ text }));
    known.set(text, vector);
    vectors.set(vector, at * SHIPPED.dimensions);
  }
  writeFileSync(file, vectors);
}

for (const folder of [flags.cross, flags.data].map((each) => join(each, "retrieval"))) {
  for (const name of readdirSync(folder).sort()) {
    const out = join(flags.out, name);
    if (existsSync(join(out, "set.json"))) continue;
    mkdirSync(out, { recursive: true });
    const set = readRetrievalSet(folder, name, QUERIES);
    const chunks = set.corpus.flatMap(({ id, title, text }) => {
      const document = { text, blocks: [], ...(title !== "" && { title }) };
      return chunk(document).map((each) => ({ id, text: searchText(each, document) }));
    });
    const judged = set.queries.map(({ id }) => [...(set.judged.get(id) ?? [])]);
    const queries = set.queries.map(({ text }) => text);
    if (name.startsWith("manual-en-")) await teach(join(out, "queries.f16"), queries);
    else if (name.startsWith("manual-")) {
      await teach(
        join(out, "chunks.f16"),
        chunks.map(({ text }) => text),
      );
    }
    writeFileSync(join(out, "set.json"), JSON.stringify({ chunks, queries, judged }));
    process.stdout.write(`${name}: ${chunks.length} chunks, ${queries.length} queries\n`);
  }
}
await model.release();
