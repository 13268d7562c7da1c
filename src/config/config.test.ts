import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { tempFolder } from "../../test/support/temp-folder.ts";
import { type Flags, loadConfig, type Place, SETTINGS } from "./config.ts";

let folder: string;
beforeAll(async () => {
  folder = tempFolder("config");
});

const at = (env: Place["env"] = {}): Place => ({
  env,
  cwd: "/work",
  home: folder,
  platform: "linux",
});
const load = (flags: Flags = {}, env: Place["env"] = {}) => loadConfig(flags, at(env));

test("without settings the defaults apply", async () => {
  expect(await load()).toMatchObject({
    dataDir: join(folder, ".local/share/knowledge-server"),
    roots: ["/work", folder],
    host: "127.0.0.1",
    port: 3000,
    tools: ["file", "answers", "documents", "scopes"],
    awsRegion: "ap-northeast-1",
    ocrLanguages: ["eng", "jpn"],
  });
});

test("a flag takes precedence over a variable, a variable over the file, the file over the default", async () => {
  const file = join(folder, "settings.yaml");
  await writeFile(file, "port: 1111\nhost: ::1\nawsRegion: eu-west-1\n");
  const env = { KNOWLEDGE_CONFIG: file, KNOWLEDGE_PORT: "2222", AWS_REGION: "us-east-1" };
  expect(await load({ port: "3333" }, env)).toMatchObject({
    port: 3333,
    awsRegion: "us-east-1",
    host: "::1",
    maxFileMb: 100,
  });
});

test("JSON is a settings file too, with folders in both forms", async () => {
  const file = join(folder, "settings.json");
  await writeFile(file, '{"folders": ["/a", {"path": "/b", "exclude": ["*.tmp"]}]}');
  const { folders } = await load({ config: file });
  expect(folders).toEqual([{ path: "/a" }, { path: "/b", exclude: ["*.tmp"] }]);
});

test("an empty variable counts as not set", async () => {
  expect(await load({}, { BEDROCK_KB_ID: "", AWS_REGION: "" })).toMatchObject({
    awsRegion: "ap-northeast-1",
  });
  expect((await load({}, { BEDROCK_KB_ID: "" })).bedrockKbId).toBeUndefined();
});

test("lists are split: paths by the platform's delimiter, names by commas", async () => {
  const config = await load({ tools: ["file,scopes"] }, { KNOWLEDGE_ROOTS: "/a:/b" });
  expect(config.tools).toEqual(["file", "scopes"]);
  expect(config.roots).toEqual(["/a", "/b"]);
});

test("all problems are reported at once", async () => {
  const file = join(folder, "wrong.yaml");
  await writeFile(file, "unknownKey: 1\nmaxFileMb: lots\n");
  const problem = await load({ port: "no", config: file }, { KNOWLEDGE_TOKEN: "short" }).catch(
    (error: Error) => error,
  );
  expect(problem).toMatchObject({ code: "CONFIG_INVALID" });
  for (const part of ["--port", "unknownKey", "maxFileMb", "KNOWLEDGE_TOKEN"]) {
    expect(String(problem)).toContain(part);
  }
});

test("secrets are not repeated in problems", async () => {
  const problem = await load({ "database-url": "mysql://user:hunter2@host" }).catch(String);
  expect(problem).toContain("postgres");
  expect(problem).not.toContain("hunter2");
});

test.each(["user:hunter2%", "user:hunter2%zz", "user%E0:hunter2", "user:hunter2@ho%st,other"])(
  "a database address with %s says how to encode it, and keeps the secret",
  async (part) => {
    const url = `postgres://${part}@host/knowledge`;
    for (const [flags, env] of [[{ "database-url": url }], [{}, { KNOWLEDGE_DATABASE_URL: url }]]) {
      const problem = await load(flags, env).catch(String);
      expect(problem).toMatch(/--database-url|KNOWLEDGE_DATABASE_URL/);
      expect(problem).toContain("percent-encoded");
      expect(problem).not.toContain("hunter2");
    }
  },
);

test("a settings file named by the user must exist", async () => {
  await expect(load({ config: join(folder, "none.yaml") })).rejects.toThrow("cannot be read");
});

test("any blank environment variable counts as not set", async () => {
  const settings: readonly { readonly env?: string }[] = Object.values(SETTINGS);
  const env = Object.fromEntries(settings.map((setting) => [setting.env ?? "NONE", " \t "]));
  expect(await load({}, env)).toEqual(await load());
});

test("the sample settings work as they are, and with the comments removed", async () => {
  const sample = join(import.meta.dirname, "../../samples/config.yaml");
  const config = await load({ config: sample });
  expect(config).toMatchObject({ topK: 10, logFormat: "auto", port: 3000 });
  expect(config.folders).toHaveLength(2);
  const whole = join(folder, "whole.yaml");
  const text = await readFile(sample, "utf8");
  await writeFile(whole, text.replace(/^# (?=[a-z]\w+: \S+$)/gm, ""));
  const all = await load({ config: whole });
  expect([all.kbFile, all.llmModel, all.databaseUrl]).not.toContain(undefined);
});
