// Requirements of every page: both languages, both themes, three widths, accessible, no English on Japanese pages.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axeFaults, type OpenedConsole } from "../../support/console.ts";

const ROUTES = [
  "overview",
  "documents",
  "search",
  "search?q=turbines",
  "scopes/checkout-api",
  "sources",
  "access",
  "check",
  "connect",
  "settings",
  "nowhere",
] as const;

/** In English and in Japanese. */
const HEADINGS: Readonly<Record<string, RegExp>> = {
  overview: /Overview|概要/,
  documents: /Documents|文書/,
  search: /Search|検索/,
  scopes: /Scopes|スコープ/,
  sources: /Sources|同期元/,
  access: /Access|権限/,
  check: /Check|検索チェック/,
  connect: /Connect|接続/,
  settings: /Settings|設定/,
  nowhere: /Page not found|見つかりません/,
};

const LOOKS = [
  { locale: "en", colorScheme: "light", width: 1440 },
  { locale: "ja-JP", colorScheme: "dark", width: 360 },
  { locale: "en", colorScheme: "dark", width: 768 },
] as const;

const HEIGHT = 800;

/** The page of the address is shown with its results, not the one before it, and its requests are done. */
async function settle(page: Page, route: string): Promise<void> {
  const name = HEADINGS[route.split(/[/?]/)[0] ?? ""] ?? expect.unreachable();
  await page.getByRole("heading", { level: 1, name }).waitFor();
  if (route.includes("?q=")) await page.getByText(/\d (?:ms|ミリ秒)/).waitFor();
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
}

export function everyPageCases(opened: OpenedConsole): void {
  test.each(LOOKS)("pages fit and are accessible: %o", async ({ width, ...look }) => {
    const { home, visitor } = opened();
    const { page, troubles, close } = await visitor("overview", look);
    await page.setViewportSize({ width, height: HEIGHT });
    for (const route of ROUTES) {
      await page.goto(`${home}${route}`);
      await settle(page, route);
      expect(await page.locator("html").getAttribute("lang")).toBe(look.locale.slice(0, 2));
      expect(await page.evaluate(CUT_OFF), `${route} at ${width}`).toEqual([]);
      expect(await axeFaults(page), `${route} at ${width}`).toEqual([]);
    }
    expect(troubles).toEqual([]);
    await close();
  });

  test("an unknown address shows a message and a link to the start page", async () => {
    const { page, home } = opened();
    await page.goto(`${home}nowhere`);
    await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
    await page.getByRole("link", { name: "Go to the start page" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  });
}

/** Elements that overflow the right edge outside of a scrollable area. */
const CUT_OFF = `[...document.body.querySelectorAll("*")]
  .filter((element) => {
    const { right, width } = element.getBoundingClientRect();
    const isLeft = element.closest(".scroll, pre, .preferences, .skip, .hidden") === null;
    return width > 0 && right > innerWidth + 1 && isLeft;
  })
  .map((element) => element.outerHTML.slice(0, 120))`;
