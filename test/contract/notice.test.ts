// Every binary that users get is named in NOTICE with its version and its licence.
import { open, readFile } from "node:fs/promises";
import { join, matchesGlob } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { readPlatforms } from "../../scripts/natives.ts";
import { packedFiles } from "../support/packed.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const BINARY =
  /\.(?:node|so|so\.\d+|dylib|dll|exe|wasm|a|lib|onnx|ort|traineddata|safetensors|gguf|bin|pb|br)$/;
const MAGIC = ["7f454c46", "0061736d", "cffaedfe", "cefaedfe", "cafebabe", "4d5a9000"];
// CC BY-SA is for data only: no code may have it.
const LICENCES =
  /^(?:CC-BY-SA-3\.0|(?:Apache-2\.0|MIT|BSD-2-Clause|BSD-3-Clause|ISC|Zlib)(?: AND (?:Apache-2\.0|BSD-3-Clause))*)$/;

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

async function isBinary(path: string): Promise<boolean> {
  if (BINARY.test(path)) return true;
  if (/(?:^LICENSE|^NOTICE|\.(?:[cm]?[jt]sx?|json|map|md|txt|css|html|png|yml|yaml))$/.test(path))
    return false;
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
    const verdicts = await Promise.all(packed.map(isBinary));
    binaries = packed.filter((_, at) => verdicts[at]);
    components = await readNotice();
    // npm needs a second of CPU, which a loaded machine may not have to spare for minutes.
  }, 900_000);

  test("names each one that is packed", () => {
    expect(binaries.length).toBeGreaterThan(7);
    expect(unnamed(binaries, components)).toEqual([]);
  });

  test("names those of every other platform", async () => {
    const platforms = await readPlatforms(ROOT);
    const names = Object.values(platforms).flatMap(({ files }) => Object.keys(files));
    expect(names.length).toBeGreaterThan(20);
    expect(
      unnamed(
        names.map((name) => `native/${name}`),
        components,
      ),
    ).toEqual([]);
  });

  test("has a permissive licence and a source for each component, and lists nothing that is not packed", () => {
    for (const { name, licence, files, source } of components) {
      expect([name, licence]).toEqual([name, expect.stringMatching(LICENCES)]);
      expect(source).toMatch(/^https:/);
      expect([
        name,
        binaries.some((path) => files.some((glob) => matchesGlob(path, glob))),
      ]).toEqual([name, true]);
    }
  });

  test.each(["onnxruntime-node", "@llamaindex/liteparse"])(
    "has the version of %s that is installed",
    async (name) => {
      const manifest = await readFile(join(ROOT, "node_modules", name, "package.json"), "utf8");
      const { version } = JSON.parse(manifest) as { version: string };
      const part = name === "onnxruntime-node" ? "ONNX Runtime" : "LiteParse";
      expect(components.map((component) => component.name)).toContain(`${part} ${version}`);
    },
  );

  test("finds an unlisted binary", () => {
    expect(unnamed(["models/unlisted/table.bin", "native/other.node"], components)).toHaveLength(2);
  });
});
