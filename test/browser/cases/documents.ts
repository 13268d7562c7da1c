import { expect, test } from "vitest";
import type { OpenedConsole } from "../../support/console.ts";

/** In the browser: undoing is offered for seconds only, which this process may spend waiting for its turn. */
const REMOVE_AND_UNDO = `async (remove) => {
  const row = remove.closest("tr");
  remove.click();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const undo = [...document.querySelectorAll("button")].find((each) => each.textContent === "Undo");
    if (undo && !row.isConnected) return undo.click();
  }
}`;

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
    await page.getByRole("button", { name: "Remove memo.docx" }).evaluate(REMOVE_AND_UNDO);
    await page.getByRole("link", { name: "memo.docx" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" });
  });

  test("several documents are removed together, on every screen size", async () => {
    const { page, visitor } = opened();
    const other = await visitor("documents");
    await other.page.getByRole("link", { name: "inner.txt" }).waitFor();
    await page.getByRole("checkbox", { name: "Select inner.txt" }).check();
    await page.getByRole("checkbox", { name: "Select top.txt" }).check();
    await page.getByRole("region", { name: "Selection" }).getByText("2 selected").waitFor();
    await page.getByRole("region", { name: "Selection" }).getByText("Remove").click();
    // Each is shown for seconds only: both are waited for from the start.
    await Promise.all([
      page.getByText("Removing 2 documents").waitFor(),
      page.getByText("Removed 2 documents").waitFor(),
    ]);
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
