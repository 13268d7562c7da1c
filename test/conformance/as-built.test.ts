// What tests and their processes import from src/ is what the build makes of it.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { Server } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { ENTRIES } from "../../scripts/entries.ts";
import { loadConfig } from "../../src/config/config.ts";
import { KnowledgeError } from "../../src/domain/errors.ts";
import { openTestApp } from "../support/app.ts";
import { testedModules } from "../support/build-tested.ts";
import { AS_BUILT, builtFile, PACKAGE, TESTED } from "../support/shipped.ts";

const inside = (folder: string) => `${pathToFileURL(join(folder, "dist")).href}/`;

test("each module that a test imports is in the build for tests", () => {
  const modules = Object.values(testedModules()).filter((path) => path.startsWith("src/"));
  expect(modules.length).toBeGreaterThan(100);
  for (const path of modules)
    expect(import.meta.resolve(`../../${path}`)).toMatch(new RegExp(`^${inside(TESTED)}`));
});

test("threads and processes are those of dist/", () => {
  expect(ENTRIES.length).toBeGreaterThan(3);
  for (const path of ENTRIES)
    expect(import.meta.resolve(`../../${path}`)).toMatch(new RegExp(`^${inside(PACKAGE)}`));
});

test("no other file in dist/ takes the place of a module", () => {
  for (const name of ["app", "serve", "main-menu", "embed/onnx/worker-pool"])
    expect(builtFile(name).startsWith(join(TESTED, "dist"))).toBe(true);
});

test("modules are minified as the program is", () => {
  expect(String(loadConfig)).not.toMatch(/\n {2}/);
});

test("modules and packages are the same for all that import them", async () => {
  const place = { env: {}, cwd: "/", home: "/", platform: process.platform };
  const failed = await loadConfig({ "max-file-mb": "none" }, place).catch((thrown) => thrown);
  expect(failed).toBeInstanceOf(KnowledgeError);
  const { mcp, close } = await openTestApp();
  expect(mcp.createServer({} as never)).toBeInstanceOf(Server);
  await close();
});

test("a process that is started with the flags runs the built code, and without them the source", async () => {
  const script = `process.stdout.write(import.meta.resolve("./src/mcp/mcp.ts"))`;
  const run = async (...flags: string[]) => {
    const line = [...flags, "--input-type=module", "--eval", script];
    return (await promisify(execFile)(process.execPath, line, { cwd: PACKAGE })).stdout;
  };
  expect(await run(...AS_BUILT)).toBe(import.meta.resolve("../../src/mcp/mcp.ts"));
  expect(await run()).toBe(pathToFileURL(join(PACKAGE, "src/mcp/mcp.ts")).href);
});

test("a module that was not built is refused: the source does not run instead", async () => {
  const path: string = "../../src/serve.ts";
  await expect(import(path)).rejects.toThrow("serve was not built for the tests");
});
