// Every page of the console in a real browser, on a real server. The cases of an area are in cases/; they share one
// server and one page, in the order below: documents are added first, and removed late.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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
  describe("every page", { timeout: 300_000 }, () => everyPageCases(opened));

  test("no script failed and nothing was asked of another host", () => {
    expect(opened().seen.troubles).toEqual([]);
  });
});

describe.skipIf(!browser)("console with a token", () => {
  test("the token is asked for, a wrong one refused, the right one lets in", async () => {
    const { page, close } = await openConsoleUnderTest(browser as Browser, {
      token: "a-token-of-the-team",
    });
    try {
      await page.getByLabel("Access token").fill("not-the-right-one");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").getByText("refused").waitFor();
      await page.getByLabel("Access token").fill("a-token-of-the-team");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "The knowledge base is empty" }).waitFor();
      await page.getByRole("link", { name: "Documents", exact: true }).click();
      await page.getByText("No documents yet").waitFor();
      await page.getByRole("link", { name: "Search", exact: true }).click();
      await page.getByRole("searchbox").fill("anything");
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
      expect(await links.getByRole("link").allTextContents()).toEqual(["Scopes", "Connect"]);
    } finally {
      await close();
    }
  });
});
