import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { oneOfEachFormat, type SampleFile } from "../../fixtures/console-files.ts";
import { chooseFiles, type OpenedConsole, READY } from "../../support/console.ts";
import { makeZip } from "../../support/files/zip.ts";

const trayOf = (page: Page) => page.getByRole("region", { name: "Uploads" });
const rowOf = (page: Page, name: string) =>
  trayOf(page).getByRole("listitem").filter({ hasText: name });
const textFile = (name: string, text: string): SampleFile => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(text),
});
/** Minutes of work: it has not ended when the page is back. */
const LONG = Array.from({ length: 80_000 }, (_, at) => `Line ${at} of a report on weather.`);

/** Expands the list of ended adds until the file is shown with this state. */
async function waitForFinished(page: Page, name: string, state: string): Promise<void> {
  const row = rowOf(page, name).filter({ hasText: state }).first();
  const isSeen = async () => {
    await page.evaluate(
      "for (const fold of document.querySelectorAll('.tray details')) fold.open = true",
    );
    return row.isVisible();
  };
  await expect.poll(isSeen).toBe(true);
}

export function uploadCases(opened: OpenedConsole): void {
  test("an empty knowledge base shows the first step", async () => {
    const { page } = opened();
    await page.getByRole("heading", { name: "The knowledge base is empty" }).waitFor();
    await page.getByRole("link", { name: "Add documents" }).click();
    await page.getByRole("heading", { level: 1, name: "Documents" }).waitFor();
  });

  test("a file of every format becomes a document, with progress on every page", async () => {
    const { page, go } = opened();
    const files = await oneOfEachFormat();
    await chooseFiles(page, files);
    await trayOf(page).getByRole("progressbar", { name: "Uploads" }).waitFor();
    await go("Connect");
    await trayOf(page).getByText(`${files.length} files ready`).waitFor({ timeout: READY });
    await go("Documents");
    const table = page.getByRole("region", { name: "Documents" });
    for (const { name } of files) await table.getByRole("link", { name }).waitFor();
  });

  test("the same file again is shown as already present", async () => {
    const { page } = opened();
    await chooseFiles(page, (await oneOfEachFormat()).slice(8, 9));
    await waitForFinished(page, "notes.md", "Already here");
  });

  test("a file that cannot be read shows the reason", async () => {
    const { page } = opened();
    await chooseFiles(page, [textFile("broken.pdf", "%PDF-1.7 but nothing more")]);
    const row = rowOf(page, "broken.pdf");
    await row.getByText("Failed").waitFor({ timeout: READY });
    expect(await row.locator(".note").textContent()).toMatch(/\w+ \w+/);
    // The same bytes would fail again.
    expect(await row.getByRole("button", { name: "Try again" }).count()).toBe(0);
  });

  test("where it would cover the page, the tray is folded at first", async () => {
    const { visitor } = opened();
    const { page, close } = await visitor("documents");
    await page.setViewportSize({ width: 360, height: 800 });
    await page.reload();
    await chooseFiles(page, [textFile("film.xyz", "Nothing reads this.")]);
    const head = trayOf(page).getByRole("button", { name: "1 failed" });
    await head.waitFor({ timeout: READY });
    expect(await head.getAttribute("aria-expanded")).toBe("false");
    await head.click();
    await rowOf(page, "film.xyz").getByText("Unsupported file format").waitFor();
    expect(await rowOf(page, "film.xyz").getByRole("button").count()).toBe(0);
    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await expect.poll(() => head.getAttribute("aria-expanded")).toBe("false");
    await close();
  });

  test("after a reload running adds are shown, and cancelling leaves nothing", async () => {
    const { page } = opened();
    await chooseFiles(page, [
      textFile("long-1.txt", LONG.join("\n\n")),
      textFile("long-2.txt", `Another.\n\n${LONG.join("\n\n")}`),
      textFile("long-3.txt", `A third.\n\n${LONG.join("\n\n")}`),
    ]);
    await rowOf(page, "long-1.txt").getByRole("progressbar").waitFor({ timeout: READY });
    // Sent, or the browser would ask whether to leave.
    await expect.poll(() => trayOf(page).getByText("Uploading").count()).toBe(0);
    await expect.poll(() => page.locator(".tray progress").count()).toBeGreaterThan(1);
    await page.reload();
    await trayOf(page).getByText(/of \d/).waitFor();
    await trayOf(page).getByRole("button", { name: "Cancel all" }).click();
    await trayOf(page).getByRole("button", { name: "Close" }).click({ timeout: READY });
    await trayOf(page).waitFor({ state: "detached" });
  });

  test("a list of running adds that arrives after closing brings nothing back", async () => {
    const { page } = opened();
    const numbers = [1, 2, 3, 4];
    await chooseFiles(
      page,
      numbers.map((at) => textFile(`slow-${at}.txt`, `Slow ${at}.\n\n${LONG.join("\n\n")}`)),
    );
    await rowOf(page, "slow-1.txt").getByRole("progressbar").waitFor({ timeout: READY });
    await expect.poll(() => trayOf(page).getByText("Uploading").count()).toBe(0);
    const closed = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    await page.route("**/mcp", async (route) => {
      if (!route.request().postData()?.includes("knowledge://tasks")) return route.continue();
      const response = await route.fetch();
      held.resolve();
      await closed.promise;
      return route.fulfill({ response });
    });
    await held.promise;
    await trayOf(page).getByRole("button", { name: "Cancel all" }).click();
    await trayOf(page).getByRole("button", { name: "Close" }).click({ timeout: READY });
    await trayOf(page).waitFor({ state: "detached" });
    const arrived = page.waitForResponse((response) => response.url().endsWith("/mcp"));
    closed.resolve();
    await arrived;
    // What it had is not shown, nor asked after.
    await page.unroute("**/mcp");
    expect(await rowOf(page, "slow-4.txt").count()).toBe(0);
    await trayOf(page).waitFor({ state: "detached" });
  });

  test("a folder is added with the paths of its files", async () => {
    const { page, folder } = opened();
    await mkdir(join(folder, "manuals", "deep"), { recursive: true });
    await writeFile(join(folder, "manuals", "top.txt"), "The capstan turns clockwise.");
    await writeFile(join(folder, "manuals", "deep", "inner.txt"), "The bollard is cast iron.");
    await page.getByLabel("a folder").setInputFiles(join(folder, "manuals"));
    await waitForFinished(page, "manuals/deep/inner.txt", "Ready");
    await trayOf(page).getByRole("button", { name: "Close" }).click({ timeout: READY });
  });

  test("a file dropped anywhere on the page is added", async () => {
    const { page } = opened();
    await page.evaluate(`
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["Dropped words."], "dropped.txt"));
      const drop = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector("h1").dispatchEvent(drop);
    `);
    await waitForFinished(page, "dropped.txt", "Ready");
    await trayOf(page).getByRole("button", { name: "Close" }).click({ timeout: READY });
  });

  test("the files of a dropped ZIP archive are added", async () => {
    const { page } = opened();
    const archive = makeZip({
      "logs/harbour.txt": "The pilot boards at dawn.",
      "logs/lock.md": "# Lock\n\nThe sluice opens at noon.",
      "logs/film.xyz": "Nothing reads this.",
    });
    await page.evaluate(
      `{
        const bytes = Uint8Array.from(atob("${archive.toString("base64")}"), (byte) => byte.charCodeAt(0));
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([bytes], "logbooks.zip"));
        const drop = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
        document.querySelector("h1").dispatchEvent(drop);
      }`,
    );
    await waitForFinished(page, "logbooks.zip", "2 files added");
    const table = page.getByRole("region", { name: "Documents" });
    await table.getByRole("link", { name: "harbour.txt" }).waitFor();
    await table.getByRole("link", { name: "lock.md" }).waitFor();
    await trayOf(page).getByRole("button", { name: "Close" }).click({ timeout: READY });
  });

  test("the page stays responsive with thousands of files", async () => {
    const { page, visitor } = opened();
    const { page: other, close } = await visitor("documents");
    await other.getByRole("heading", { level: 1 }).waitFor();
    // No upload ends by itself: there is something to cancel for as long as it takes to click.
    await other.route("**/api/upload**", () => {});
    const drop = `(async () => {
      const dataTransfer = new DataTransfer();
      for (let at = 0; at < 3000; at += 1) dataTransfer.items.add(new File(["x"], at + ".txt"));
      const drop = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector("h1").dispatchEvent(drop);
      await new Promise((resolve) => setTimeout(resolve, 200));
      return document.querySelectorAll(".tray li").length;
    })()`;
    // The heading is there a moment before the page listens for files.
    const rows = () => other.evaluate<number>(drop);
    await expect.poll(rows, { interval: 1_000 }).toBeGreaterThan(0);
    expect(await other.locator(".tray li").count()).toBeLessThan(200);
    await trayOf(other).getByRole("button", { name: "Cancel all" }).click();
    await trayOf(other).getByRole("button", { name: "Close" }).waitFor({ timeout: READY });
    await close();
    await page.bringToFront();
  });
}
