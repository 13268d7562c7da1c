// The files that registries and clients install from.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const root = new URL("../../", import.meta.url);
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
  packages: z.array(
    z.strictObject({
      registryType: z.enum(["npm", "pypi", "oci", "nuget", "mcpb"]),
      identifier: z.string().min(1),
      version: z.string().regex(/^\d+\.\d+\.\d+$/),
      runtimeHint: z.string(),
      transport: z.strictObject({ type: z.literal("stdio") }),
      environmentVariables: z.array(Input),
    }),
  ),
});

describe("packaging", () => {
  test("server.json follows the MCP Registry's schema", async () => {
    ServerJson.parse(await json("server.json"));
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
});
