// Tokens made and revoked on the command line, while a server runs that reads the same file.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { post } from "../support/clients.ts";
import { eventually } from "../support/eventually.ts";
import { type Program, startHttpProgram } from "../support/process.ts";
import { runToEnd } from "../support/run.ts";
import { tempFolder } from "../support/temp-folder.ts";

let folder: string;
let server: Program & { url: string };
let admin: string;

const files = () => ["--token-file", join(folder, "tokens.yaml")];
const onServer = () => [...files(), "--data-dir", join(server.folder, "data")];

async function tokens(...args: readonly string[]) {
  const { stdout, stderr, code } = await runToEnd({
    args: [...args, ...(server ? onServer() : files())],
    folder,
  });
  expect(code, stderr).toBe(0);
  return stdout.trim();
}

beforeAll(async () => {
  folder = tempFolder("tokens-cli");
  admin = await tokens("tokens", "create", "admin", "--rights", "read,write,admin");
  server = await startHttpProgram({
    args: [...files(), "--audit-file", join(folder, "audit")],
  });
});
afterAll(() => server?.stop());

async function initialize(token: string) {
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  const message = { jsonrpc: "2.0", id: 1, method: "initialize", params };
  return post(server.url, message, { Authorization: `Bearer ${token}` });
}

test("a created token is accepted, knows its scopes, and is refused once it is revoked", async () => {
  const ann = await tokens("tokens", "create", "ann", "--rights", "read:shop,write:shop/**");
  expect(await readFile(join(folder, "tokens.yaml"), "utf8")).not.toContain(ann);
  await eventually(async () => expect((await initialize(ann)).status).toBe(200));
  expect(await (await initialize(ann)).text()).toContain(
    "Your rights, by scope: read:shop, write:shop/**.",
  );
  expect(await (await initialize(admin)).text()).not.toContain("Your rights");
  const listed = await tokens("tokens", "list");
  expect(listed).toMatch(/^ann +read:shop, write:shop\/\*\*$/m);
  expect(listed).not.toMatch(/[0-9a-f]{64}/);
  await tokens("tokens", "revoke", "ann");
  await eventually(async () => expect((await initialize(ann)).status).toBe(401));
  expect((await initialize(admin)).status).toBe(200);
});

test("an administrator sees the server as another caller does, and that is audited", async () => {
  await tokens("tokens", "create", "reader", "--rights", "read");
  const api = (path: string, token: string, value?: object) =>
    fetch(`${server.url}${path}`, {
      ...(value ? { method: "POST", body: JSON.stringify(value) } : {}),
      headers: { Authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
  const view = async (token: string, name: string) => {
    const response = await api("/api/view-as", token, { name });
    return { status: response.status, token: ((await response.json()) as { token: string }).token };
  };
  const seen = await eventually(async () => {
    const found = await view(admin, "reader");
    expect(found.status).toBe(200);
    return found;
  });
  expect((await api("/api/access", admin)).status).toBe(200);
  expect((await api("/api/access", seen.token)).status).toBe(403);
  expect((await view(seen.token, "reader")).status).toBe(403);
  expect((await view(admin, "nobody")).status).toBe(404);
  const call = { name: "knowledge-scope-put", arguments: { scope_id: "x", tier: "GENERAL" } };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: call };
  const denied = await post(server.url, message, { Authorization: `Bearer ${seen.token}` });
  expect(await denied.text()).toContain("This token lacks the right 'write'");
  const audit = await readFile(join(folder, "audit"), "utf8");
  expect(audit).toMatch(/"who":"admin".*"did":"viewAs","outcome":"done","to":{"token":"reader"}/);
  expect(audit).toMatch(/"who":"admin as reader".*"outcome":"refused"/);
  expect(audit).not.toContain(seen.token);
});

test("scopes are shown as a tree, and moved with what is below them", async () => {
  const put = async (scope_id: string, tier: string, parent?: string) => {
    const params = { name: "knowledge-scope-put", arguments: { scope_id, tier, parent } };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    await post(server.url, message, { Authorization: `Bearer ${admin}` });
  };
  await put("company", "GENERAL");
  await put("shop", "PRODUCT", "company");
  await put("bank", "PRODUCT", "company");
  await put("cart", "GROUP", "shop");
  await put("cart-api", "PROJECT", "cart");
  const cycle = await runToEnd({
    args: ["scopes", "move", "shop", "--parent", "cart-api", "--yes", ...onServer()],
    folder,
  });
  expect(cycle.code).not.toBe(0);
  await tokens("scopes", "move", "cart", "--parent", "bank", "--yes");
  const lines = (await tokens("scopes", "tree")).split("\n");
  expect(lines).toEqual([
    "company (GENERAL, 0 rules)",
    "  bank (PRODUCT, 0 rules)",
    "    cart (GROUP, 0 rules)",
    "      cart-api (PROJECT, 0 rules)",
    "  shop (PRODUCT, 0 rules)",
  ]);
});
