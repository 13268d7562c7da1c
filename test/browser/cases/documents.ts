import { expect, test } from "vitest";
import type { OpenedConsole } from "../../support/console.ts";

export function documentsCases(opened: OpenedConsole): void {
  test("the table sorts by name both ways", async () => {
    const { page } = opened();
    const names = page.getByRole("region", { name: "Documents" }).getByRole("rowheader");
    const first = () => names.first().getByRole("link").textContent();
    await page.getByRole("button", { name: "Name" }).click();
    await expect.poll(first).toBe("data.json");
    await page.getByRole("button", { name: "Name" }).click();
    await expect.poll(first).toBe("top.txt");
  });

  test("a server that may not fetch pages shows how to allow it", async () => {
    const { page } = opened();
    await page.getByText("Add a web page by its address").click();
    await page.getByText("--allow-urls").waitFor();
    await page.getByText("Add a web page by its address").click();
  });

  test("a removal can be undone", async () => {
    const { page } = opened();
    await page.getByRole("button", { name: "Remove memo.docx" }).click();
    await page.getByRole("link", { name: "memo.docx" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("link", { name: "memo.docx" }).waitFor();
  });

  test("several documents are removed together, on every screen size", async () => {
    const { page, visitor } = opened();
    const other = await visitor("documents");
    await other.page.getByRole("link", { name: "inner.txt" }).waitFor();
    await page.getByRole("checkbox", { name: "Select inner.txt" }).check();
    await page.getByRole("checkbox", { name: "Select top.txt" }).check();
    await page.getByRole("region", { name: "Selection" }).getByText("2 selected").waitFor();
    await page.getByRole("region", { name: "Selection" }).getByText("Remove").click();
    await page.getByText("Removing 2 documents").waitFor();
    await page.getByText("Removed 2 documents").waitFor();
    await other.page.getByRole("link", { name: "inner.txt" }).waitFor({ state: "detached" });
    await other.close();
  });

  test("a filter without matches can be cleared", async () => {
    const { page } = opened();
    await page.getByPlaceholder("Filter by name").fill("no such name");
    await page.getByRole("heading", { name: "No documents match" }).waitFor();
    await page.getByRole("button", { name: "Clear the filter" }).click();
    await page.getByRole("link", { name: "memo.docx" }).waitFor();
  });
}
