import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { tempFolder } from "../../../test/support/temp-folder.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import { hostChecks } from "./host-checks.ts";

let home: string;
beforeAll(async () => {
  home = tempFolder("doctor");
});

async function outcomes(node = "24.1.0") {
  const checks = hostChecks({ dataDir: join(home, "data"), home, platform: "linux", node });
  const signal = new AbortController().signal;
  return Object.fromEntries(
    await Promise.all(checks.map(async (check) => [check.name, await check.run(signal)])),
  );
}

test("an old Node is a failure with a remedy", async () => {
  for (const old of ["20.0.0", "22.9.0"]) {
    expect((await outcomes(old))["Node"]).toMatchObject({
      state: "fail",
      remedy: toMessage("nodeOld", "22.13"),
    });
  }
  for (const recent of ["22.13.0", "22.20.1", "24.1.0", "100.0.0"]) {
    expect((await outcomes(recent))["Node"]).toMatchObject({ state: "ok" });
  }
});

test("a data folder that cannot be created is a failure", async () => {
  await writeFile(join(home, "file"), "");
  const [, check] = hostChecks({
    dataDir: join(home, "file"),
    home,
    platform: "linux",
    node: "24",
  });
  expect(await check?.run(new AbortController().signal)).toMatchObject({ state: "fail" });
});

test("a client is absent, without us, with us, or with a path that no longer exists", async () => {
  const program = join(home, "knowledge-server.js");
  await writeFile(program, "");
  const client = async (path: string, settings: unknown) => {
    await mkdir(join(home, path, ".."), { recursive: true });
    await writeFile(join(home, path), JSON.stringify(settings));
  };
  const using = (file: string) => ({ mcpServers: { kb: { command: "node", args: [file] } } });
  await client(".cursor/mcp.json", using(program));
  await client(".kiro/settings/mcp.json", using("/gone/knowledge-server.js"));
  await client(".claude.json", {});
  expect(await outcomes()).toMatchObject({
    Cursor: { state: "ok" },
    Kiro: { state: "fail" },
    "Claude Code": { state: "off", detail: toMessage("clientWithout") },
    "Claude Desktop": { state: "off", detail: toMessage("clientAbsent") },
  });
});

test("servers are found per project, over HTTP and in files with comments", async () => {
  const http = { knowledge: { type: "http", url: "http://127.0.0.1:3000/mcp" } };
  await writeFile(
    join(home, ".claude.json"),
    JSON.stringify({ projects: { "/p": { mcpServers: http } } }),
  );
  const folder = join(home, ".config", "Code", "User");
  await mkdir(folder, { recursive: true });
  const text = `{\n  // mine\n  "servers": { "knowledge": { "url": "http://127.0.0.1:3000/mcp" }, },\n}`;
  await writeFile(join(folder, "mcp.json"), text);
  expect(await outcomes()).toMatchObject({
    "Claude Code": { state: "ok" },
    "VS Code": { state: "ok" },
  });
});
