import { expect, test } from "vitest";
import type { OpenedConsole } from "../../support/console.ts";

export function frameCases(opened: OpenedConsole): void {
  test("the skip link stays on the page", async () => {
    const { page, go } = opened();
    await go("Documents");
    await page.getByRole("button", { name: "Skip to content" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Documents" }).waitFor();
    const hasFocus = () => page.locator("main").evaluate((main) => main.matches(":focus"));
    await expect.poll(hasFocus).toBe(true);
  });
}
