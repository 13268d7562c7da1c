import type { Page } from "playwright-core";
import { test } from "vitest";
import { chooseFiles, type OpenedConsole, READY } from "../../support/console.ts";
import { oneOfEachFormat } from "../../support/console-files.ts";

const uploadRow = (page: Page, name: string) =>
  page.getByRole("region", { name: "Uploads" }).getByRole("listitem").filter({ hasText: name });

export function uploadCases(opened: OpenedConsole): void {
  test("an empty base says what to do first", async () => {
    const { page } = opened();
    await page.getByRole("heading", { name: "The knowledge base is empty" }).waitFor();
    await page.getByRole("link", { name: "Add documents" }).click();
    await page.getByRole("heading", { level: 1, name: "Documents" }).waitFor();
  });

  test("a file of every format becomes a finished document", async () => {
    const { page } = opened();
    const files = await oneOfEachFormat();
    await chooseFiles(page, files);
    for (const { name } of files) {
      await uploadRow(page, name).getByText("Ready").waitFor({ timeout: READY });
    }
    const table = page.getByRole("region", { name: "Documents" });
    for (const { name } of files) await table.getByRole("link", { name }).waitFor();
  }, 120_000);

  test("the same file again is shown as already present", async () => {
    const { page } = opened();
    await chooseFiles(page, (await oneOfEachFormat()).slice(8, 9));
    await uploadRow(page, "notes.md").first().getByText("Already here").waitFor({ timeout: READY });
  });

  test("a running upload can be cancelled and leaves nothing", async () => {
    const { page } = opened();
    const text = Array.from(
      { length: 20_000 },
      (_, at) => `Line ${at} of a long report on weather.`,
    );
    await chooseFiles(page, [
      { name: "long.txt", mimeType: "text/plain", buffer: Buffer.from(text.join("\n\n")) },
    ]);
    await page.getByRole("button", { name: "Cancel long.txt" }).click({ timeout: READY });
    await uploadRow(page, "long.txt").getByText("Cancelled").waitFor();
    await page.getByPlaceholder("Filter by name").fill("long.txt");
    await page.getByText("No documents match.").waitFor();
    await page.getByPlaceholder("Filter by name").fill("");
  });

  test("a file dropped anywhere on the page is added", async () => {
    const { page } = opened();
    await page.evaluate(`
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["Dropped words."], "dropped.txt"));
      document.querySelector("h1").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
    `);
    await uploadRow(page, "dropped.txt").getByText("Ready").waitFor({ timeout: READY });
  });
}
