// Every page of the console in a real browser, on a real server. The cases of an area are in cases/; they share one
// server and one page, in the order below: documents are added first, and removed late.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Assets, readAssets } from "../../src/console/assets.ts";
import { openBrowser } from "../support/browser.ts";
import { type ConsoleUnderTest, openConsoleUnderTest } from "../support/console.ts";
import { connectCases } from "./cases/connect.ts";
import { documentCases } from "./cases/document.ts";
import { documentsCases } from "./cases/documents.ts";
import { everyPageCases } from "./cases/every-page.ts";
import { frameCases } from "./cases/frame.ts";
import { overviewCases } from "./cases/overview.ts";
import { scopesCases } from "./cases/scopes.ts";
import { searchCases } from "./cases/search.ts";
import { uploadCases } from "./cases/uploads.ts";

const browser = await openBrowser();

// In bytes, zipped as the server sends them.
const FIRST_LOAD = 120_000;
const PAGES = new URL("../../dist/console/", import.meta.url);

test("the first load is small, and the viewer and the Markdown renderer are loaded on demand", async () => {
  const files = await readAssets(PAGES);
  const loaded = assetsNamedBy(files.get("/")?.body.toString() ?? "", files);
  const names = [...loaded].map((path) => path.replace(/^\/assets\/|-[\w-]{8}(?=\.)/g, "")).sort();
  expect(names).toEqual(["icon.svg", "index.css", "index.js"]);
  const bytes = [...loaded].reduce((sum, path) => sum + (files.get(path)?.zipped.length ?? 0), 0);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(FIRST_LOAD);
  const later = [...files.keys()].filter((path) => path !== "/" && !loaded.has(path)).join();
  expect(later).toMatch(/viewer-.*\.js/);
  expect(later).toMatch(/engine-.*\.js/);
});

/** With what a script imports at once; `import()` waits. */
function assetsNamedBy(page: string, files: Assets): ReadonlySet<string> {
  const loaded = new Set(
    [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? ""),
  );
  for (const path of loaded) {
    const script = path.endsWith(".js") ? (files.get(path)?.body.toString() ?? "") : "";
    const imports = script.matchAll(/(?:from|import) ?["']\.\/([\w.-]+\.js)["']/g);
    for (const [, name] of imports) loaded.add(`/assets/${name}`);
  }
  return loaded;
}

describe.skipIf(!browser)("console", () => {
  const state: { console?: ConsoleUnderTest } = {};
  const opened = () => {
    if (!state.console) throw new Error("The console is not open yet.");
    return state.console;
  };
  beforeAll(async () => {
    state.console = await openConsoleUnderTest(browser as Browser);
  });
  afterAll(async () => {
    await state.console?.close();
  });

  describe("uploads", () => uploadCases(opened));
  describe("documents", () => documentsCases(opened));
  describe("document", () => documentCases(opened));
  describe("search", () => searchCases(opened));
  describe("overview", () => overviewCases(opened));
  describe("scopes", () => scopesCases(opened));
  describe("connect", () => connectCases(opened));
  describe("frame", () => frameCases(opened));
  describe("every page", () => everyPageCases(opened));

  test("there are no script errors and no requests to other hosts", () => {
    expect(opened().seen.troubles).toEqual([]);
  });
});

describe.skipIf(!browser)("console with a token", () => {
  test("the console asks for the token, refuses a wrong one and accepts the right one", async () => {
    const { page, close } = await openConsoleUnderTest(browser as Browser, {
      token: "a-token-of-the-team",
    });
    try {
      await page.getByLabel("Access token").waitFor();
      expect(await page.getByRole("navigation").count()).toBe(0);
      await page.getByLabel("Access token").fill("not-the-right-one");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").getByText("refused").waitFor();
      await page.getByLabel("Access token").fill("a-token-of-the-team");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "The knowledge base is empty" }).waitFor();
      await page.getByRole("link", { name: "Documents", exact: true }).click();
      await page.getByText("No documents yet").waitFor();
      await page.getByRole("link", { name: "Search", exact: true }).click();
      await page.getByRole("searchbox", { name: "Search or ask" }).fill("anything");
      await page.getByRole("heading", { name: "The knowledge base is empty" }).waitFor();
      await page.getByRole("link", { name: "Add documents" }).waitFor();
    } finally {
      await close();
    }
  });
});

describe.skipIf(!browser)("console of a server with some families", () => {
  test("only pages that work are shown", async () => {
    const { page, close } = await openConsoleUnderTest(browser as Browser, {
      tools: "scopes,file",
    });
    try {
      await page.getByRole("heading", { level: 1, name: "Scopes" }).waitFor();
      const links = page.getByRole("navigation", { name: "knowledge-server" });
      await expect
        .poll(() => links.getByRole("link").allTextContents())
        .toEqual(["Scopes", "Access", "Connect"]);
    } finally {
      await close();
    }
  });
});
