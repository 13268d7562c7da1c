// The files that registries and clients install from.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Platform, placeNatives, readPlatforms } from "../../scripts/natives.ts";
import { nativeName, toBundled, toMain, toNative } from "../../scripts/published.ts";
import { withBundle } from "../../scripts/registry-entry.ts";
import { packedFiles } from "../support/packed.ts";
import { tempFolder } from "../support/temp-folder.ts";

const root = new URL("../../", import.meta.url);
const ROOT = fileURLToPath(root);
const json = async (path: string) => JSON.parse(await readFile(new URL(path, root), "utf8"));

const Input = z.strictObject({
  name: z.string().min(1),
  description: z.string(),
  format: z.enum(["string", "number", "boolean", "filepath"]).optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
});

// The MCP Registry's rules for server.json, as its schema of 2025-12-11 states them; its own checker is a
// Go program that npm does not carry.
const ServerJson = z.strictObject({
  $schema: z.literal(
    "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  ),
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  repository: z.strictObject({ url: z.url(), source: z.literal("github") }),
  icons: z.array(
    z.strictObject({
      src: z.url({ protocol: /^https$/ }).max(255),
      mimeType: z.enum(["image/png", "image/jpeg", "image/svg+xml", "image/webp"]),
      sizes: z.array(z.string().regex(/^(\d+x\d+|any)$/)),
    }),
  ),
  packages: z.array(
    z.strictObject({
      registryType: z.enum(["npm", "pypi", "oci", "nuget", "mcpb"]),
      identifier: z.string().min(1),
      version: z.string().regex(/^\d+\.\d+\.\d+$/),
      runtimeHint: z.string().optional(),
      fileSha256: z
        .string()
        .regex(/^[a-f0-9]{64}$/)
        .optional(),
      transport: z.strictObject({ type: z.literal("stdio") }),
      environmentVariables: z.array(Input).optional(),
    }),
  ),
});

describe("packaging", () => {
  test("server.json follows the MCP Registry's schema", async () => {
    ServerJson.parse(await json("server.json"));
  });

  test("with a built bundle it names the bundle's address and hash", async () => {
    const bundle = { file: "knowledge-server-linux-x64.mcpb", bytes: Buffer.from("a bundle") };
    const entry = ServerJson.parse(withBundle(await json("server.json"), bundle));
    expect(entry.packages.at(-1)).toMatchObject({
      registryType: "mcpb",
      identifier: expect.stringMatching(/^https:.*\/knowledge-server-linux-x64\.mcpb$/),
      fileSha256: createHash("sha256").update("a bundle").digest("hex"),
    });
  });

  test("server.json, the bundle's manifest and package.json agree", async () => {
    const [server, manifest, own] = await Promise.all([
      json("server.json"),
      json("packaging/manifest.json"),
      json("package.json"),
    ]);
    expect(server.name).toBe(own.mcpName);
    expect(server.packages[0].identifier).toBe(own.name);
    expect([server.version, server.packages[0].version, manifest.version]).toEqual(
      Array(3).fill(own.version),
    );
  });

  test("mcpb accepts the bundle's manifest", async () => {
    const cli = fileURLToPath(new URL("node_modules/@anthropic-ai/mcpb/dist/cli/cli.js", root));
    const manifest = fileURLToPath(new URL("packaging/manifest.json", root));
    const { stdout } = await promisify(execFile)(process.execPath, [cli, "validate", manifest]);
    expect(stdout).toMatch(/passes/);
  });

  test("the published manifests depend only on native parts, and run nothing at install", async () => {
    const [own, platforms] = [await json("package.json"), await readPlatforms(ROOT)];
    for (const manifest of [toBundled(own, platforms["linux-x64"]), toMain(own, platforms)]) {
      expect(manifest).not.toHaveProperty("dependencies");
      expect(manifest).not.toHaveProperty("devDependencies");
      expect(Object.keys(manifest["scripts"] as object)).toEqual(["start"]);
      expect(manifest["engines"]).toEqual({ node: ">=22.13" });
    }
    const { optionalDependencies } = toMain(own, platforms);
    expect(optionalDependencies).toEqual(
      Object.fromEntries(Object.keys(platforms).map((name) => [nativeName(name), own.version])),
    );
    expect(toMain(own, platforms)["files"]).not.toContain("native/");
  });

  test("a platform's package contains only what that platform loads", async () => {
    const [own, platforms] = [await json("package.json"), await readPlatforms(ROOT)];
    for (const [name, platform] of Object.entries(platforms)) {
      const { os, cpu, files } = toNative(own, name, platform);
      expect([os, cpu]).toEqual([[platform.os], [platform.cpu]]);
      expect(files).toContain("liteparse.node");
      expect((files as string[]).filter((file) => /directml|dxc|dxil|\.map$/i.test(file))).toEqual(
        [],
      );
      expect(Object.keys(platform.files).length).toBeLessThanOrEqual(4);
    }
  });

  test("a native file that is not the listed one is refused", async () => {
    const folder = tempFolder("natives");
    const platform = (await readPlatforms(ROOT))["linux-x64"] as Platform;
    const [name = "", file] = Object.entries(platform.files)[0] ?? [];
    const planted = { ...platform, files: { [name]: { ...file, sha256: "0".repeat(64) } } };
    await expect(placeNatives(ROOT, planted as Platform, join(folder, "native"))).rejects.toThrow(
      /is not the file/,
    );
  });

  test("the package contains what the README links to, and no sources, tests or maps", async () => {
    const packed = await packedFiles();
    const readme = await readFile(new URL("README.md", root), "utf8");
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target]) => target);
    expect(links.length).toBeGreaterThan(10);
    const missing = links.filter(
      (link = "") => !packed.some((path) => path === link || path.startsWith(`${link}/`)),
    );
    expect(missing).toEqual([]);
    expect(packed).toContain("dist/inline/view.html");
    const tops = new Set(packed.map((path) => path.split("/")[0]));
    expect([...tops].sort()).toEqual([
      "ARCHITECTURE.md",
      "CHANGELOG.md",
      "CONTRIBUTING.md",
      "LICENSE",
      "NOTICE",
      "README.ja.md",
      "README.md",
      "SECURITY.md",
      "bin",
      "dist",
      "docs",
      "models",
      "native",
      "ocr-data",
      "package.json",
      "samples",
    ]);
    expect(packed.filter((path) => /\.(?:map|ts|tsx)$|node_modules/.test(path))).toEqual([]);
    // npm needs a second of CPU, which a loaded machine may not have to spare for minutes.
  }, 900_000);

  test("the bundle has a licence for every package", async () => {
    const text = await readFile(new URL("dist/LICENSES.txt", root), "utf8");
    const parts = text.split(/^-{72}\n/m).slice(1);
    expect(parts.length).toBeGreaterThan(20);
    const foreign = parts.filter(
      (part) =>
        !/^Licence: (?:MIT|MIT-0|Apache-2\.0|ISC|BSD-[23]-Clause|0BSD|Unlicense)$/m.test(part),
    );
    expect(foreign).toEqual([]);
    for (const name of Object.keys((await json("package.json")).dependencies)) {
      expect(
        parts.some((part) => part.startsWith(`${name} `)),
        name,
      ).toBe(true);
    }
  });
});
