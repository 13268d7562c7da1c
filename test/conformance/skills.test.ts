// A scope as a skill: listed, fetched and verified by the official client, and made of the rules that hold.
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../support/clients.ts";
import { modernClient } from "../support/modern.ts";
import { type Program, startHttpProgram } from "../support/process.ts";
import { passes } from "./official/scenario.ts";

let http: Program & { url: string };
const write = (name: string, args: object) =>
  modernClient(`${http.url}/mcp`).ask("tools/call", { name, arguments: args });
const rule = (scope_id: string, category: string, keyword: string, content: string) =>
  write("knowledge-entry-put", { scope_id, category, keyword, content });

beforeAll(async () => {
  http = await startHttpProgram({ args: [] });
  await write("knowledge-scope-put", { scope_id: "company", tier: "GENERAL" });
  await write("knowledge-scope-put", {
    scope_id: "Shop Front/Web",
    tier: "PROJECT",
    parent: "company",
    description: 'The shop: its pages, and what "done" means.\n---\nname: other',
  });
  await write("knowledge-scope-put", { scope_id: "商店", tier: "PROJECT", parent: "company" });
  await rule("company", "git", "commit", "Write why.");
  await rule("company", "git", "push", "Never force.");
  await rule("Shop Front/Web", "git", "commit", "Name the page.");
  await rule("Shop Front/Web", "API & data", "auth", "Use tokens.");
});
afterAll(() => http?.stop());

const open = async (mode: "legacy" | "modern") => {
  const client = await connect(new StreamableHTTPClientTransport(new URL(`${http.url}/mcp`)), mode);
  return { client, skills: new SkillsClient(client) };
};

test.each(["legacy", "modern"] as const)(
  "%s: every scope is a skill whose files verify",
  async (mode) => {
    const { client, skills } = await open(mode);
    expect(skills.supported).toBe(true);
    const { skills: listed } = await skills.list();
    expect(listed.map(({ frontmatter }) => frontmatter.name).sort()).toEqual([
      "company",
      expect.stringMatching(/^rules-[0-9a-f]{8}$/),
      expect.stringMatching(/^shop-front-web-[0-9a-f]{8}$/),
    ]);
    for (const skill of listed) {
      expect((await skills.get(skill.uri)).skill).toEqual(skill);
      for (const { uri } of skill.resources as readonly { uri: string }[]) {
        expect(await skills.read(skill, uri)).toMatchObject({ verified: true });
      }
    }
    await client.close();
  },
);

test("its files have the scope's own and inherited rules, and no others", async () => {
  const { client, skills } = await open("modern");
  const { skills: listed } = await skills.list();
  const shop = listed.find(({ frontmatter }) => frontmatter.name.startsWith("shop"));
  if (!shop) throw new Error("no skill of the shop");
  const { body, frontmatter } = await skills.read(shop);
  expect(frontmatter).toEqual(shop.frontmatter);
  const git = await skills.read(shop, "references/git.md");
  expect(git.text).toContain("Name the page.");
  expect(git.text).toContain("Never force.");
  expect(git.text).not.toContain("Write why.");
  for (const [, file] of body?.matchAll(/\]\((references\/[^)]+)\)/g) ?? []) {
    expect(await skills.read(shop, file)).toMatchObject({ verified: true });
  }
  await client.close();
});

test("a changed rule changes the skill", async () => {
  const { client, skills } = await open("modern");
  const uri = "skill://scopes/company/SKILL.md";
  const before = (await skills.get(uri)).skill;
  await rule("company", "git", "push", "Only after review.");
  const after = (await skills.get(uri)).skill;
  expect(after.resources).not.toEqual(before.resources);
  expect((await skills.read(after, "references/git.md")).text).toContain("Only after review.");
  await client.close();
});

test.each([
  "skill://scopes/unknown/SKILL.md",
  "skill://scopes/company/references/git.md",
  "skill://scopes/company",
  "https://scopes/company/SKILL.md",
])("there is no skill at %s", async (uri) => {
  const { client, skills } = await open("modern");
  await expect(skills.get(uri)).rejects.toMatchObject({ code: -32_602 });
  await client.close();
});

test.each(["sep-2640-skills-enumeration", "sep-2640-skills-manifest"])(
  "the official suite: %s",
  async (scenario) => {
    expect(await passes(http.url, scenario)).toEqual({ passed: true, failed: 0 });
  },
);
