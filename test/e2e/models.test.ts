// Another model, fetched and used through the command line, and the documents of the old one meanwhile.
import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type ModelHub, openModelHub } from "../support/model-hub.ts";
import { runToEnd } from "../support/run.ts";
import { connectTo, startHttp } from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { tinyEmbedding } from "../support/tiny-models.ts";

const WEIGHTS = "onnx/model_quantized.onnx";
const E5 = "multilingual-e5-small";

let folder: string;
let dataDir: string;
let hub: ModelHub;

beforeAll(async () => {
  folder = tempFolder("models");
  dataDir = join(folder, "data");
  hub = await openModelHub();
  // To this model a ledger is a heron; to the package's own one it belongs with invoices.
  const files = tinyEmbedding({ heron: [1, 0], ledger: [1, 0], invoice: [0, 1] });
  const named = [...files].map(
    ([name, bytes]) => [name.replace("model.onnx", "model_quantized.onnx"), bytes] as const,
  );
  hub.offer(`Xenova/${E5}`, new Map(named));
  await mkdir(join(folder, "files"));
  await writeFile(join(folder, "files/heron.txt"), "The heron hunts in shallow rivers.\n");
  await writeFile(join(folder, "files/invoice.txt"), "Each invoice is paid in thirty days.\n");
  await run("add", join(folder, "files"));
});
afterAll(async () => {
  await hub.close();
  await rm(folder, { recursive: true, force: true });
});

async function run(...args: string[]): Promise<string> {
  const ended = await runToEnd({
    args: [...args, "--data-dir", dataDir],
    folder,
    env: { KNOWLEDGE_MODEL_HUB: hub.url },
  });
  if (ended.code !== 0) throw new Error(ended.stderr);
  return ended.stdout;
}

async function firstFor(query: string): Promise<string | undefined> {
  const found = JSON.parse(await run("search", query, "--min-relevance", "0", "--json"));
  return (found.results as { filename: string }[])[0]?.filename;
}

/** A server runs until nothing waits to be embedded again. */
async function embedAgain(): Promise<void> {
  const server = await startHttp({ dataDir, root: join(folder, "files") });
  const at = await connectTo("http", server.url);
  await eventually(async () => {
    const { health } = await at.call("knowledge-status", {});
    expect((health as { issues?: readonly string[] }).issues ?? []).toEqual([]);
  });
  await at.close();
  await server.stop();
}

test("documents are found by meaning before, during and after a switch", async () => {
  expect(await firstFor("a tall wading bird")).toBe("heron.txt");
  expect(await firstFor("ledger")).toBe("invoice.txt");

  expect(await run("models", "get", E5)).toContain(`models use ${E5}`);
  expect(await run("models", "use", E5)).toContain("Restart running servers");
  expect(await run("models", "list")).toMatch(new RegExp(`${E5} .* in use`));
  // Nothing has been embedded again: the old model reads the question too.
  expect(await firstFor("a tall wading bird")).toBe("heron.txt");
  await expect(run("models", "remove", E5)).rejects.toThrow("in use");

  await embedAgain();
  expect(await firstFor("ledger")).toBe("heron.txt");

  expect(await run("models", "use", "shipped")).toContain("shipped is chosen");
  expect(await firstFor("ledger")).toBe("heron.txt");
  await expect(run("models", "remove", E5)).rejects.toThrow("still have vectors");
  await embedAgain();
  expect(await firstFor("ledger")).toBe("invoice.txt");
  expect(await run("models", "remove", E5)).toContain("removed");
});

test("a model that breaks after it was chosen leaves the old index in service", async () => {
  await run("models", "get", E5);
  await run("models", "use", E5);
  await appendFile(join(dataDir, "models", E5, WEIGHTS), "x");
  expect(await firstFor("a tall wading bird")).toBe("heron.txt");
  await expect(run("models", "check")).rejects.toThrow();
  await run("models", "use", "shipped");
  expect(await firstFor("ledger")).toBe("invoice.txt");
});
