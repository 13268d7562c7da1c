// A document's original beside its text, in a real browser: what is cited is found on the page and in the text.
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { axeFaults, type ConsoleUnderTest, openConsoleUnderTest } from "../support/console.ts";
import { oneOfEachFormat, type SampleFile } from "../support/console-files.ts";
import { makePdf } from "../support/files/pdf.ts";
import { connectTo } from "../support/spawned.ts";

const browser = await openBrowser();

const CITED = "The barometer is calibrated every spring.";
const MANUAL = makePdf([
  ["Weather station", "", "A hygrometer hangs by the door."],
  ["Instruments", "", CITED, "", "Masts are painted in autumn."],
  ["Spares", "", "A second barometer is kept in the cellar."],
]);
const SHOWN = ["photo.png", "stock.xlsx", "plan.svg"];

interface View {
  readonly text: string;
  readonly passages: readonly { readonly id: string; readonly start: number }[];
}

describe.skipIf(!browser)("viewer", () => {
  const state: { console?: ConsoleUnderTest } = {};
  const views = new Map<string, View & { readonly id: string }>();
  const opened = () => {
    if (!state.console) throw new Error("The console is not open yet.");
    return state.console;
  };
  const viewOf = (name: string) => {
    const view = views.get(name);
    if (!view) throw new Error(`${name} was not added.`);
    return view;
  };
  const addressOf = (name: string, query: Record<string, string> = {}) =>
    `documents/${viewOf(name).id}?${new URLSearchParams(query)}`;
  const spanOf = (name: string, text: string) => {
    const start = viewOf(name).text.indexOf(text);
    expect(start).toBeGreaterThanOrEqual(0);
    return `${start}-${start + text.length}`;
  };
  const open = async (name: string, query: Record<string, string> = {}) => {
    const { page, home } = opened();
    await page.goto(`${home}#/${addressOf(name, query)}`);
    await page.getByRole("heading", { level: 1, name }).waitFor();
    return page;
  };

  const addAll = async (files: readonly SampleFile[]) => {
    const { folder, server } = opened();
    const client = await connectTo("http", server.url);
    for (const { name, buffer } of files) {
      const path = join(folder, name);
      await writeFile(path, buffer);
      const added = await client.call("knowledge-add", { file_path: path, async: false });
      const id = String(added["document_id"]);
      const uri = `knowledge://documents/${id}/passages`;
      const { contents } = await client.client.readResource({ uri });
      const [content] = contents as readonly { readonly text: string }[];
      views.set(name, { ...(JSON.parse(content?.text ?? "") as View), id });
    }
    await client.close();
  };

  beforeAll(async () => {
    state.console = await openConsoleUnderTest(browser as Browser);
    const samples = (await oneOfEachFormat()).filter(({ name }) => SHOWN.includes(name));
    const manual = { name: "manual.pdf", mimeType: "application/pdf", buffer: MANUAL };
    await addAll([manual, ...samples]);
  });
  afterAll(async () => {
    await state.console?.close();
  });

  test("a PDF's pages are beside its text", async () => {
    const page = await open("manual.pdf");
    const image = page.getByRole("img", { name: "Page 1 of 3, as in the original" });
    await image.waitFor();
    const text = page.getByRole("region", { name: "As an agent reads it" });
    await text.getByText("hygrometer").waitFor();
    const [left, right] = [await image.boundingBox(), await text.boundingBox()];
    expect(left?.height).toBeGreaterThan(400);
    expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual(right?.x ?? 0);
    expect(await page.locator(".box").count()).toBe(0);
  });

  test.each(["chunk", "span"])("a link with ?%s= marks the place in both", async (kind) => {
    const { passages, text } = viewOf("manual.pdf");
    const at = text.indexOf(CITED);
    const passage = passages.findLast(({ start }) => start <= at);
    const value = kind === "chunk" ? String(passage?.id) : spanOf("manual.pdf", CITED);
    const page = await open("manual.pdf", { [kind]: value });
    await page.locator("mark.cited", { hasText: "barometer" }).first().waitFor();
    const box = page.locator('[data-page="2"] .box.cited').first();
    await box.waitFor();
    await expect.poll(() => isSeen(box)).toBe(true);
  });

  test("the box is where the words are printed", async () => {
    const page = await open("manual.pdf", { span: spanOf("manual.pdf", CITED) });
    const box = page.locator('[data-page="2"] .box.cited').first();
    await box.waitFor();
    const sheet = await page.locator('[data-page="2"] img').boundingBox();
    const place = await box.boundingBox();
    if (!sheet || !place) throw new Error("Nothing is shown.");
    // The third line: 60 points from the left, 92 to 83 from the top of 792 by 612.
    expect((place.x - sheet.x) / sheet.width).toBeCloseTo(60 / 612, 1);
    const middle = place.y + place.height / 2 - sheet.y;
    expect(middle / sheet.height).toBeCloseTo((792 - 740 + 2 * 15.4 - 4) / 792, 2);
  });

  test("n and p go from match to match, on the page and in the text", async () => {
    const page = await open("manual.pdf", {
      span: spanOf("manual.pdf", CITED),
      q: "barometer",
    });
    const count = page.locator(".viewer-count");
    await count.getByText("1 / 2").waitFor();
    await page.keyboard.press("n");
    await count.getByText("2 / 2").waitFor();
    await page.locator('[data-page="3"] .box.cited').first().waitFor();
    expect((await page.locator("mark.cited").allTextContents()).join("")).toBe("barometer");
    await page.locator(".thumbnail[aria-current]", { hasText: "3" }).waitFor();
    await page.keyboard.press("p");
    await count.getByText("1 / 2").waitFor();
    await page.locator('[data-page="2"] .box.cited').first().waitFor();
    await page.getByRole("button", { name: "Next match" }).click();
    await count.getByText("2 / 2").waitFor();
  });

  test("zoom widens the page and the marks with it, and goes back", async () => {
    const { page } = opened();
    const image = page.locator('[data-page="3"] img');
    const widthOf = async () => (await image.boundingBox())?.width ?? 0;
    const fitted = await widthOf();
    await page.getByRole("button", { name: "Zoom in" }).click();
    await expect.poll(async () => Math.round((100 * (await widthOf())) / fitted)).toBe(150);
    await page.getByRole("button", { name: "Fit the width" }).click();
    await expect.poll(widthOf).toBe(fitted);
    await page.getByRole("button", { name: "Zoom out" }).click();
    await page.getByRole("button", { name: "75% · Fit the width" }).waitFor();
  });

  test("a thumbnail leads to its page", async () => {
    const page = await open("manual.pdf");
    const thumbnails = page.getByRole("navigation", { name: "Pages of the original" });
    await thumbnails.getByRole("button", { name: "Page 3" }).click();
    await expect.poll(() => isSeen(page.locator('[data-page="3"]'))).toBe(true);
  });

  test("on a picture the words that OCR read are marked", async () => {
    const page = await open("photo.png", { span: spanOf("photo.png", "pilots") });
    await page.getByRole("img", { name: "Page 1 of 1, as in the original" }).waitFor();
    const box = page.locator(".box.cited");
    await box.first().waitFor();
    expect(await box.count()).toBe(1);
    const sheet = await page.locator(".page-sheet img").boundingBox();
    const place = await box.boundingBox();
    const share = ((place?.x ?? 0) - (sheet?.x ?? 0)) / (sheet?.width ?? 1);
    // "Harbour" comes before it, "need a lantern" after it.
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.5);
  });

  test("a drawing is shown as a picture, a sheet as a table", async () => {
    const page = await open("plan.svg");
    await page.getByRole("img", { name: "Drawing plan.svg" }).waitFor();
    await open("stock.xlsx");
    await page.getByRole("columnheader", { name: "Count" }).waitFor();
    await page.getByRole("cell", { name: "4200" }).waitFor();
    expect(await page.locator(".original").count()).toBe(0);
  });

  test("at 360 pixels there are two tabs, and nothing is cut off", async () => {
    const page = await open("manual.pdf");
    await page.setViewportSize({ width: 360, height: 800 });
    const image = page.getByRole("img", { name: "Page 1 of 3, as in the original" });
    const text = page.getByText("hygrometer");
    await image.waitFor();
    expect(await text.isVisible()).toBe(false);
    await page.getByRole("tab", { name: "Text" }).click();
    await text.waitFor();
    expect(await image.isVisible()).toBe(false);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await page.getByRole("tab", { name: "Original" }).click();
    await image.waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test.each(["light", "dark"] as const)("there is no barrier: %s", async (colorScheme) => {
    const { page } = opened();
    await page.emulateMedia({ colorScheme });
    await open("manual.pdf", { span: spanOf("manual.pdf", CITED), q: "barometer" });
    await page.locator(".box.cited").first().waitFor();
    await page.getByLabel("Show passages").check();
    expect(await axeFaults(page)).toEqual([]);
    await open("stock.xlsx");
    await page.getByRole("cell", { name: "4200" }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
  });

  test("Remove asks first, and then removes", async () => {
    const page = await open("plan.svg");
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Remove this document?" });
    await dialog.getByText("its 1 passage will").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1, name: "plan.svg" }).waitFor();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("heading", { level: 1, name: "Documents" }).waitFor();
    await page.getByRole("link", { name: "photo.png" }).waitFor();
    expect(await page.getByRole("link", { name: "plan.svg" }).count()).toBe(0);
  });

  test("where the original is gone a note says so, and the text stays", async () => {
    await rm(join(opened().folder, "data", "originals"), { recursive: true });
    const page = await open("manual.pdf");
    await page.getByText("The original file is no longer on the server").waitFor();
    await page.getByText("hygrometer").waitFor();
    expect(await page.getByRole("button", { name: "Download original" }).count()).toBe(0);
  });

  test("no script failed and nothing was asked of another host", () => {
    expect(opened().seen.troubles).toEqual([]);
  });
});

/** In the window, and not only in the part of a pane that is scrolled away. */
function isSeen(element: Locator): Promise<boolean> {
  return element.evaluate((target) => {
    const pane = target.closest(".viewer-scroll")?.getBoundingClientRect();
    const { top, bottom } = target.getBoundingClientRect();
    return pane !== undefined && bottom > pane.top && top < pane.bottom;
  });
}
