// The rules family against its contract, on the built program.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ShippedTools, shippedTools } from "../support/shipped-tools.ts";

let at: ShippedTools;

beforeAll(async () => {
  at = await shippedTools({ tools: ["scopes"] });
  const put = async (
    scope_id: string,
    category: string,
    category_description: string,
    entries: Readonly<Record<string, string>>,
  ) => {
    for (const [keyword, content] of Object.entries(entries)) {
      const entry = { scope_id, category, keyword, content, category_description };
      await at.call("knowledge-entry-put", entry);
    }
  };
  for (const scope of [
    { scope_id: "general", tier: "GENERAL" },
    { scope_id: "webapp", tier: "PRODUCT", parent: "general" },
    { scope_id: "checkout-api", tier: "PROJECT", parent: "webapp" },
  ]) {
    await at.call("knowledge-scope-put", scope);
  }
  await put("general", "git", "Base git practices", {
    commit: "Write a subject line",
    merge: "Merge by pull request",
    rebase: "Rebase before merging",
  });
  await put("webapp", "git", "Git of the web app", { push: "Always push to feature branch first" });
  await put("webapp", "api", "API standards", {
    versioning: "In the path",
    auth: "OAuth",
    "rate-limiting": "100 a minute",
    commit: "API commits only on Mondays",
  });
  await put("checkout-api", "git", "Git workflow rules", {
    commit: "Include JIRA ticket in message",
  });
});

afterAll(() => at.dispose());

const call = (name: string, args: object) => at.run(name, args);

test("the family has these tools, in this order", async () => {
  const { tools } = await at.client.listTools();
  expect(
    tools.map(({ name, annotations }) => [
      name,
      annotations?.readOnlyHint === true,
      annotations?.destructiveHint === true,
    ]),
  ).toEqual([
    ["knowledge-scopes", true, false],
    ["get_categories", true, false],
    ["get_keywords", true, false],
    ["get_knowledge", true, false],
    ["knowledge-scope-put", false, false],
    ["knowledge-entry-put", false, true],
    ["knowledge-entry-remove", false, true],
    ["knowledge-scope-remove", false, true],
  ]);
});

test("knowledge-scopes lists each scope after the one it inherits from", async () => {
  const { payload } = await call("knowledge-scopes", {});
  const { scopes, total } = payload as {
    scopes: { scope_id: string; parent?: string; depth: number }[];
    total: number;
  };
  expect(total).toBe(scopes.length);
  expect(scopes.length).toBeGreaterThan(1);
  const seen = new Map<string | undefined, number>([[undefined, -1]]);
  for (const { scope_id, parent, depth } of scopes) {
    expect(depth).toBe((seen.get(parent) ?? Number.NaN) + 1);
    seen.set(scope_id, depth);
  }
  const below = await call("knowledge-scopes", { under: "checkout-api" });
  expect(below.payload).toMatchObject({ total: 1, scopes: [{ scope_id: "checkout-api" }] });
});

describe("get_categories", () => {
  test("returns one row per name, from the most specific scope", async () => {
    const rows = [
      { name: "api", tier: "PRODUCT", description: "API standards" },
      { name: "git", tier: "PROJECT", description: "Git workflow rules" },
    ];
    const { payload, structured } = await call("get_categories", { project_name: "checkout-api" });
    expect(payload).toEqual(rows);
    expect(structured).toEqual({ schemaVersion: 1, scope: "checkout-api", categories: rows });
  });

  test("works for a scope of any tier", async () => {
    const { payload } = await call("get_categories", { project_name: "general" });
    expect(payload).toEqual([{ name: "git", tier: "GENERAL", description: "Base git practices" }]);
  });
});

describe("get_keywords", () => {
  test("returns the union of the requested categories and names the unknown ones", async () => {
    const { payload, structured } = await call("get_keywords", {
      project_name: "checkout-api",
      categories: ["git", "api", "nothing"],
    });
    const keywords = {
      git: ["commit", "merge", "push", "rebase"],
      api: ["auth", "commit", "rate-limiting", "versioning"],
    };
    expect(payload).toEqual(keywords);
    expect(structured).toEqual({
      schemaVersion: 1,
      scope: "checkout-api",
      keywords,
      not_found: ["nothing"],
    });
  });

  test("returns nothing for no category", async () => {
    const { payload } = await call("get_keywords", { project_name: "webapp", categories: [] });
    expect(payload).toEqual({});
  });
});

describe("get_knowledge", () => {
  const commit = {
    keyword: "commit",
    content: "Include JIRA ticket in message",
    source_tier: "PROJECT",
    source_scope: "checkout-api",
    category: "git",
  };
  const push = {
    keyword: "push",
    content: "Always push to feature branch first",
    source_tier: "PRODUCT",
    source_scope: "webapp",
    category: "git",
  };

  /** The text is the contract's; where a rule comes from is in the structured content. */
  const inText = ({ keyword, content, source_tier }: typeof commit) => ({
    keyword,
    content,
    source_tier,
  });

  test("returns the most specific entry of each keyword, in the order of the request", async () => {
    const { payload, structured, notes } = await call("get_knowledge", {
      scope_id: "checkout-api",
      keywords: ["push", "commit", "push", "unknown"],
    });
    expect(payload).toEqual([inText(push), inText(commit)]);
    expect(notes).toEqual(["Scope 'checkout-api' has no keywords: unknown"]);
    expect(structured).toEqual({
      schemaVersion: 1,
      scope: "checkout-api",
      entries: [push, commit],
      not_found: ["unknown"],
      ambiguous: [{ keyword: "commit", chosen: "git/commit", others: ["api/commit"] }],
    });
  });

  test("returns both entries of a keyword that is in two categories", async () => {
    const { payload } = await call("get_knowledge", {
      scope_id: "checkout-api",
      keywords: ["commit", "api/commit", "git/commit"],
    });
    // Each row names what was asked for; git/commit is what the plain keyword gave.
    expect(payload).toEqual([
      inText(commit),
      {
        keyword: "api/commit",
        content: "API commits only on Mondays",
        source_tier: "PRODUCT",
      },
    ]);
  });
});

describe("errors", () => {
  test("an unknown scope is named with the nearest ids", async () => {
    for (const [tool, args] of [
      ["get_categories", { project_name: "Checkout-Api" }],
      ["get_keywords", { project_name: "Checkout-Api", categories: ["git"] }],
      ["get_knowledge", { scope_id: "Checkout-Api", keywords: ["commit"] }],
    ] as const) {
      const { payload, isError } = await call(tool, args);
      expect(isError).toBe(true);
      expect(payload).toEqual({
        schemaVersion: 1,
        success: false,
        error: "scope_not_found",
        message:
          'No scope has the id "Checkout-Api". Did you mean "checkout-api"? Ids are case-sensitive.',
        scope_id: "Checkout-Api",
        suggestions: ["checkout-api"],
      });
    }
  });

  test.each([
    ["get_categories", {}, "missing_required_parameter", "project_name"],
    ["get_categories", { project_name: "" }, "invalid_parameter", "project_name"],
    ["get_keywords", { project_name: "webapp" }, "missing_required_parameter", "categories"],
    [
      "get_keywords",
      { project_name: "webapp", categories: "git" },
      "invalid_parameter",
      "categories",
    ],
    ["get_knowledge", { scope_id: "webapp", keywords: [1] }, "invalid_parameter", "keywords.0"],
    ["get_knowledge", { scope_id: 1, keywords: [] }, "invalid_parameter", "scope_id"],
    ["knowledge-scope-put", { scope_id: "x", tier: "TEAM" }, "invalid_parameter", "tier"],
    [
      "knowledge-entry-put",
      { scope_id: "webapp", category: "c", keyword: "k" },
      "missing_required_parameter",
      "content",
    ],
    [
      "knowledge-entry-put",
      { scope_id: "webapp", category: "a/b", keyword: "k", content: "c" },
      "invalid_parameter",
      "category",
    ],
  ])("%s %j is answered with %s", async (tool, args, error, parameter) => {
    const { payload, isError } = await call(tool, args);
    expect(isError).toBe(true);
    expect(payload).toMatchObject({ success: false, error, parameter });
  });
});

describe("authoring", () => {
  test("a scope and its entries are put, overridden, removed", async () => {
    expect(
      (await call("knowledge-scope-put", { scope_id: "team", tier: "GROUP", parent: "webapp" }))
        .payload,
    ).toEqual({
      success: true,
      scope_id: "team",
      tier: "GROUP",
      parent: "webapp",
      outcome: "created",
      message: "Scope created",
    });
    const entry = { scope_id: "team", category: "api", keyword: "auth" };
    expect((await call("knowledge-entry-put", { ...entry, content: "mTLS" })).payload).toEqual({
      success: true,
      ...entry,
      outcome: "created",
      overrides: { source_scope: "webapp", source_tier: "PRODUCT" },
      message: "Entry created",
    });
    const auth = async () =>
      (await call("get_knowledge", { scope_id: "team", keywords: ["auth"] })).payload;
    expect(await auth()).toMatchObject([{ content: "mTLS", source_tier: "GROUP" }]);
    expect((await call("knowledge-entry-remove", entry)).payload).toMatchObject({
      success: true,
      inherited: { content: "OAuth", source_scope: "webapp", source_tier: "PRODUCT" },
    });
    expect(await auth()).toMatchObject([{ content: "OAuth" }]);
  });

  test("a scope is removed only with confirm, and not while others inherit from it", async () => {
    const asked = await call("knowledge-scope-remove", { scope_id: "webapp" });
    expect(asked.isError).toBe(true);
    expect(asked.payload).toEqual({
      schemaVersion: 1,
      success: false,
      error: "confirmation_required",
      message: "Set confirm=true to remove this scope",
      scope: { id: "webapp", tier: "PRODUCT", categories: 2, entries: 5 },
    });
    const refused = await call("knowledge-scope-remove", { scope_id: "webapp", confirm: true });
    expect(refused.payload).toMatchObject({ success: false, error: "scope_has_children" });
    await call("knowledge-scope-put", { scope_id: "gone", tier: "PROJECT" });
    const done = await call("knowledge-scope-remove", { scope_id: "gone", confirm: true });
    expect(done.payload).toEqual({
      success: true,
      scope_id: "gone",
      entries_removed: 0,
      message: "Scope removed successfully",
    });
  });

  test("a parent that is not more general is refused", async () => {
    const { payload } = await call("knowledge-scope-put", {
      scope_id: "below",
      tier: "PRODUCT",
      parent: "checkout-api",
    });
    expect(payload).toMatchObject({ success: false, error: "scope_conflict" });
  });
});
