import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { oneOfEachFormat } from "../../fixtures/console-files.ts";
import type { OpenedConsole } from "../../support/console.ts";

export function documentCases(opened: OpenedConsole): void {
  test("a document is shown page by page with its passages, and downloads as it was", async () => {
    const { page } = opened();
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
}
