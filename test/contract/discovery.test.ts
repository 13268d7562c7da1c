// Where people look: the plugin and its marketplace, the catalogues, the install links. Required fields are those that
// the publishers' documentation names; none of them ships its schema as a package.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import { DESCRIPTION, serverIcons } from "../../src/domain/call/server-identity.ts";

const ROOT = join(import.meta.dirname, "../..");
const text = (path: string) => readFileSync(join(ROOT, path), "utf8");
const json = (path: string) => JSON.parse(text(path));
const PLUGIN = "packaging/claude-plugin";

const kebab = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
const semver = z.string().regex(/^\d+\.\d+\.\d+$/);
const person = z.strictObject({ name: z.string(), email: z.email().optional() });

const Marketplace = z.strictObject({
  name: kebab,
  owner: person,
  metadata: z.strictObject({ description: z.string() }).optional(),
  plugins: z
    .array(
      z.strictObject({
        name: kebab,
        source: z.string().startsWith("./"),
        description: z.string(),
        version: semver,
        category: z.string(),
        tags: z.array(z.string()),
      }),
    )
    .min(1),
});

const Plugin = z.strictObject({
  name: kebab,
  version: semver,
  description: z.string().min(1),
  author: person,
  homepage: z.url(),
  repository: z.url(),
  license: z.string(),
  keywords: z.array(z.string()),
});

// docker/mcp-registry: the fields that its own checks ask of a local server.
const DockerEntry = z.strictObject({
  name: kebab,
  image: z.string().regex(/^[a-z0-9-]+\/[a-z0-9-]+$/),
  type: z.literal("server"),
  meta: z.strictObject({ category: z.string(), tags: z.array(z.string()).min(1) }),
  about: z.strictObject({ title: z.string(), description: z.string(), icon: z.url() }),
  source: z.strictObject({ project: z.url() }),
  run: z.strictObject({
    command: z.array(z.string()),
    volumes: z.array(z.string()),
    disableNetwork: z.boolean(),
  }),
  config: z.strictObject({
    description: z.string(),
    parameters: z.strictObject({
      type: z.literal("object"),
      properties: z.record(
        z.string(),
        z.strictObject({ type: z.string(), description: z.string() }),
      ),
      required: z.array(z.string()),
    }),
  }),
});

test("the marketplace lists the plugin, and the plugin is where it says", () => {
  const { plugins } = Marketplace.parse(json(".claude-plugin/marketplace.json"));
  expect(plugins.map(({ source }) => source)).toEqual([`./${PLUGIN}`]);
  const plugin = Plugin.parse(json(`${PLUGIN}/.claude-plugin/plugin.json`));
  expect(plugins[0]).toMatchObject({ name: plugin.name, description: plugin.description });
  const { mcpServers } = json(`${PLUGIN}/.mcp.json`);
  expect(mcpServers).toEqual({
    knowledge: { command: "npx", args: ["-y", `${packageJson.name}@${packageJson.version}`] },
  });
});

test("its skill is one that agents can load, and names only tools that exist", () => {
  const page = text(`${PLUGIN}/skills/knowledge/SKILL.md`);
  const [, front = "", body = ""] = /^---\n(.*?)\n---\n(.*)$/s.exec(page) ?? [];
  const { name, description } = z
    .strictObject({ name: kebab.max(64), description: z.string().min(1).max(1_024) })
    .parse(parse(front));
  expect(name).toBe("knowledge");
  expect(description.length).toBeGreaterThan(0);
  const stored = (tool: string) => existsSync(join(ROOT, "test/contract/stored", `${tool}.json`));
  const tools = [...body.matchAll(/`((?:knowledge|get|kb)[-_][a-z_-]+)/g)].map(
    ([, tool = ""]) => tool,
  );
  expect(tools.length).toBeGreaterThan(8);
  expect(tools.filter((tool) => !stored(tool))).toEqual([]);
});

test("every version is the package's own", () => {
  const server = json("server.json");
  expect({
    plugin: json(`${PLUGIN}/.claude-plugin/plugin.json`).version,
    marketplace: json(".claude-plugin/marketplace.json").plugins[0].version,
    bundle: json("packaging/manifest.json").version,
    registry: server.version,
    package: server.packages[0].version,
  }).toEqual({
    plugin: packageJson.version,
    marketplace: packageJson.version,
    bundle: packageJson.version,
    registry: packageJson.version,
    package: packageJson.version,
  });
});

test("the catalogue entries have all required fields", () => {
  const docker = DockerEntry.parse(parse(text("packaging/docker-mcp/server.yaml")));
  expect(docker.about.description).toBe(DESCRIPTION);
  expect(json("server.json").description).toBe(DESCRIPTION);
  z.strictObject({
    $schema: z.literal("https://glama.ai/mcp/schemas/server.json"),
    maintainers: z.array(z.string().regex(/^[A-Za-z0-9-]{1,39}$/)).min(1),
  }).parse(json("glama.json"));
});

test("the icon is the console's everywhere", () => {
  const own = Buffer.from(serverIcons()[0]?.src.split(",")[1] ?? "", "base64").toString();
  const console = text("src/console/pages/icon.svg")
    .replace(/<title>.*?<\/title>/, "")
    .trim();
  expect(own).toBe(console);
  const [icon] = json("server.json").icons;
  expect(icon.src.endsWith("/packaging/icon.png")).toBe(true);
  const png = readFileSync(join(ROOT, "packaging/icon.png"));
  expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(icon.sizes[0]);
});

test.each(["README.md", "README.ja.md"])("%s: the install links start the package", (page) => {
  const expected = { command: "npx", args: ["-y", packageJson.name] };
  const links = text(page).match(/https:\/\/(cursor\.com|vscode\.dev)[^)\s]+/g) ?? [];
  expect(links).toHaveLength(2);
  for (const link of links) {
    const { hostname, searchParams } = new URL(link);
    const config = searchParams.get("config") ?? "";
    const plain = hostname === "cursor.com" ? Buffer.from(config, "base64").toString() : config;
    expect(searchParams.get("name")).toBe("knowledge");
    expect(JSON.parse(plain)).toEqual(expected);
  }
});
