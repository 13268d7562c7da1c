// The console in Japanese: the browser's language decides, also for error messages and dates.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FAILURES_JA } from "../../src/domain/phrases/failures-ja.ts";
import { JAPANESE } from "../../src/domain/phrases/japanese.ts";
import { openBrowser, type Visit } from "../support/browser.ts";
import { type ConsoleUnderTest, openConsoleUnderTest, READY } from "../support/console.ts";

const browser = await openBrowser();

describe.skipIf(!browser)("in Japanese", () => {
  let opened: ConsoleUnderTest;
  let seen: Visit;
  let page: Page;

  beforeAll(async () => {
    opened = await openConsoleUnderTest(browser as Browser);
    seen = await opened.visitor("documents", { locale: "ja-JP" });
    page = seen.page;
  });
  afterAll(async () => {
    await seen?.close();
    await opened?.close();
  });

  const choose = (name: string, text: string) =>
    page
      .getByLabel("ファイルを選択")
      .setInputFiles([{ name, mimeType: "text/plain", buffer: Buffer.from(text) }]);

  test("the browser's first language decides", async () => {
    await page.getByRole("heading", { level: 1, name: "文書" }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("ja");
    await page.getByText("文書はまだありません").waitFor();
  });

  test("a file that cannot be read has its reason in Japanese, here and on the overview", async () => {
    await choose("broken.pdf", "%PDF-1.7 but nothing more");
    const tray = page.getByRole("region", { name: "アップロード" });
    const row = tray.getByRole("listitem").filter({ hasText: "broken.pdf" });
    await row.getByText("失敗", { exact: true }).waitFor({ timeout: READY });
    const reason = "PDF が壊れていて(末尾が欠けています)、どのページも読み取れません。";
    await row.getByText(reason).waitFor();
    await page.getByRole("link", { name: "概要", exact: true }).click();
    await page.getByRole("main").getByText(reason).first().waitFor();
  });

  test("an empty file is called empty, and is not tried again", async () => {
    await page.goto(`${opened.home}documents`);
    await choose("empty.txt", "");
    const row = page.getByRole("listitem").filter({ hasText: "empty.txt" });
    await row.getByText(JAPANESE.empty).waitFor({ timeout: READY });
    expect(await row.getByRole("button", { name: "再試行" }).count()).toBe(0);
  });

  test("an unknown page shows its message in Japanese", async () => {
    await page.goto(`${opened.home}documents/00000000-0000-4000-8000-000000000000`);
    await page.getByText(FAILURES_JA.resource_not_found).waitFor();
  });

  test("dates are Japanese dates", async () => {
    await page.goto(`${opened.home}documents`);
    await choose("notes.md", "# 覚え書き\n\n船は正午に出ます。");
    const added = page.getByRole("row").filter({ hasText: "notes.md" }).locator("time");
    await added.getByText(/^(?:たった今|\d+ 分前)$/).waitFor({ timeout: READY });
    expect(await added.getAttribute("title")).toMatch(/^\d{4}\/\d\d\/\d\d \d{1,2}:\d\d$/);
  });

  test("another choice is remembered", async () => {
    await page.getByRole("button", { name: "English" }).click();
    await page.getByRole("heading", { level: 1, name: "Documents" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Documents" }).waitFor();
  });

  test("there are no script errors and no requests to other hosts", () => {
    // The browser notes the document that is not there, and the empty file that was refused.
    expect(seen.troubles.filter((trouble) => !/status of 40[04]/.test(trouble))).toEqual([]);
  });
});
