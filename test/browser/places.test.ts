// Where documents come from and belong: sources, scopes that documents are moved between, files with a scope and tags.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "../support/browser.ts";
import {
  axeFaults,
  type ConsoleUnderTest,
  chooseFiles,
  openConsoleUnderTest,
  READY,
} from "../support/console.ts";
import { runToEnd } from "../support/run.ts";
import { connectTo } from "../support/spawned.ts";
import { page as html, testSite } from "../support/test-site.ts";

const browser = await openBrowser();

const treeOf = (page: Page) => page.getByRole("navigation", { name: "Scopes" });
const listOf = (page: Page) => page.getByRole("region", { name: "Documents" });

describe.skipIf(!browser)("places", () => {
  const state: { console?: ConsoleUnderTest } = {};
  const opened = () => state.console ?? expect.unreachable();
  beforeAll(async () => {
    state.console = await openConsoleUnderTest(browser as Browser, { samples: true });
    const { page, home } = opened();
    await page.goto(`${home}documents`);
    await page.getByRole("link", { name: "delivery-rates.csv" }).waitFor({ timeout: READY });
  });
  afterAll(async () => {
    await state.console?.close();
  });

  test("a document is moved by a dialog, and moved back", async () => {
    const { page, home } = opened();
    await page.goto(`${home}scopes/general`);
    await page.getByRole("button", { name: "Move: delivery-rates.csv" }).click();
    const dialog = page.getByRole("dialog", { name: "Move “delivery-rates.csv”" });
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByLabel("Scope").selectOption("hinoki-shop");
    await dialog.getByRole("button", { name: "Move" }).click();
    await page.getByText("Moved “delivery-rates.csv” to hinoki-shop.").waitFor();
    const here = listOf(page).getByRole("link", { name: "delivery-rates.csv" });
    await expect.poll(() => here.count()).toBe(0);
    await page.getByRole("button", { name: "Undo" }).click();
    await here.waitFor();
  });

  test("a document is dragged onto a scope, and shown there beside its rules", async () => {
    const { page } = opened();
    const row = listOf(page).getByRole("listitem").filter({ hasText: "delivery-rates.csv" });
    await row.dragTo(treeOf(page).getByRole("link", { name: /^hinoki-shop/ }));
    await page.getByRole("dialog").getByRole("button", { name: "Move" }).click();
    await page.getByText("Moved “delivery-rates.csv” to hinoki-shop.").waitFor();
    await treeOf(page)
      .getByRole("link", { name: /^hinoki-shop/ })
      .click();
    await listOf(page).getByRole("link", { name: "delivery-rates.csv" }).waitFor();
    await page.getByRole("region", { name: "git" }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
  });

  test("a scope that is moved inherits from another, once a person has agreed", async () => {
    const { page } = opened();
    await treeOf(page)
      .getByRole("link", { name: /^hinoki-checkout/ })
      .click();
    await page.getByRole("heading", { name: /^hinoki-checkout/ }).waitFor();
    await page.getByRole("button", { name: "Move", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Inherits from").selectOption("hinoki");
    await dialog.getByRole("button", { name: "Move" }).click();
    await page.getByText("Moved “hinoki-checkout” to hinoki.").waitFor();
    await expect
      .poll(() => page.getByText("Inherits from:").textContent())
      .toBe("Inherits from: hinoki");
  });

  test("files are added to a scope with tags, and found by them", async () => {
    const { page, server } = opened();
    await treeOf(page)
      .getByRole("link", { name: /^hinoki-shop/ })
      .click();
    await listOf(page).getByRole("link", { name: "Add", exact: true }).click();
    await page.getByText("Added to: hinoki-shop").click();
    await page.getByLabel("Tags").fill("tariff, 2026");
    const buffer = Buffer.from("A parcel to Naha takes five days and costs 1,800 yen.");
    await chooseFiles(page, [{ name: "naha.txt", mimeType: "text/plain", buffer }]);
    await page.getByText("1 file ready").waitFor({ timeout: READY });
    const { call, close } = await connectTo("http", server.url);
    const { documents } = await call("knowledge-show", { match: "naha" });
    const [{ id } = { id: "" }] = documents as { id: string }[];
    const shown = await call("knowledge-show", { document_id: id });
    expect(shown).toMatchObject({
      documents: [{ scope: "hinoki-shop", metadata: { tags: ["tariff", "2026"] } }],
    });
    await close();
    await page.getByRole("columnheader", { name: "Scope" }).waitFor();
    const row = page.getByRole("row").filter({ hasText: "naha.txt" });
    await row.getByRole("cell", { name: "hinoki-shop" }).waitFor();
  });

  test("two runs of the check are drawn as a curve", async () => {
    const { page, go } = opened();
    await go("Check");
    await page.getByRole("button", { name: "Make questions from the documents" }).click();
    for (const runs of [1, 2]) {
      await page.getByRole("button", { name: "Run the check" }).click({ timeout: READY });
      if (runs === 1) await page.getByText("Nothing was lost.").waitFor({ timeout: READY });
    }
    await page.getByRole("img", { name: /^2 runs; the last score is/ }).waitFor({ timeout: READY });
    expect(await axeFaults(page)).toEqual([]);
  });

  test("what is old and often shown is on the overview, and opens", async () => {
    const { page, home } = opened();
    const client = await connectTo("http", `${home}mcp`);
    const { documents } = await client.call("knowledge-show", { match: "delivery-rates" });
    await client.close();
    const [row] = documents as readonly { id: string; filename: string }[];
    const old = { document_id: row?.id, filename: row?.filename, shown: 12 };
    await page.route("**/api/stale", (route) =>
      route.fulfill({ json: { documents: [{ ...old, date_added: "2021-02-03T00:00:00Z" }] } }),
    );
    await page.goto(`${home}overview`);
    const card = page.getByRole("region", { name: "Old, and often shown" });
    await card.getByText("shown 12 times · Feb 3, 2021").waitFor();
    await card.getByRole("link", { name: "delivery-rates.csv" }).click();
    await page.getByRole("heading", { level: 1, name: "delivery-rates.csv" }).waitFor();
    await page.unroute("**/api/stale");
    expect((await page.request.get(`${home}api/stale`)).status()).toBe(200);
    await page.goto(`${home}sources`);
  });

  test("an empty list of sources says what they are; a refused address says why", async () => {
    const { page, go } = opened();
    await go("Sources");
    await page.getByRole("heading", { name: "No sources yet" }).waitFor();
    await page.getByRole("button", { name: "Add a source" }).click();
    const form = page.getByRole("dialog", { name: "Add a source" });
    await form.getByLabel("Address").fill("https://docs.invalid/guide/");
    expect(await axeFaults(page)).toEqual([]);
    await form.getByRole("button", { name: "Add", exact: true }).click();
    await form.getByRole("alert").getByText("--allow-urls").waitFor();
    await form.getByLabel("Address").fill("/etc");
    await form.getByRole("button", { name: "Add", exact: true }).click();
    await form.getByRole("alert").getByText("outside the folders").waitFor();
    await form.getByRole("button", { name: "Cancel" }).click();
  });

  test("a folder is added for a scope, with a schedule that is paused and resumed", async () => {
    const { page, folder } = opened();
    const manual = join(folder, "manual");
    await mkdir(manual);
    await writeFile(join(manual, "chain.md"), "# Chain\n\nOil it once a month.\n");
    await page.getByRole("button", { name: "Add a source" }).click();
    const form = page.getByRole("dialog", { name: "Add a source" });
    await form.getByLabel("Address").fill(manual);
    await form.getByLabel("Scope").selectOption("hinoki-shop");
    await form.getByRole("button", { name: "Add", exact: true }).click();
    const card = page.getByRole("region", { name: manual });
    await card.getByText("Up to date").waitFor({ timeout: READY });
    await card.getByText("every day").waitFor();
    await card.getByRole("link", { name: "hinoki-shop" }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await card.getByRole("button", { name: /^Pause/ }).click();
    await card.getByText("Paused").waitFor();
    await card.getByRole("button", { name: /^Resume/ }).click();
    await card.getByText("Up to date").waitFor();
    await card.getByRole("button", { name: /^Remove/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByRole("heading", { name: "No sources yet" }).waitFor();
  });

  test("a site is synced and removed with its documents", async () => {
    const { page, folder } = opened();
    const site = await testSite();
    const { port } = site;
    const start = `http://127.0.0.1:${port}/guide/`;
    site.pages.set(
      "/guide/",
      html('<h1>Guide</h1><p>Start here.</p><a href="oil">Oil</a><a href="empty">x</a>'),
    );
    site.pages.set("/guide/oil", html("<h1>Oil</h1><p>Oil the chain once a month.</p>"));
    site.pages.set("/guide/empty", (_, response) => void response.writeHead(500).end());
    const data = ["--data-dir", join(folder, "data")];
    const host = ["--allow-host", `127.0.0.1:${port}`, "--later"];
    const added = await runToEnd({ args: ["sources", "add", start, ...host, ...data], folder });
    expect(added.code, added.stderr).toBe(0);
    const card = page.getByRole("region", { name: start });
    await card.getByRole("button", { name: /^Sync now/ }).click();
    await card.getByText("Last sync: 2 added").waitFor({ timeout: READY });
    await card.getByRole("group").getByText("1 failed").click();
    await card.getByRole("listitem").filter({ hasText: "/guide/empty" }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await card.getByRole("button", { name: /^Remove/ }).click();
    await page.getByRole("checkbox", { name: "Also remove its documents" }).check();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByRole("heading", { name: "No sources yet" }).waitFor();
    const { stdout } = await runToEnd({ args: ["show", "--match", "Oil", ...data], folder });
    expect(stdout).toBe("");
    await site.close();
  });
});
