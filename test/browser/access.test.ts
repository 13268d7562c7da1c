// The access page in a real browser, and the console as another caller sees it.
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, type Visit, visit } from "../support/browser.ts";
import { post } from "../support/clients.ts";
import { axeFaults } from "../support/console.ts";
import { type Program, startHttpProgram } from "../support/process.ts";
import { runToEnd } from "../support/run.ts";
import { tempFolder } from "../support/temp-folder.ts";

const browser = await openBrowser();

describe.skipIf(!browser)("access", () => {
  const folder = tempFolder("access");
  const files = ["--token-file", join(folder, "tokens.yaml")];
  let server: Program & { url: string };
  let seen: Visit;
  let page: Page;
  let admin: string;

  const create = async (name: string, rights: string) => {
    const args = ["tokens", "create", name, "--rights", rights, ...files];
    return (await runToEnd({ args, folder })).stdout.trim();
  };

  beforeAll(async () => {
    admin = await create("boss", "read,write,admin");
    await create("ann", "read:checkout,write:shop/**");
    server = await startHttpProgram({ args: files });
    const put = (scope_id: string, tier: string, parent?: string) => {
      const params = { name: "knowledge-scope-put", arguments: { scope_id, tier, parent } };
      const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
      return post(server.url, message, { Authorization: `Bearer ${admin}` });
    };
    await put("general", "GENERAL");
    await put("shop", "PRODUCT", "general");
    await put("checkout", "GROUP", "shop");
    await put("bank", "PRODUCT", "general");
    seen = await visit(browser as Browser, `${server.url}/access`);
    page = seen.page;
  });
  afterAll(async () => {
    await seen?.close();
    await server?.stop();
  });

  test("each token's rights are shown in the tree of scopes", async () => {
    await page.getByLabel("Access token").fill(admin);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "ann" }).click();
    const card = page.getByRole("region", { name: "ann" });
    await card.getByText("write:shop/**").waitFor();
    const rows = await card.getByRole("listitem").evaluateAll((items) =>
      items.map((item) => {
        const own = [...item.children].filter(({ tagName }) => tagName === "SPAN");
        return own.map(({ textContent }) => textContent).join(" ");
      }),
    );
    expect(rows).toEqual(["general read", "bank", "shop read write", "checkout read write"]);
    expect(await axeFaults(page)).toEqual([]);
  });

  test("the console is seen as the token's owner sees it, until that is stopped", async () => {
    await page.getByRole("button", { name: "View as" }).click();
    await page.getByText("You see what ann sees.").waitFor();
    const pages = page.getByRole("navigation", { name: "knowledge-server" });
    await expect.poll(() => pages.getByRole("link", { name: "Access" }).count()).toBe(0);
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Stop" }).click();
    await pages.getByRole("link", { name: "Access" }).click();
    await page.getByRole("region", { name: "boss" }).waitFor();
    expect(await page.getByText("You see what ann sees.").count()).toBe(0);
  });
});
