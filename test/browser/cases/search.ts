import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axeFaults, type OpenedConsole, READY } from "../../support/console.ts";

const boxOf = (page: Page) => page.getByRole("searchbox", { name: "Search or ask" });
const groupOf = (page: Page, name: string) => page.locator(".group", { hasText: name }).first();
const hasFocus = async (page: Page, selector: string) =>
  (await page.locator(`:is(${selector}):focus`).count()) > 0;

export function searchCases(opened: OpenedConsole): void {
  test("/ opens the search box from another page, and Escape goes back", async () => {
    const { page, go } = opened();
    await go("Connect");
    await page.keyboard.press("/");
    await page.getByRole("heading", { level: 1, name: "Search" }).waitFor();
    await expect.poll(() => hasFocus(page, "#search-box")).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { level: 1, name: "Connect" }).waitFor();
  });

  test("Ctrl-K searches on top of the page; arrows choose and Enter opens the place", async () => {
    const { page, go } = opened();
    await go("Connect");
    await page.keyboard.press("Control+k");
    const overlay = page.getByRole("dialog", { name: "Search" });
    const box = overlay.getByRole("combobox", { name: "Search or ask" });
    await box.fill("barometer calibrated");
    const hit = overlay.getByRole("option", { name: /guide\.pdf.*Page 1/ }).first();
    await hit.waitFor();
    await expect.poll(() => hit.getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("ArrowUp");
    await overlay.getByRole("option", { name: "All results", selected: true }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "guide.pdf" }).waitFor();
    await page.locator("mark.cited", { hasText: "barometer" }).first().waitFor();
    await page.keyboard.press("Control+k");
    await overlay.getByRole("option", { name: "barometer calibrated" }).waitFor();
    await page.keyboard.press("Escape");
    await overlay.waitFor({ state: "detached" });
  });

  test("what is typed right after Ctrl-K is in the box", async () => {
    const { page, go } = opened();
    await go("Connect");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("barometer");
    const overlay = page.getByRole("dialog", { name: "Search" });
    await expect.poll(() => overlay.getByRole("combobox").inputValue()).toBe("barometer");
    await page.keyboard.press("Escape");
    await overlay.waitFor({ state: "detached" });
  });

  test("the documents' own headings are suggested", async () => {
    const { page, go } = opened();
    await go("Search");
    const known = /^(Memo|Notes|Page|Orchard|Turbines)$/;
    await page.getByRole("main").getByRole("link", { name: known }).first().waitFor();
  });

  test("results come while typing, by document, with the strength and its reasons", async () => {
    const { page } = opened();
    await expect.poll(() => hasFocus(page, "#search-box")).toBe(true);
    await page.keyboard.type("when do quinces ripen");
    const group = groupOf(page, "page.html");
    await group.locator("mark", { hasText: /quinces/i }).waitFor({ timeout: READY });
    await group.getByText(/^(Strong|Fair)$/).click();
    await group.getByText("Contains “quinces” “ripen”").waitFor();
    await expect.poll(() => page.url()).toContain("q=when+do+quinces+ripen");
  });

  test("weak results are collapsed", async () => {
    const { page } = opened();
    const weak = page.getByText(/weaker match(es)?, possibly about something else/);
    await weak.waitFor();
    const inside = page.locator(".fold.weak .group").first();
    await expect.poll(() => inside.isVisible()).toBe(false);
    await weak.click();
    await inside.getByText("Weak", { exact: true }).first().waitFor();
  });

  test("arrow keys select a result, Enter opens it, and the query is remembered", async () => {
    const { page, go } = opened();
    await boxOf(page).focus();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => hasFocus(page, "[data-hit]")).toBe(true);
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => hasFocus(page, "#search-box")).toBe(true);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "page.html" }).waitFor();
    expect(page.url()).toContain("q=when+do+quinces+ripen");
    await go("Search");
    await page.getByRole("button", { name: "when do quinces ripen" }).click();
    await groupOf(page, "page.html").waitFor();
  });

  test("a filter narrows the results, is in the address, and can be cleared", async () => {
    const { page, home } = opened();
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByLabel("Format").selectOption("pdf");
    await groupOf(page, "page.html").waitFor({ state: "detached" });
    await expect.poll(() => page.url()).toContain("format=pdf");
    await page.goto(`${home}search?q=quinces&since=2199-01-01`);
    await page.getByRole("heading", { name: /Nothing found for “quinces” with these/ }).waitFor();
    await page.getByRole("main").getByRole("button", { name: "Clear the filter" }).last().click();
    await groupOf(page, "page.html").waitFor();
    await expect.poll(() => page.url()).not.toContain("since=");
  });

  test("a citation marker shows its source, jumps to it and opens it at the cited place", async () => {
    const { page } = opened();
    await boxOf(page).fill("Where is the anemometer?");
    await page.getByRole("button", { name: "Ask" }).click();
    const answer = page.getByRole("region", { name: "Answer" });
    await answer.locator(".answer-text", { hasText: "on the roof" }).waitFor({ timeout: READY });
    const mark = answer.getByRole("button", { name: /^Source 1: guide\.pdf/ });
    await mark.hover();
    await answer.locator(".hover-card").getByText("guide.pdf").waitFor();
    await mark.click();
    await expect.poll(() => hasFocus(page, ".sources > li")).toBe(true);
    await answer
      .getByRole("link", { name: /guide\.pdf/ })
      .first()
      .click();
    await page.locator("mark.cited", { hasText: "anemometer" }).waitFor();
    expect(page.url()).toContain("q=Where+is+the+anemometer");
  });

  test("going back from a document restores the query", async () => {
    const { page } = opened();
    await page.goBack();
    await expect.poll(() => boxOf(page).inputValue()).toBe("Where is the anemometer?");
    await groupOf(page, "guide.pdf").waitFor();
  });

  test("a question that the documents do not answer gets passages, or none", async () => {
    const { page } = opened();
    await boxOf(page).fill("Who was the emperor of Mars in 1802?");
    await page.keyboard.press("Enter");
    const answer = page.getByRole("region", { name: "Answer" });
    await answer
      .getByRole("heading", { name: /Passages that may help|No answer found/ })
      .waitFor({ timeout: READY });
    await answer.getByText("KNOWLEDGE_LLM_URL").waitFor();
  });

  test("Ask respects the filters", async () => {
    const { page, home } = opened();
    await page.goto(`${home}search?q=Where+is+the+anemometer%3F&format=md`);
    await expect.poll(() => page.getByLabel("Format").inputValue()).toBe("md");
    await boxOf(page).press("Enter");
    const answer = page.getByRole("region", { name: "Answer" });
    await answer.getByRole("heading").first().waitFor({ timeout: READY });
    expect(await answer.getByText(/guide\.pdf|roof/).count()).toBe(0);
    await page.goto(`${home}search`);
  });

  test("recent questions can be cleared", async () => {
    const { page } = opened();
    await boxOf(page).fill("");
    await page.getByRole("heading", { name: "Recent searches" }).waitFor();
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await page.getByRole("heading", { name: "Recent searches" }).waitFor({ state: "detached" });
  });
}
