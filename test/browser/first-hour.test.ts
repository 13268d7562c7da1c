// What a new person does in the first hour, with the sample collection.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "../support/browser.ts";
import {
  axeFaults,
  type ConsoleUnderTest,
  openConsoleUnderTest,
  READY,
} from "../support/console.ts";

const browser = await openBrowser();

const boxOf = (page: Page) => page.getByRole("searchbox", { name: "Search or ask" });
const answerOf = (page: Page) => page.getByRole("region", { name: "Answer" });
const answered = (page: Page, words: string) =>
  answerOf(page).locator(".answer-text", { hasText: words }).waitFor({ timeout: READY });
const names = (page: Page) => page.getByRole("rowheader").getByRole("link").allTextContents();

describe.skipIf(!browser)("the first hour", () => {
  const state: { console?: ConsoleUnderTest } = {};
  const opened = () => state.console ?? expect.unreachable();
  beforeAll(async () => {
    state.console = await openConsoleUnderTest(browser as Browser, { samples: true });
  });
  afterAll(async () => {
    await state.console?.close();
  });

  test("a new knowledge base has samples, and their questions are answered", async () => {
    const { page, home } = opened();
    await page.goto(`${home}search`);
    await page.getByRole("heading", { name: "These documents are samples" }).waitFor();
    for (const [question, answer] of [
      ["How long is parental leave?", "14 months"],
      ["How long is the warranty on the battery?", "three years"],
      ["Can I return a bicycle after 20 days?", "within 30 days"],
    ] as const) {
      await page.getByRole("link", { name: question }).click();
      await answered(page, answer);
      await page.goto(`${home}search`);
    }
    expect(await axeFaults(page)).toEqual([]);
  });

  test("on a phone, further pages are in the bar's menu; questions are made and checked", async () => {
    const { visitor } = opened();
    const { page, close } = await visitor("overview", {});
    await page.setViewportSize({ width: 360, height: 800 });
    await page.getByRole("button", { name: "More" }).click();
    // The bar has room for pages only.
    expect(await page.locator(".brand").isVisible()).toBe(false);
    const further = page.locator(".preferences").getByRole("link", { name: "Check" });
    await further.click();
    await page.getByRole("heading", { name: "Check", level: 1 }).waitFor();
    expect(await further.count()).toBe(0);
    await page.getByRole("button", { name: "Make questions from the documents" }).click();
    await page.getByRole("button", { name: "Run the check" }).click({ timeout: READY });
    await page.getByText("Nothing was lost.").waitFor({ timeout: READY });
    expect(await axeFaults(page)).toEqual([]);
    await close();
  });

  test("a Japanese visitor is asked in Japanese", async () => {
    const { visitor } = opened();
    const { page, close } = await visitor("overview", { locale: "ja-JP" });
    await page.getByRole("link", { name: "修理には何日かかりますか?" }).click();
    await page.locator(".answer-text", { hasText: "5 営業日" }).waitFor({ timeout: READY });
    const source = page.getByRole("region", { name: "回答" }).getByRole("listitem");
    await source.getByText("サンプル", { exact: true }).waitFor();
    await page.getByRole("searchbox").fill("有給休暇は何日ですか?");
    await page.keyboard.press("Enter");
    await page.locator(".answer-text", { hasText: "20 日" }).waitFor({ timeout: READY });
    await page.getByRole("searchbox").fill("育児休業は?");
    await page.keyboard.press("Enter");
    await page.getByText("「育児休業は何日ですか?」として質問しました。").waitFor();
    await close();
  });

  test("an answer has an address that another person can open", async () => {
    const { page, home, visitor } = opened();
    await page.goto(`${home}search`);
    await boxOf(page).fill("How long is parental leave?");
    await page.keyboard.press("Enter");
    await answered(page, "14 months");
    const address = page.url();
    expect(address).toBe(`${home}search?q=How+long+is+parental+leave%3F&ask=1`);
    const other = await visitor(address.replace(home, ""));
    await answered(other.page, "14 months");
    expect(other.page.url()).toBe(address);
    await other.close();
  });

  test("a follow-up keeps the subject, says so, and Back returns to the answer before", async () => {
    const { page } = opened();
    await boxOf(page).fill("How long is the warranty on the frame?");
    await page.keyboard.press("Enter");
    await answered(page, "ten years");
    await boxOf(page).fill("and on the battery?");
    await page.keyboard.press("Enter");
    await page.getByText("Asked as “How long is the warranty on the battery?”.").waitFor();
    await answered(page, "three years");
    await page.reload();
    await page.getByText("Asked as “How long is the warranty on the battery?”.").waitFor();
    await page.goBack();
    await expect
      .poll(() => boxOf(page).inputValue())
      .toBe("How long is the warranty on the frame?");
    await answered(page, "ten years");
  });

  test("a question can be pinned and is found on the search page", async () => {
    const { page, home } = opened();
    await page.getByRole("button", { name: "Pin" }).click();
    await page.getByRole("button", { name: "Unpin" }).waitFor();
    await page.goto(`${home}search`);
    const pinned = page.getByRole("region", { name: "Pinned questions" });
    await pinned.getByRole("link", { name: "How long is the warranty on the frame?" }).click();
    await answered(page, "ten years");
  });

  test("one document can be asked", async () => {
    const { page, home } = opened();
    await page.goto(`${home}documents`);
    await page.getByRole("link", { name: "employee-handbook.md" }).click();
    await page.getByRole("link", { name: "Ask this document" }).click();
    await page.getByText("Only in employee-handbook.md").waitFor();
    await boxOf(page).fill("How long is the warranty on the battery?");
    await page.keyboard.press("Enter");
    await answerOf(page).getByRole("heading").first().waitFor({ timeout: READY });
    expect(await answerOf(page).getByText("warranty-and-returns").count()).toBe(0);
    await page.getByRole("button", { name: "Search all documents" }).click();
    await boxOf(page).press("Enter");
    await answered(page, "three years");
  });

  test("the palette asks, opens pages and acts, lists a document once, and closes on Back", async () => {
    const { page } = opened();
    const palette = page.getByRole("dialog", { name: "Search" });
    await page.keyboard.press("Control+k");
    await palette.getByRole("combobox").fill("documents");
    await palette.getByRole("option", { name: "Go to Documents", selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Documents" }).waitFor();
    await page.keyboard.press("Control+k");
    await palette.getByRole("combobox").fill("leave");
    await palette.getByRole("option", { name: /employee-handbook|Employee handbook/ }).waitFor();
    expect(await palette.getByRole("option", { name: /Employee handbook/ }).count()).toBe(1);
    await page.goBack();
    await palette.waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await palette.getByRole("combobox").fill("Change the theme");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Theme: light" }).waitFor();
    await page.keyboard.press("Control+k");
    await palette.getByRole("combobox").fill("How long is parental leave?");
    await palette.getByRole("option", { name: /^Ask:/, selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await answered(page, "14 months");
  });

  test("what cannot be loaded can be tried again", async () => {
    const { page, home } = opened();
    await page.route("**/mcp", (route) => route.abort());
    await page.goto(`${home}documents`);
    await page.getByRole("alert").getByText("could not be reached").waitFor();
    await page.unroute("**/mcp");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("link", { name: "employee-handbook.md" }).waitFor();
  });

  test("what is gone cannot be tried again", async () => {
    const { visitor } = opened();
    const { page, close } = await visitor("documents/00000000-0000-4000-8000-000000000000");
    await page.getByRole("alert").getByText("It may have been removed").waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    await page.getByRole("link", { name: "All documents" }).waitFor();
    await close();
  });

  test("a language model is looked for only when asked", async () => {
    const { page, home, seen } = opened();
    await page.goto(`${home}settings`);
    await page.getByRole("heading", { name: "Language model" }).waitFor();
    const found = page.waitForResponse((response) => response.url().endsWith("/api/model/find"));
    await page.getByRole("button", { name: "Look for a model on this machine" }).click();
    expect((await found).status()).toBe(200);
    await page.getByText(/No model was found|models? found/).waitFor();
    expect(seen.troubles.filter((trouble) => !trouble.includes("ERR_FAILED"))).toEqual([]);
    await page.goto(`${home}documents`);
  });

  test("a removal whose tab is closed is not lost", async () => {
    const { page, visitor } = opened();
    const other = await visitor("documents");
    await other.page.getByRole("button", { name: "Remove delivery-rates.csv" }).click();
    await other.page.getByRole("button", { name: "Undo" }).waitFor();
    await other.page.close();
    await expect.poll(() => names(page)).not.toContain("delivery-rates.csv");
    await other.close();
  });

  test("one click removes the samples, and the empty pages say what to do", async () => {
    const { page, home } = opened();
    await page.goto(`${home}overview`);
    await page.getByRole("button", { name: "Remove the samples" }).click();
    await page.getByRole("heading", { name: "The knowledge base is empty" }).waitFor();
    await page.goto(`${home}documents`);
    await page.getByText("No documents yet").waitFor();
    expect(await page.getByPlaceholder("Filter by name").count()).toBe(0);
    await page.goto(`${home}scopes`);
    await page.getByRole("heading", { name: "No scopes yet" }).waitFor();
  });
});
