// Models at a word, from a hub on this machine: fetched whole, checked, tried before they are chosen.
import { appendFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ModelChange, type Models, openModels } from "../../src/models/models.ts";
import { type ModelHub, openModelHub } from "../support/model-hub.ts";
import { PACKAGE, shippedUrl } from "../support/shipped.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { tinyCrossEncoder, tinyEmbedding } from "../support/tiny-models.ts";

const E5 = "/Xenova/multilingual-e5-small/resolve/main";
const WEIGHTS = "onnx/model_quantized.onnx";
const log = silentLog();

/** As a repository offers it. */
function quantized(files: ReadonlyMap<string, Buffer>, name = WEIGHTS) {
  return new Map(
    [...files].map(([each, bytes]) => [each === "onnx/model.onnx" ? name : each, bytes]),
  );
}

let hub: ModelHub;
let dataDir: string;
let needed: string[];

beforeEach(async () => {
  hub = await openModelHub();
  dataDir = tempFolder("models");
  needed = [];
  hub.offer(
    "Xenova/multilingual-e5-small",
    quantized(tinyEmbedding({ heron: [1, 0], cat: [0, 1] })),
  );
  hub.offer(
    "hotchpotch/japanese-reranker-xsmall-v2",
    quantized(tinyCrossEncoder({ tea: 2 }), "onnx/model_qint8_avx2.onnx"),
  );
});
afterEach(async () => {
  await hub.close();
  await rm(dataDir, { recursive: true, force: true });
});

function open(config = {}): Models {
  return openModels({
    config: { dataDir, modelHub: hub.url, ...config },
    embed: {
      modelDir: join(PACKAGE, "models/all-MiniLM-L6-v2"),
      lightDir: join(PACKAGE, "models/light"),
      workerUrl: shippedUrl("embed/onnx/worker"),
      traceHeaders: () => ({}),
      log,
    },
    hasVectorsOf: async (model) => needed.some((each) => model.startsWith(each)),
  });
}

const { signal } = new AbortController();
const seen: string[] = [];
const watch = {
  signal,
  onProgress: ({ file }: { file: string }) => {
    seen.push(file);
    hub.drop();
  },
};
const change = (action: ModelChange["action"], name: string, more = {}) =>
  open().change({ action, name, ...more }, watch);
const used = async () => (await open().list()).filter((each) => each.used).map(({ name }) => name);
const inFolder = (name: string) => join(dataDir, "models", name);

describe("get", () => {
  test("fetches all files, with the settings that the conversion lacks, and shows progress", async () => {
    await change("get", "multilingual-e5-small");
    const [model] = (await open().list()).filter(({ installed }) => installed);
    expect(model).toMatchObject({ name: "multilingual-e5-small", licence: "MIT", used: false });
    const prompts = await readFile(
      join(inFolder("multilingual-e5-small"), "config_sentence_transformers.json"),
      "utf8",
    );
    expect(JSON.parse(prompts)).toEqual({ prompts: { query: "query: ", passage: "passage: " } });
    expect(seen).toContain(WEIGHTS);
    expect(await readdir(inFolder("."))).toEqual(["checksums.json", "multilingual-e5-small"]);
    expect(await open().check()).toEqual([{ name: "multilingual-e5-small", damaged: [] }]);
  });

  test("continues where a connection ended", async () => {
    const path = `${E5}/tokenizer.json`;
    hub.cut(path, 100, 100);
    await change("get", "multilingual-e5-small");
    const ranges = hub.requests.filter((each) => each.path === path).map(({ from }) => from);
    expect(ranges).toEqual([0, 100, 200]);
    expect((await open().check())[0]?.damaged).toEqual([]);
  });

  test("a download that was stopped is continued by the next call", async () => {
    const path = `${E5}/tokenizer.json`;
    hub.cut(path, 300, 0);
    await expect(change("get", "multilingual-e5-small")).rejects.toMatchObject({
      code: "MODEL_UNAVAILABLE",
    });
    expect(await open().check()).toEqual([]);
    const before = hub.requests.length;
    await change("get", "multilingual-e5-small");
    const [first, ...rest] = hub.requests.slice(before);
    expect(first).toEqual({ path, from: 300 });
    // What was complete is not fetched again.
    expect(rest.map((each) => each.path)).not.toContain(`${E5}/config.json`);
    expect((await open().check())[0]?.damaged).toEqual([]);
  });

  test("a file that changed on the hub is refused until that is accepted", async () => {
    await change("get", "multilingual-e5-small");
    await change("remove", "multilingual-e5-small");
    hub.offer("Xenova/multilingual-e5-small", new Map([["config.json", Buffer.from('{"dim":3}')]]));
    await expect(change("get", "multilingual-e5-small")).rejects.toMatchObject({
      code: "CORRUPT_FILE",
    });
    expect((await open().list()).filter(({ installed }) => installed)).toEqual([]);
    await change("get", "multilingual-e5-small", { acceptChanges: true });
    expect((await open().check())[0]?.damaged).toEqual([]);
  });

  test("a damaged model is found by check and fetched again", async () => {
    await change("get", "multilingual-e5-small");
    await appendFile(join(inFolder("multilingual-e5-small"), WEIGHTS), "x");
    expect((await open().check())[0]?.damaged).toEqual([WEIGHTS]);
    await expect(change("use", "multilingual-e5-small")).rejects.toMatchObject({
      code: "MODEL_UNAVAILABLE",
    });
    await change("get", "multilingual-e5-small");
    expect((await open().check())[0]?.damaged).toEqual([]);
  });

  test("a file much larger than the model ends the download", async () => {
    const huge = Buffer.alloc(65 * 1024 * 1024);
    hub.offer("Xenova/multilingual-e5-small", new Map([["config.json", huge]]));
    await expect(change("get", "multilingual-e5-small")).rejects.toMatchObject({
      code: "FILE_TOO_LARGE",
    });
  });

  test("a model that is being fetched is not fetched twice; a dead process does not count", async () => {
    await change("get", "japanese-reranker-xsmall-v2");
    const lock = inFolder("multilingual-e5-small.lock");
    await writeFile(lock, String(process.pid));
    await expect(change("get", "multilingual-e5-small")).rejects.toMatchObject({
      code: "STORE_IN_USE",
    });
    await writeFile(lock, "999999999");
    await change("get", "multilingual-e5-small");
    expect(await readdir(inFolder("."))).not.toContain("multilingual-e5-small.lock");
  });
});

describe("use", () => {
  test("chooses one model of each kind, and goes back to none", async () => {
    await change("get", "multilingual-e5-small");
    await change("get", "japanese-reranker-xsmall-v2");
    await change("use", "multilingual-e5-small");
    await change("use", "japanese-reranker-xsmall-v2");
    expect(await used()).toEqual(["multilingual-e5-small", "japanese-reranker-xsmall-v2"]);
    await change("use", "shipped");
    expect(await used()).toEqual(["japanese-reranker-xsmall-v2"]);
    await change("use", "no-reranker");
    expect(await used()).toEqual([]);
  });

  test.each([
    ["bge-m3", "Xenova/bge-m3"],
    ["bge-reranker-base", "Xenova/bge-reranker-base"],
  ])("%s with weights that cannot be loaded changes nothing", async (name, repository) => {
    await change("get", "multilingual-e5-small");
    await change("use", "multilingual-e5-small");
    const files = quantized(tinyEmbedding({ heron: [1, 0] }));
    hub.offer(repository, files.set(WEIGHTS, Buffer.from("not a model")));
    await change("get", name);
    await expect(change("use", name)).rejects.toMatchObject({
      code: "MODEL_UNAVAILABLE",
      message: expect.stringContaining("nothing was changed"),
    });
    expect(await used()).toEqual(["multilingual-e5-small"]);
  });

  test("is refused for a model that is not installed, and where a setting takes precedence", async () => {
    await expect(change("use", "bge-m3")).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
    await expect(change("use", "no-such-model")).rejects.toMatchObject({
      code: "INVALID_PARAMETER",
    });
    await change("get", "multilingual-e5-small");
    const models = open({ modelDir: "/models/own" });
    await expect(
      models.change({ action: "use", name: "multilingual-e5-small" }, watch),
    ).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("KNOWLEDGE_MODEL_DIR"),
    });
    expect(await used()).toEqual([]);
  });
});

test("a model is not removed while it is in use or documents have its vectors", async () => {
  await change("get", "multilingual-e5-small");
  await change("use", "multilingual-e5-small");
  const refused = { code: "STORE_IN_USE" };
  await expect(change("remove", "multilingual-e5-small")).rejects.toMatchObject(refused);
  await change("use", "shipped");
  needed = ["multilingual-e5-small:"];
  await expect(change("remove", "multilingual-e5-small")).rejects.toMatchObject(refused);
  needed = [];
  await change("remove", "multilingual-e5-small");
  expect(await readdir(inFolder("."))).toEqual(["checksums.json", "chosen.json"]);
});
