// Every setting that is a path, from every source, in every spelling: the list comes from the schema.
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { tempFolder } from "../../test/support/temp-folder.ts";
import { type Flags, loadConfig, SETTINGS } from "./config.ts";
import type { Setting } from "./settings.ts";

const HOME = "/home/ada";
const CWD = "/work/here";

let folder: string;
let file: string;
beforeAll(async () => {
  folder = tempFolder("paths");
  file = join(folder, "settings.json");
});

const PATHS = Object.entries<Setting>(SETTINGS).filter(([, setting]) => setting.isPath);
const isList = (setting: Setting) => setting.schema.safeParse(["/a"]).success;

const part = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9 _.-]{0,7}[a-z]$/);
const rest = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
/** What is written, and what it means for a source whose relative paths begin in `base`. */
const spelling = fc.oneof(
  fc.constant({ given: "~", means: () => HOME }),
  rest.map((tail) => ({ given: `~/${tail}`, means: () => resolve(HOME, tail) })),
  rest.map((tail) => ({ given: `/${tail}`, means: () => resolve("/", tail) })),
  rest.map((tail) => ({ given: tail, means: (base: string) => resolve(base, tail) })),
  rest.map((tail) => ({ given: `./~/${tail}`, means: (base: string) => resolve(base, "~", tail) })),
);

async function load(source: "flag" | "variable" | "file", name: string, given: string) {
  const { flag, env, split }: Setting = SETTINGS[name as keyof typeof SETTINGS];
  const place = { env: {} as Record<string, string>, cwd: CWD, home: HOME, platform: "linux" };
  const flags: Record<string, string | string[]> = { config: file };
  const isAList = isList(SETTINGS[name as keyof typeof SETTINGS]);
  const isInFile = source === "file" && name !== "configFile";
  await writeFile(file, JSON.stringify(isInFile ? { [name]: isAList ? [given] : given } : {}));
  if (source === "flag" && flag) flags[flag] = split ? [given] : given;
  if (source === "variable" && env) place.env[env] = given;
  return loadConfig(flags as Flags, place);
}

function pathsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(pathsIn);
  return pathsIn((value as { path: string }).path);
}

const sourcesOf = ({ flag, env }: Setting, name: string) => [
  ...(flag === undefined ? [] : (["flag"] as const)),
  ...(env === undefined ? [] : (["variable"] as const)),
  // The settings file is not named in itself.
  ...(name === "configFile" ? [] : (["file"] as const)),
];

const WAYS = PATHS.filter(([name]) => name !== "configFile").flatMap(([name, setting]) =>
  sourcesOf(setting, name).map((source) => [name, source] as const),
);

test("every setting that is named after a file or folder is marked as a path", () => {
  const named = Object.entries<Setting>(SETTINGS)
    .filter(
      ([name, { help }]) => /(Dir|File|roots|folders)$/.test(name) || /\bfolders?\b/.test(help),
    )
    .map(([name]) => name);
  expect(PATHS.map(([name]) => name)).toEqual(named);
});

describe.each(WAYS)("%s by %s", (name, source) => {
  test("is absolute, with ~ as the home folder", async () => {
    await fc.assert(
      fc.asyncProperty(spelling, async ({ given, means }) => {
        const config = await load(source, name, given);
        const base = source === "file" ? folder : CWD;
        expect(pathsIn(config[name as keyof typeof config])).toEqual([means(base)]);
      }),
      { numRuns: 20 },
    );
  });

  test("is refused if it is another user's home", async () => {
    await expect(load(source, name, "~bob/kb")).rejects.toThrow(/~ means your own home folder/);
  });
});

test("the settings file's own path is expanded too", async () => {
  await writeFile(file, "port: 4321\n");
  for (const given of [{ config: "~/settings.json" }, {}]) {
    const env = "config" in given ? {} : { KNOWLEDGE_CONFIG: "~/settings.json" };
    const place = { env, cwd: CWD, home: folder, platform: "linux" };
    expect(await loadConfig(given, place)).toMatchObject({ port: 4321, configFile: file });
  }
});

test("a default from a desktop variable is expanded too", async () => {
  const env = { XDG_DATA_HOME: "~/data", XDG_CONFIG_HOME: "~/config" };
  expect(await loadConfig({}, { env, cwd: CWD, home: HOME, platform: "linux" })).toMatchObject({
    dataDir: join(HOME, "data", "knowledge-server"),
  });
});
