import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROGRAM } from "../support/shipped.ts";
import { tempFolder } from "../support/temp-folder.ts";

const run = promisify(execFile);

let dataDir: string;
let client: Client;
const updated: string[] = [];

async function cli(...args: readonly string[]) {
  const all = [PROGRAM, "scopes", ...args, "--data-dir", dataDir];
  try {
    return { code: 0, ...(await run(process.execPath, all)) };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

async function call(name: string, args: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: args });
  const [content] = result.content as readonly { readonly text: string }[];
  return {
    payload: JSON.parse(content?.text ?? "null"),
    structured: result.structuredContent as Record<string, unknown>,
    isError: result.isError === true,
  };
}

beforeAll(async () => {
  dataDir = tempFolder("scopes-e2e");
  const company = await cli("import", "samples/rules/company.yaml");
  expect(company.code).toBe(0);
  const project = await cli(
    "import",
    "samples/rules/checkout-api",
    "--scope",
    "checkout-api",
    "--parent",
    "payments-team",
    "--tier",
    "PROJECT",
  );
  expect(project.code).toBe(0);
  client = new Client({ name: "test", version: "1.0.0" });
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    updated.push(params.uri);
  });
  const args = [PROGRAM, "--data-dir", dataDir, "--log-level", "silent"];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
});

afterAll(async () => {
  await client?.close();
  // The client does not wait for a server that it had to kill.
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

describe("an agent", () => {
  test("gets its project's rules in three steps", async () => {
    const categories = await call("get_categories", { project_name: "checkout-api" });
    const rows = categories.payload as { name: string; tier: string }[];
    expect(rows.map(({ name, tier }) => [name, tier])).toEqual([
      ["api", "PRODUCT"],
      ["commands", "PROJECT"],
      ["git", "PROJECT"],
      ["http-handlers", "PROJECT"],
      ["money", "PROJECT"],
      ["security", "GROUP"],
      ["testing", "GENERAL"],
    ]);
    const keywords = await call("get_keywords", {
      project_name: "checkout-api",
      categories: ["git"],
    });
    expect(keywords.payload).toEqual({ git: ["branch", "commit", "merge", "push"] });
    const knowledge = await call("get_knowledge", {
      scope_id: "checkout-api",
      keywords: ["commit", "merge"],
    });
    expect(knowledge.payload).toMatchObject([
      { keyword: "commit", source_tier: "PROJECT" },
      { keyword: "merge", source_tier: "GENERAL" },
    ]);
    expect(knowledge.structured).toMatchObject({
      schemaVersion: 1,
      entries: [
        { source_scope: "checkout-api", category: "git" },
        { source_scope: "company", category: "git" },
      ],
      not_found: [],
      ambiguous: [],
    });
  });

  test("finds ids by completion and reads a scope as a resource", async () => {
    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri: "knowledge://scopes/{id}" },
      argument: { name: "id", value: "check" },
    });
    expect(completion.values).toEqual(["checkout-api", "checkout-api/payments"]);
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toContain("knowledge://scopes/checkout-api%2Fpayments");
    const { contents } = await client.readResource({
      uri: "knowledge://scopes/checkout-api%2Fpayments",
    });
    const [page] = contents as readonly { readonly text: string; readonly mimeType: string }[];
    expect(page?.mimeType).toBe("text/markdown");
    expect(page?.text).toContain("As the card network's specification says");
    expect(page?.text).toContain("Integers in the currency's smallest unit");
  });

  test("finds a scope's categories by completion and reads one of them", async () => {
    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri: "knowledge://scopes/{id}/{category}" },
      argument: { name: "category", value: "s" },
      context: { arguments: { id: "checkout-api" } },
    });
    expect(completion.values).toEqual(["security"]);
    const uri = "knowledge://scopes/checkout-api/security";
    const { contents } = await client.readResource({ uri });
    const text = JSON.stringify(contents);
    expect(text).toContain("Two reviews");
    expect(text).not.toContain("RFC 9457");
  });

  test("is guided through the steps by a prompt", async () => {
    const { completion } = await client.complete({
      ref: { type: "ref/prompt", name: "follow-project-rules" },
      argument: { name: "project_name", value: "web" },
    });
    expect(completion.values).toEqual(["web-shop"]);
    const { messages } = await client.getPrompt({
      name: "follow-project-rules",
      arguments: { project_name: "web-shop", task: "Add an endpoint" },
    });
    const text = JSON.stringify(messages);
    for (const step of ["get_categories", "get_keywords", "get_knowledge", "Add an endpoint"]) {
      expect(text).toContain(step);
    }
  });

  test.each([
    ["get_categories", {}, "project_name"],
    ["get_knowledge", { keywords: ["commit"] }, "scope_id"],
  ])("learns the ids when it calls %s without one", async (tool, args, parameter) => {
    const { payload, isError } = await call(tool, args);
    expect(isError).toBe(true);
    expect(payload).toMatchObject({ error: "missing_required_parameter", parameter });
    expect(payload.message).toContain(`The parameter '${parameter}' is required. There are "`);
    expect(payload.message).toContain('"checkout-api"');
  });

  test("gets suggestions for an unknown scope", async () => {
    const { payload, isError } = await call("get_categories", { project_name: "checkout_api" });
    expect(isError).toBe(true);
    expect(payload).toMatchObject({
      error: "scope_not_found",
      suggestions: ["checkout-api", "checkout-api/payments"],
    });
  });

  test("sees another process's import at once, and is notified", async () => {
    const uri = "knowledge://scopes/web-shop";
    await client.readResource({ uri });
    await client.subscribeResource({ uri });
    const path = join(dataDir, "more.yaml");
    await writeFile(
      path,
      "scopes:\n  - id: web-shop\n    tier: PRODUCT\n    parent: company\n    categories:\n      api: { description: APIs, entries: { paging: By cursor. } }\n",
    );
    const before = await call("get_knowledge", { scope_id: "checkout-api", keywords: ["paging"] });
    expect(before.payload).toEqual([]);
    expect((await cli("import", path)).code).toBe(0);
    const after = await call("get_knowledge", { scope_id: "checkout-api", keywords: ["paging"] });
    expect(after.structured).toMatchObject({
      entries: [{ content: "By cursor.", source_scope: "web-shop" }],
    });
    await expect.poll(() => updated).toContain(uri);
  });

  test("writes a rule, and removing it restores the inherited one", async () => {
    const entry = { scope_id: "checkout-api", category: "api", keyword: "auth" };
    await call("knowledge-entry-put", { ...entry, content: "mTLS" });
    const ask = { scope_id: "checkout-api", keywords: ["auth"] };
    expect((await call("get_knowledge", ask)).payload).toMatchObject([{ content: "mTLS" }]);
    expect((await call("knowledge-entry-remove", entry)).payload).toMatchObject({
      inherited: { source_scope: "web-shop" },
    });
    expect((await call("get_knowledge", ask)).structured).toMatchObject({
      entries: [{ source_scope: "web-shop" }],
    });
  });
});

describe("the command line", () => {
  test("imports the same file again without a change", async () => {
    const { code, stdout } = await cli(
      "import",
      "samples/rules/checkout-api",
      "--scope",
      "checkout-api",
      "--json",
    );
    const report = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(report.scopes.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      "unchanged",
      "unchanged",
    ]);
  });

  test("explains which entry applies and which are overridden", async () => {
    const { stdout } = await cli("show", "checkout-api", "--explain");
    expect(stdout).toContain("✓ checkout-api (PROJECT): Include the ticket");
    expect(stdout).toContain("✗ web-shop (PRODUCT): Start the subject with the ticket");
    expect(stdout).toContain("✗ company (GENERAL): - One change a commit");
  });

  test("exports what imports into another store to the same", async () => {
    const exported = (await cli("export", "--format", "yaml")).stdout;
    const other = tempFolder("scopes-e2e");
    try {
      const path = join(other, "rules.yaml");
      await writeFile(path, exported);
      const at = ["--data-dir", other];
      await run(process.execPath, [PROGRAM, "scopes", "import", path, ...at]);
      const again = await run(process.execPath, [
        PROGRAM,
        "scopes",
        "export",
        "--format",
        "yaml",
        ...at,
      ]);
      expect(again.stdout).toBe(exported);
    } finally {
      await rm(other, { recursive: true });
    }
  });

  test("fails as a whole if a source is broken, and reports where", async () => {
    const path = join(dataDir, "broken.yaml");
    await writeFile(
      path,
      "scopes:\n  - id: new-scope\n    tier: PROJECT\n  - id: other\n    tier: NONE\n",
    );
    const { code, stdout, stderr } = await cli("import", path);
    expect(code).toBe(2);
    expect(stdout).toContain(`${path}:4`);
    expect(stderr).toContain("nothing was changed");
    const { payload } = await call("get_categories", { project_name: "new-scope" });
    expect(payload).toMatchObject({ error: "scope_not_found" });
  });
});
