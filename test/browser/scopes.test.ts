// The scopes page in a real browser: on one server and one page, which the cases share in this order.
import type { Browser, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { axeFaults, type ConsoleUnderTest, openConsoleUnderTest } from "../support/console.ts";
import { connectTo } from "../support/spawned.ts";

const browser = await openBrowser();

/** In the browser: what a person holds over the page. */
const DROPPED = `(() => {
  const dropped = new DataTransfer();
  dropped.items.add(new File(["## Git\\n\\n### Tag\\n\\nBy version.\\n"], "AGENTS.md"));
  return dropped;
})()`;

describe.skipIf(!browser)("scopes", () => {
  const state: { console?: ConsoleUnderTest } = {};
  const opened = () => {
    if (!state.console) throw new Error("The console is not open yet.");
    return state.console;
  };
  beforeAll(async () => {
    const console = await openConsoleUnderTest(browser as Browser, { tools: "scopes" });
    state.console = console;
    const { call, close } = await connectTo("http", console.server.url);
    await call("knowledge-scope-put", { scope_id: "company", tier: "GENERAL" });
    await call("knowledge-scope-put", { scope_id: "shop", tier: "PROJECT", parent: "company" });
    for (const [category, keyword, content] of [
      ["git", "commit", "Write in the present tense."],
      ["git", "push", "Never push to main."],
      ["api", "errors", "Name the remedy."],
    ]) {
      await call("knowledge-entry-put", { scope_id: "company", category, keyword, content });
    }
    await close();
  });
  afterAll(async () => {
    await state.console?.close();
  });

  test("an id is checked as it is typed", async () => {
    const { page } = opened();
    await page.getByRole("button", { name: "New scope" }).click();
    const form = page.getByRole("dialog");
    const id = form.getByLabel("Scope id");
    const save = form.getByRole("button", { name: "Save" });
    await expect.poll(() => save.isDisabled()).toBe(true);
    await id.fill("shop ");
    await form.getByText("A scope with this id already exists.").waitFor();
    await expect.poll(() => save.isDisabled()).toBe(true);
    await id.fill("x".repeat(201));
    await form.getByText("At most 200 characters.").waitFor();
    await id.fill("new shop !!");
    await form.getByRole("button", { name: "Use new-shop" }).click();
    await expect.poll(() => id.inputValue()).toBe("new-shop");
    expect(await axeFaults(page)).toEqual([]);
    await save.click();
    await page.getByRole("heading", { name: "new-shop" }).waitFor();
  });

  test("a scope without rules offers to add the first one", async () => {
    const { page } = opened();
    await page.getByRole("heading", { name: "No rules here yet" }).waitFor();
    await page.getByRole("button", { name: "Add the first rule" }).click();
    const form = page.getByRole("dialog", { name: "New rule in new-shop" });
    await form.getByLabel("Category", { exact: true }).fill("style");
    await form.getByLabel("Keyword").fill("tabs");
    await form.getByLabel("Content").fill("Two spaces.");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("1 of 1 rule").waitFor();
  });

  test("the rules of a scope are filtered while typing", async () => {
    const { page } = opened();
    await page.getByRole("link", { name: "shop PROJECT", exact: true }).click();
    await page.getByText("3 of 3 rules").waitFor();
    await page.getByLabel("Filter the rules").fill("PUSH main");
    await page.getByText("1 of 3 rules").waitFor();
    expect(await page.getByText("Name the remedy.").count()).toBe(0);
    await page.getByLabel("Filter the rules").fill("nothing like it");
    await page.getByRole("button", { name: "Show all rules" }).click();
    await page.getByText("Name the remedy.").waitFor();
  });

  test("an inherited rule is changed where it comes from, or overridden here", async () => {
    const { page } = opened();
    await page.getByRole("button", { name: "Edit in company: push" }).click();
    const there = page.getByRole("dialog", { name: "Edit “push” in company" });
    await there.getByText("every scope that inherits it").waitFor();
    await there.getByLabel("Content").fill("Push by pull request.");
    await there.getByRole("button", { name: "Save" }).click();
    await page.getByText("Push by pull request.").waitFor();
    await page.getByRole("button", { name: "Edit in company: push" }).waitFor();
    await page.getByRole("button", { name: "Override here: commit" }).click();
    const here = page.getByRole("dialog", { name: "Override “commit” in shop" });
    await here.getByLabel("Content").fill("Name the ticket.");
    await here.getByRole("button", { name: "Save" }).click();
    await page.getByText("Overrides company (GENERAL)").waitFor();
    await page.getByText("Name the ticket.").waitFor();
    await page.getByRole("button", { name: "Remove: commit" }).click();
    await page.getByText("will again be inherited from company").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    // Until then the inherited text is there too, crossed out.
    await page.getByRole("button", { name: "Override here: commit" }).waitFor();
    await page.getByText("Write in the present tense.").waitFor();
  });

  test("a form keeps what is typed while the page loads its rules again", async () => {
    const { page } = opened();
    await page.getByRole("button", { name: "Edit in company: push" }).click();
    const form = page.getByRole("dialog", { name: "Edit “push” in company" });
    const content = form.getByLabel("Content");
    await content.fill("Half a sentence");
    const isLoad = (request: Request) =>
      request.postData()?.includes("explained-scopes/shop") === true;
    // The second answer is shown before the third question.
    for (let load = 0; load < 3; load += 1) await page.waitForRequest(isLoad);
    expect(await content.inputValue()).toBe("Half a sentence");
    await form.getByRole("button", { name: "Cancel" }).click();
  });

  test("a scope that others inherit from lists them instead of being removed", async () => {
    const { page } = opened();
    await page.getByRole("link", { name: "company GENERAL" }).click();
    await page.getByRole("heading", { level: 2, name: "company" }).waitFor();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "“company” cannot be removed yet" });
    await expect.poll(() => dialog.getByRole("link").allTextContents()).toEqual(["shop"]);
    await dialog.getByRole("link", { name: "shop" }).click();
    await page.getByRole("heading", { level: 2, name: "shop" }).waitFor();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByText("“shop” and its 0 rules will be removed.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  });

  test("a dropped AGENTS.md shows a preview, and Import writes it", async () => {
    const { page, server } = opened();
    const transfer = await page.evaluateHandle(DROPPED);
    await page.dispatchEvent("main", "drop", { dataTransfer: transfer });
    const dialog = page.getByRole("dialog", { name: "Import rules" });
    await dialog.getByText("1 new, 0 changed, 0 unchanged").waitFor();
    const changed = dialog.getByRole("list", { name: "Rules that change" });
    await changed.getByText("tag").first().click();
    await changed.getByText("By version.").waitFor();
    await expect.poll(() => dialog.getByLabel("Into the scope").inputValue()).toBe("shop");
    const { call, close } = await connectTo("http", server.url);
    expect(await call("get_keywords", { project_name: "shop", categories: ["git"] })).toEqual({
      git: ["commit", "push"],
    });
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    // The preview shows the rule too: only without it has the import been made.
    await dialog.waitFor({ state: "detached" });
    await page.getByText("By version.").waitFor();
    expect(await call("get_keywords", { project_name: "shop", categories: ["git"] })).toEqual({
      git: ["commit", "push", "tag"],
    });
    await close();
  });

  test("an import is previewed while the scope's id is typed", async () => {
    const { page, home } = opened();
    await page.goto(`${home}scopes`);
    await page.getByText("Choose a scope to see").waitFor();
    await page.dispatchEvent("main", "drop", {
      dataTransfer: await page.evaluateHandle(DROPPED),
    });
    const dialog = page.getByRole("dialog", { name: "Import rules" });
    await dialog.getByText("1 file to read: AGENTS.md").waitFor();
    const button = dialog.getByRole("button", { name: "Import", exact: true });
    await expect.poll(() => button.isDisabled()).toBe(true);
    await dialog.getByLabel("Into the scope").pressSequentially("my till");
    await expect.poll(() => button.isEnabled()).toBe(true);
    await dialog.getByText("my till ›").waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("link", { name: "shop PROJECT", exact: true }).click();
  });

  test("a chosen YAML file with a fault is named with its line and cannot be imported", async () => {
    const { page } = opened();
    await page.getByRole("button", { name: "Import rules" }).click();
    const dialog = page.getByRole("dialog", { name: "Import rules" });
    await dialog.getByLabel("Choose files").setInputFiles({
      name: "rules.yaml",
      mimeType: "application/yaml",
      buffer: Buffer.from("scopes:\n  - id: a\n    tier: TOP\n"),
    });
    await dialog.getByText("rules.yaml:2").waitFor();
    const button = dialog.getByRole("button", { name: "Import", exact: true });
    await expect.poll(() => button.isDisabled()).toBe(true);
    await dialog.getByRole("button", { name: "Cancel" }).click();
  });

  test("in Japanese on a phone nothing is cut off and the page is accessible", async () => {
    const { page, troubles, close } = await opened().visitor("scopes/shop", {
      locale: "ja-JP",
      colorScheme: "dark",
    });
    await page.setViewportSize({ width: 360, height: 800 });
    await page.getByRole("button", { name: "company で編集: push" }).waitFor();
    await page.getByText("4 件中 4 件を表示").waitFor();
    const width = () => page.evaluate("document.documentElement.scrollWidth") as Promise<number>;
    await expect.poll(width).toBeLessThanOrEqual(360);
    await page.getByRole("button", { name: "ルールを取り込む" }).click();
    await page.getByRole("dialog", { name: "ルールを取り込む" }).waitFor();
    await expect.poll(width).toBeLessThanOrEqual(360);
    expect(await axeFaults(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await close();
  });

  test("there are no script errors and no requests to other hosts", () => {
    expect(opened().seen.troubles).toEqual([]);
  });
});
