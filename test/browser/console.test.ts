// Every page of the console in a real browser, on a real server.
import { readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, type Visit, visit } from "../support/browser.ts";
import { oneOfEachFormat, type SampleFile } from "../support/console-files.ts";
import { type HttpServer, startHttp } from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";

const browser = await openBrowser();
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const READY = 60_000;

async function upload(page: Page, files: readonly SampleFile[]): Promise<void> {
  await page.getByLabel("choose files").setInputFiles([...files]);
}

const uploadRow = (page: Page, name: string) =>
  page.getByRole("region", { name: "Uploads" }).getByRole("listitem").filter({ hasText: name });

/** What axe finds wrong, one line each. */
async function faults(page: Page): Promise<readonly string[]> {
  // The policy of the page forbids injected scripts, so axe is evaluated instead of added.
  await page.evaluate(await readFile(AXE, "utf8"));
  const { violations } = await page.evaluate(() =>
    (
      globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      }
    ).axe.run(),
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

describe.skipIf(!browser)("console", () => {
  let folder: string;
  let server: HttpServer;
  let home: string;
  let seen: Visit;
  let page: Page;

  beforeAll(async () => {
    folder = tempFolder("console");
    server = await startHttp({ dataDir: join(folder, "data"), root: folder });
    home = server.url.replace("/mcp", "/");
    seen = await visit(browser as Browser, home);
    page = seen.page;
  });
  afterAll(async () => {
    await seen?.close();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const go = async (name: string) => {
    await page
      .getByRole("navigation", { name: "knowledge-server" })
      .getByRole("link", { name })
      .click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
  };

  test("an empty base says what to do first", async () => {
    await page.getByRole("heading", { name: "The knowledge base is empty" }).waitFor();
    await page.getByRole("link", { name: "Add documents" }).click();
    await page.getByRole("heading", { level: 1, name: "Documents" }).waitFor();
  });

  test("a file of every format becomes a finished document", async () => {
    const files = await oneOfEachFormat();
    await upload(page, files);
    for (const { name } of files) {
      await uploadRow(page, name).getByText("Ready").waitFor({ timeout: READY });
    }
    const table = page.getByRole("region", { name: "Documents" });
    for (const { name } of files) await table.getByRole("link", { name }).waitFor();
  }, 120_000);

  test("the same file again is shown as already present", async () => {
    await upload(page, (await oneOfEachFormat()).slice(8, 9));
    await uploadRow(page, "notes.md").first().getByText("Already here").waitFor({ timeout: READY });
  });

  test("a running upload can be cancelled and leaves nothing", async () => {
    const text = Array.from(
      { length: 20_000 },
      (_, at) => `Line ${at} of a long report on weather.`,
    );
    await upload(page, [
      { name: "long.txt", mimeType: "text/plain", buffer: Buffer.from(text.join("\n\n")) },
    ]);
    await page.getByRole("button", { name: "Cancel long.txt" }).click({ timeout: READY });
    await uploadRow(page, "long.txt").getByText("Cancelled").waitFor();
    await page.getByPlaceholder("Filter by name").fill("long.txt");
    await page.getByText("No documents match.").waitFor();
    await page.getByPlaceholder("Filter by name").fill("");
  });

  test("a file dropped anywhere on the page is added", async () => {
    await page.evaluate(`
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["Dropped words."], "dropped.txt"));
      document.querySelector("h1").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
    `);
    await uploadRow(page, "dropped.txt").getByText("Ready").waitFor({ timeout: READY });
  });

  test("the way past the navigation stays on the page", async () => {
    await page.getByRole("button", { name: "Skip to content" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Documents" }).waitFor();
    expect(await page.locator("main").evaluate((main) => main.matches(":focus"))).toBe(true);
  });

  test("the table sorts by name both ways", async () => {
    const names = page.getByRole("region", { name: "Documents" }).getByRole("rowheader");
    await page.getByRole("button", { name: "Name" }).click();
    await expect.poll(() => names.first().textContent()).toBe("data.json");
    await page.getByRole("button", { name: "Name" }).click();
    await expect.poll(() => names.first().textContent()).toBe("talk.pptx");
  });

  test("a document is shown page by page with its passages, and downloads as it was", async () => {
    await page
      .getByRole("region", { name: "Documents" })
      .getByRole("link", { name: "guide.pdf" })
      .click();
    const second = page.getByRole("region", { name: "Page 2" });
    await second.getByText("anemometer").waitFor();
    await page.getByLabel("Show passages").check();
    await page.locator(".passage").first().waitFor();
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download original" }).click();
    const download = await downloading;
    const original = (await oneOfEachFormat()).find(({ name }) => name === "guide.pdf");
    expect(await readFile(await download.path())).toEqual(original?.buffer);
    expect(download.suggestedFilename()).toBe("guide.pdf");
  });

  test("search answers while typing, marks the words and explains the score", async () => {
    await go("Search");
    await page.getByRole("searchbox", { name: "Search or ask" }).fill("when do quinces ripen");
    const hit = page
      .getByRole("main")
      .getByRole("listitem")
      .filter({ hasText: "page.html" })
      .first();
    await hit.locator("mark", { hasText: /quinces/i }).waitFor({ timeout: READY });
    await hit.getByText(/Relevance/).click();
    await hit.getByText("Meaning").waitFor();
  });

  test("a filter narrows the results", async () => {
    await page.getByLabel("Format").selectOption("pdf");
    await page.getByText("page.html").waitFor({ state: "detached" });
    await page.getByLabel("Format").selectOption("");
  });

  test("an answer cites its source, which opens at the place", async () => {
    await page.getByRole("searchbox", { name: "Search or ask" }).fill("Where is the anemometer?");
    await page.getByRole("button", { name: "Ask" }).click();
    const answer = page.getByRole("region", { name: "Answer" });
    await answer.getByText("on the roof").first().waitFor({ timeout: READY });
    await answer
      .getByRole("link", { name: /guide\.pdf/ })
      .first()
      .click();
    await page.locator("mark.cited", { hasText: "anemometer" }).waitFor();
  });

  test("going back from a document finds the question again", async () => {
    await page.goBack();
    const box = page.getByRole("searchbox", { name: "Search or ask" });
    await expect.poll(() => box.inputValue()).toBe("Where is the anemometer?");
    await page.getByRole("main").getByRole("listitem").first().waitFor();
  });

  test("a scope is made, inherits, is overridden in place, and shows which rule wins", async () => {
    await go("Scopes");
    const newScope = async (id: string, tier: string, parent: string) => {
      await page.getByRole("button", { name: "New scope" }).click();
      const form = page.getByRole("dialog");
      await form.getByLabel("Scope id").fill(id);
      await form.getByLabel("Tier").selectOption(tier);
      await form.getByLabel("Parent").selectOption(parent);
      await form.getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { name: id }).waitFor();
    };
    await newScope("general", "GENERAL", "");
    await page.getByRole("button", { name: "New rule" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Category", { exact: true }).fill("git");
    await form.getByLabel("When the category matters").fill("Before any commit.");
    await form.getByLabel("Keyword").fill("commit");
    await form.getByLabel("Content").fill("Write in the present tense.");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("Write in the present tense.").waitFor();
    await page.getByText("Before any commit.").waitFor();
    await newScope("checkout-api", "PROJECT", "general");
    await page.getByRole("button", { name: "Edit commit" }).click();
    await page.getByRole("dialog").getByLabel("Content").fill("Name the ticket.");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByText("Name the ticket.").waitFor();
    await page.getByText("Overrides general (GENERAL)").click();
    await page.getByText("Write in the present tense.").waitFor();
  });

  test("the connect page holds real addresses, and a live call answers", async () => {
    await go("Connect");
    for (const client of [
      "Claude Desktop",
      "Claude Code",
      "Windsurf",
      "VS Code",
      "Codex",
      "Kiro",
    ]) {
      await page.getByRole("tab", { name: client }).click();
      await page
        .getByRole("region", { name: "As a local process" })
        .getByText("knowledge-server")
        .first()
        .waitFor();
    }
    await page.getByRole("region", { name: "Over HTTP" }).getByText(server.url).waitFor();
    await page.getByRole("button", { name: "Call" }).click();
    await page.getByRole("region", { name: "Result" }).getByText('"unavailable"').first().waitFor();
  });

  test("a second browser sees what the first one removes", async () => {
    const other = await visit(browser as Browser, `${home}#/documents`);
    await other.page.getByRole("link", { name: "plain.txt" }).waitFor();
    await go("Documents");
    await page.getByRole("button", { name: "Remove plain.txt" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("Removed plain.txt").waitFor();
    await other.page.getByRole("link", { name: "plain.txt" }).waitFor({ state: "detached" });
    await other.close();
  });

  test("the whole console is in Japanese for those who want it", async () => {
    const other = await visit(browser as Browser, home, { locale: "ja-JP" });
    await other.page.getByRole("heading", { level: 1, name: "概要" }).waitFor();
    expect(await other.page.locator("html").getAttribute("lang")).toBe("ja");
    await other.page.goto(`${home}#/documents`);
    await other.page.getByRole("cell", { name: "テキスト" }).first().waitFor();
    await other.close();
  });

  test("axe finds nothing wrong on any page, light or dark", { timeout: 300_000 }, async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const other = await visit(browser as Browser, home, { colorScheme });
      for (const name of [
        "overview",
        "documents",
        "search?q=turbines",
        "scopes/checkout-api",
        "connect",
      ]) {
        await other.page.goto(`${home}#/${name}`);
        await other.page.getByRole("heading", { level: 1 }).waitFor();
        await other.page.waitForTimeout(500);
        expect(await faults(other.page), `${name}, ${colorScheme}`).toEqual([]);
      }
      await other.close();
    }
  });

  test("no page is wider than a telephone", async () => {
    const other = await visit(browser as Browser, home);
    await other.page.setViewportSize({ width: 380, height: 800 });
    for (const name of [
      "overview",
      "documents",
      "search?q=turbines",
      "scopes/general",
      "connect",
    ]) {
      await other.page.goto(`${home}#/${name}`);
      await other.page.getByRole("heading", { level: 1 }).waitFor();
      await other.page.waitForTimeout(500);
      const excess = await other.page
        .locator("html")
        .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      expect(excess, name).toBe(0);
    }
    await other.close();
  });

  test("no script failed and nothing was asked of another host", () => {
    expect(seen.troubles).toEqual([]);
  });
});

describe.skipIf(!browser)("console with a token", () => {
  test("the token is asked for, a wrong one refused, the right one lets in", async () => {
    const folder = tempFolder("console");
    const server = await startHttp({
      dataDir: join(folder, "data"),
      root: folder,
      token: "a-token-of-the-team",
    });
    const seen = await visit(browser as Browser, server.url.replace("/mcp", "/"));
    try {
      const { page } = seen;
      await page.getByLabel("Access token").fill("not-the-right-one");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").getByText("refused").waitFor();
      await page.getByLabel("Access token").fill("a-token-of-the-team");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "The knowledge base is empty" }).waitFor();
      await page.getByRole("link", { name: "Documents", exact: true }).click();
      await page.getByText("No documents yet.").waitFor();
      await page.getByRole("link", { name: "Search", exact: true }).click();
      await page.getByRole("searchbox").fill("anything");
      await page.getByRole("alert").getByText("Drop files on the Documents page").waitFor();
    } finally {
      await seen.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe.skipIf(!browser)("console of a server with some families", () => {
  test("only pages that work are shown", async () => {
    const folder = tempFolder("console");
    const server = await startHttp({
      dataDir: join(folder, "data"),
      root: folder,
      tools: "scopes,file",
    });
    const seen = await visit(browser as Browser, server.url.replace("/mcp", "/"));
    try {
      await seen.page.getByRole("heading", { level: 1, name: "Scopes" }).waitFor();
      const links = seen.page.getByRole("navigation", { name: "knowledge-server" });
      expect(await links.getByRole("link").allTextContents()).toEqual(["Scopes", "Connect"]);
    } finally {
      await seen.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
