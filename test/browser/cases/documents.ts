import { expect, test } from "vitest";
import type { OpenedConsole } from "../../support/console.ts";

export function documentsCases(opened: OpenedConsole): void {
  test("the table sorts by name both ways", async () => {
    const { page } = opened();
    const names = page.getByRole("region", { name: "Documents" }).getByRole("rowheader");
    await page.getByRole("button", { name: "Name" }).click();
    await expect.poll(() => names.first().textContent()).toBe("data.json");
    await page.getByRole("button", { name: "Name" }).click();
    await expect.poll(() => names.first().textContent()).toBe("talk.pptx");
  });

  test("a second browser sees what the first one removes", async () => {
    const { page, go } = opened();
    const other = await opened().visitor("documents");
    await other.page.getByRole("link", { name: "plain.txt" }).waitFor();
    await go("Documents");
    await page.getByRole("button", { name: "Remove plain.txt" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("Removed plain.txt").waitFor();
    await other.page.getByRole("link", { name: "plain.txt" }).waitFor({ state: "detached" });
    await other.close();
  });
}
