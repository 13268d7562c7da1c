import { cp, truncate } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { fetchModel } from "../../scripts/model.ts";
import { openEmbed } from "../../src/embed/embed.ts";
import { ONNX_FILE } from "../../src/embed/onnx/weights.ts";
import { shippedUrl } from "../support/shipped.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { dot, embedSuite } from "./embed.suite.ts";

const ROOT = join(import.meta.dirname, "../..");
const MODEL_DIR = join(ROOT, "models/all-MiniLM-L6-v2");

beforeAll(async () => {
  const outcome = await fetchModel(ROOT);
  if (outcome.kind === "missing") throw new Error(outcome.reason);
});

function openLocal({ modelDir = MODEL_DIR, idleMs = 60_000 } = {}) {
  return openEmbed({
    kind: "local",
    modelDir,
    workerUrl: shippedUrl("embed/onnx/worker"),
    workers: 2,
    idleMs,
    log: silentLog(),
  });
}

embedSuite("local model", async () => openLocal());

describe("the local model", () => {
  test("is the model that its profile names", async () => {
    const embed = openLocal();
    const vector = await embed.query("This is an example sentence");
    // The published fp32 vector; int8 turns it by a few hundredths.
    const published = [0.0677, 0.0635, 0.0487, 0.0793, 0.0374];
    for (const [at, value] of published.entries())
      expect(Math.abs((vector[at] ?? 1) - value)).toBeLessThan(0.03);
    const near = await embed.query("Here is a sample sentence");
    expect(dot(vector, near)).toBeGreaterThan(0.7);
    await embed.close();
  });

  test("frees its memory when idle and loads again on the next use", async () => {
    const embed = openLocal({ idleMs: 50 });
    const before = await embed.query("warm");
    await expect.poll(() => embed.state().kind).toBe("cold");
    expect(await embed.query("warm")).toEqual(before);
    await embed.close();
  });

  test("text beyond its window does not change the vector", async () => {
    const embed = openLocal();
    const [long, longer] = await embed.passages([
      "word ".repeat(400),
      `${"word ".repeat(400)} penguins in the Antarctic`,
    ]);
    expect(long).toEqual(longer);
    await embed.close();
  });
});

describe("a model that can't be used", () => {
  let folder: string;
  beforeAll(async () => {
    folder = tempFolder("embed-broken");
  });

  test("a missing model is reported with a remedy and without paths", async () => {
    const embed = openLocal({ modelDir: join(folder, "none") });
    const failure = await embed.query("hello").catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "MODEL_UNAVAILABLE" });
    expect(String(failure)).toContain("missing");
    expect(String(failure)).toContain("doctor");
    expect(String(failure)).not.toContain(folder);
    expect(embed.state()).toMatchObject({ kind: "failed" });
    await expect(embed.passages(["again"])).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" });
    await embed.close();
  });

  test("a damaged model is refused before it is used", async () => {
    const modelDir = join(folder, "damaged");
    // The folder may be a link: what it leads to is not to be cut.
    await cp(MODEL_DIR, modelDir, { recursive: true, dereference: true });
    await truncate(join(modelDir, ONNX_FILE), 1_000_000);
    const embed = openLocal({ modelDir });
    const failure = embed.passages(["one", "two", "three", "four", "five"]);
    await expect(failure).rejects.toThrow(/damaged/);
    expect(embed.state()).toMatchObject({ kind: "failed" });
    await embed.close();
  });
});
