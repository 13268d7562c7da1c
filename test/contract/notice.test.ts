// Every binary that users get is named in NOTICE with its version and its licence.
import { open, readdir, readFile } from "node:fs/promises";
import { join, matchesGlob } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { packedFiles } from "../support/packed.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const BINARY =
  /\.(?:node|so|so\.\d+|dylib|dll|exe|wasm|a|lib|onnx|ort|traineddata|safetensors|gguf|bin|pb)$/;
const MAGIC = ["7f454c46", "0061736d", "cffaedfe", "cefaedfe", "cafebabe", "4d5a9000"];
const LICENCES =
  /^(?:Apache-2\.0|MIT|BSD-2-Clause|BSD-3-Clause|ISC|Zlib)(?: AND (?:Apache-2\.0|BSD-3-Clause))*$/;

interface Component {
  readonly name: string;
  readonly licence: string;
  readonly files: readonly string[];
  readonly source: string;
}

async function readNotice(): Promise<readonly Component[]> {
  const text = await readFile(join(ROOT, "NOTICE"), "utf8");
  const blocks = [
    ...text.matchAll(/^(\S.*)\n {2}Licence: (.+)\n {2}Files: (.+)\n {2}Source: (\S+)$/gm),
  ];
  return blocks.map(([, name = "", licence = "", files = "", source = ""]) => ({
    name,
    licence,
    files: files.split(", "),
    source,
  }));
}

/** Packages that npm installs beside this one, on this machine and on others. */
async function runtimePackages(): Promise<readonly string[]> {
  const lock = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8"));
  const packages = lock.packages as Record<string, { dev?: boolean; devOptional?: boolean }>;
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== "" && !dev)
    .map(([path]) => path);
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .filter((path) => !path.slice(folder.length + 1).includes("node_modules/"));
}

async function isBinary(path: string): Promise<boolean> {
  if (BINARY.test(path)) return true;
  if (/\.(?:[cm]?[jt]sx?|json|map|md|txt|css|html|yml|yaml)$/.test(path)) return false;
  const file = await open(join(ROOT, path));
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0).finally(() => file.close());
  return MAGIC.includes(buffer.toString("hex"));
}

function unnamed(binaries: readonly string[], components: readonly Component[]): readonly string[] {
  return binaries.filter(
    (path) => !components.some(({ files }) => files.some((glob) => matchesGlob(path, glob))),
  );
}

describe("the inventory of binaries", () => {
  let packed: readonly string[] = [];
  let binaries: readonly string[] = [];
  let components: readonly Component[] = [];

  beforeAll(async () => {
    packed = await packedFiles();
    const beside = (await runtimePackages()).filter(
      (path) => path !== "node_modules/onnxruntime-node",
    );
    const all = [...packed, ...(await Promise.all(beside.map(filesBelow))).flat()];
    const verdicts = await Promise.all(all.map(isBinary));
    binaries = all.filter((_, at) => verdicts[at]);
    components = await readNotice();
    // npm needs a second of CPU, which a loaded machine may not have to spare for minutes.
  }, 300_000);

  test("names each one that is packed or installed", () => {
    expect(binaries.length).toBeGreaterThan(10);
    expect(unnamed(binaries, components)).toEqual([]);
  });

  test("names the packages of every other platform", async () => {
    const platforms = (await runtimePackages()).filter((path) =>
      /-(?:linux|darwin|win32)-/.test(path),
    );
    expect(platforms.length).toBeGreaterThan(5);
    expect(
      unnamed(
        platforms.map((path) => `${path}/x.node`),
        components,
      ),
    ).toEqual([]);
  });

  test("has a permissive licence and a source for each component, and names nothing that is not there", () => {
    for (const { name, licence, files, source } of components) {
      expect([name, licence]).toEqual([name, expect.stringMatching(LICENCES)]);
      expect(source).toMatch(/^https:/);
      expect([
        name,
        binaries.some((path) => files.some((glob) => matchesGlob(path, glob))),
      ]).toEqual([name, true]);
    }
  });

  test.each(["onnxruntime-node", "@llamaindex/liteparse", "@napi-rs/canvas"])(
    "has the version of %s that is installed",
    async (name) => {
      const manifest = await readFile(join(ROOT, "node_modules", name, "package.json"), "utf8");
      const named = components.filter(({ files }) => files.some((glob) => glob.includes(name)));
      const { version } = JSON.parse(manifest) as { version: string };
      expect(named.map((component) => component.name).join(" ")).toContain(version);
    },
  );

  test("leaves out what is never loaded: libraries for GPUs, a second copy", () => {
    const runtime = packed.filter((path) => path.startsWith("node_modules/onnxruntime-node/bin/"));
    expect(
      runtime.filter((path) => /directml|dxcompiler|dxil|1\.30\.0\.dylib/i.test(path)),
    ).toEqual([]);
    for (const platform of [
      "linux/x64",
      "linux/arm64",
      "darwin/arm64",
      "win32/x64",
      "win32/arm64",
    ]) {
      expect(runtime.filter((path) => path.includes(platform)).length, platform).toBe(2);
    }
    expect(packed).toContain("node_modules/onnxruntime-node/dist/index.js");
    expect(packed.some((path) => path.startsWith("node_modules/onnxruntime-common/"))).toBe(true);
    expect(packed.filter((path) => path.includes("adm-zip"))).toEqual([]);
  });

  test("would find a binary that nobody listed", () => {
    expect(unnamed(["models/unlisted/table.bin", "dist/x.wasm"], components)).toHaveLength(2);
  });
});
