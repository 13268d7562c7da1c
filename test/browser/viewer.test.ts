// A document's original beside its text, in a real browser: what is cited is found on the page and in the text.
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { oneOfEachFormat, type SampleFile } from "../fixtures/console-files.ts";
import { openBrowser } from "../support/browser.ts";
import { axeFaults, type ConsoleUnderTest, openConsoleUnderTest } from "../support/console.ts";
import { makePptx, part, placedShape, shape } from "../support/files/office.ts";
import { makePdf } from "../support/files/pdf.ts";
import { paint } from "../support/files/picture.ts";
import { connectTo } from "../support/spawned.ts";

const browser = await openBrowser();

const CITED = "The barometer is calibrated every spring.";
const MANUAL = makePdf([
  ["Weather station", "", "A hygrometer hangs by the door."],
  ["Instruments", "", CITED, "", "Masts are painted in autumn."],
  ["Spares", "", "A second barometer is kept in the cellar."],
]);
const DECK = makePptx([
  { shapes: placedShape(["Turbines"], [40, 30]) },
  { shapes: placedShape(["Masts are painted in autumn."], [40, 300]) },
  { shapes: shape(["No place is given."]) },
]);
const SECRET_SLIDE = shape(["Ignore the masts and paint the turbines."]);
const SECRET_DECK = makePptx(
  [{ shapes: placedShape(["Turbines"], [40, 30]) }, { shapes: SECRET_SLIDE }],
  {
    "ppt/slides/slide2.xml": part(
      'p:sld show="0"',
      `<p:cSld><p:spTree>${SECRET_SLIDE}</p:spTree></p:cSld>`,
    ),
  },
);
const CHAPTERS =
  "anchors barrels cables dinghies engines flares gauges hatches ignition jackets keels"
    .split(" ")
    .map((subject) => `Here ${subject} are kept.`);
const LONG_MANUAL = makePdf(CHAPTERS.map((chapter) => [chapter]));
const LONG_DECK = makePptx(
  CHAPTERS.map((chapter) => ({ shapes: placedShape([chapter], [40, 60]) })),
);
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
    await page.goto(`${home}${addressOf(name, query)}`);
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
    const deck = { name: "deck.pptx", mimeType: "application/octet-stream", buffer: DECK };
    const long = [
      { name: "long.pdf", mimeType: "application/pdf", buffer: LONG_MANUAL },
      { name: "secret.pptx", mimeType: "application/octet-stream", buffer: SECRET_DECK },
      { name: "long.pptx", mimeType: "application/octet-stream", buffer: LONG_DECK },
    ];
    await addAll([manual, deck, ...long, ...samples]);
  });
  afterAll(async () => {
    await state.console?.close();
  });

  test("text that people cannot see is shown apart, with its place", async () => {
    const page = await open("secret.pptx");
    await page.getByText("Text that people cannot see (1)").click();
    await page.getByText("Slide 2 · hidden").waitFor();
    await page.locator("blockquote", { hasText: "Ignore the masts" }).waitFor();
    const text = page.getByRole("region", { name: "As an agent reads it" });
    expect(await text.getByText("Ignore the masts").count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
  });

  test("words that OCR is not sure of are marked, in the text and for agents", async () => {
    const lines = ["Ferry tickets 148.40", "Paid in cash 14840"];
    const till = paint(
      700,
      240,
      lines.map((text, at) => ({ text, y: 80 + at * 80 })),
    );
    const file = { name: "till.png", mimeType: "image/png", buffer: await till.encode("png") };
    await addAll([file]);
    const { server } = opened();
    const client = await connectTo("http", server.url);
    const uncertain = ["14840"];
    const query = "ferry tickets paid in cash";
    const found = await client.call("knowledge-search", { query, min_relevance: 0 });
    expect(found["results"]).toContainEqual(expect.objectContaining({ ocr: true, uncertain }));
    const read = await client.call("knowledge-read", { document_id: viewOf("till.png").id });
    expect(read).toMatchObject({ ocr: true, uncertain });
    await client.close();
    const page = await open("till.png");
    const mark = page.locator("mark.uncertain");
    await expect.poll(() => mark.allTextContents()).toEqual(uncertain);
    expect(await mark.getAttribute("title")).toBe("OCR is not sure of this word");
  });

  test("a PDF is shown next to its text", async () => {
    const page = await open("manual.pdf");
    const image = page.getByRole("img", { name: "Page 1 of 3, as in the original" });
    await image.waitFor();
    const text = page.getByRole("region", { name: "As an agent reads it" });
    await text.getByText("hygrometer").waitFor();
    await expect.poll(async () => (await image.boundingBox())?.height).toBeGreaterThan(400);
    const [left, right] = [await image.boundingBox(), await text.boundingBox()];
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
    const place = () => placeOn(box, '[data-page="2"] img');
    // The third line: 60 points from the left, 92 to 83 from the top of 792 by 612.
    await expect.poll(async () => (await place()).left).toBeCloseTo(60 / 612, 1);
    await expect
      .poll(async () => (await place()).middle)
      .toBeCloseTo((792 - 740 + 2 * 15.4 - 4) / 792, 2);
  });

  test("n and p move between matches, on the page and in the text", async () => {
    const page = await open("manual.pdf", {
      span: spanOf("manual.pdf", CITED),
      q: "barometer",
    });
    const count = page.locator(".viewer-count");
    await count.getByText("Match 1 of 2").waitFor();
    await page.keyboard.press("n");
    await count.getByText("Match 2 of 2").waitFor();
    await page.locator('[data-page="3"] .box.cited').first().waitFor();
    await expect
      .poll(async () => (await page.locator("mark.cited").allTextContents()).join(""))
      .toBe("barometer");
    await page.locator(".thumbnail[aria-current]", { hasText: "3" }).waitFor();
    await page.keyboard.press("p");
    await count.getByText("Match 1 of 2").waitFor();
    await page.locator('[data-page="2"] .box.cited').first().waitFor();
    await page.getByRole("button", { name: "Next match" }).click();
    await count.getByText("Match 2 of 2").waitFor();
  });

  test("zoom scales the page and its highlights, and can be reset", async () => {
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

  // Clicked at once, so that pictures of the pages above are still to come.
  test.each([1, 2, 3, 4, 5, 6])("a thumbnail opens its page, and it stays (%i)", async () => {
    const page = await open("manual.pdf");
    const thumbnails = page.getByRole("navigation", { name: "Pages of the original" });
    await thumbnails.getByRole("button", { name: "Page 3" }).click();
    for (const number of [1, 2, 3]) {
      await page.getByRole("img", { name: `Page ${number} of 3` }).waitFor();
    }
    await page.locator(".thumbnail[aria-current]", { hasText: "3" }).waitFor();
    expect(await isSeen(page.locator('[data-page="3"]'))).toBe(true);
  });

  test("on a picture the words that OCR read are marked", async () => {
    const page = await open("photo.png", { span: spanOf("photo.png", "pilots") });
    await page.getByRole("img", { name: "Page 1 of 1, as in the original" }).waitFor();
    const box = page.locator(".box.cited");
    await box.first().waitFor();
    await expect.poll(() => box.count()).toBe(1);
    const { left } = await placeOn(box, ".page-sheet img");
    // "Harbour" comes before it, "need a lantern" after it.
    expect(left).toBeGreaterThan(0.2);
    expect(left).toBeLessThan(0.5);
  });

  test.each([
    ["What do harbour pilots need?", "photo.png", 1],
    ["When is the barometer calibrated?", "manual.pdf", 0],
  ])("%s is answered from %s, marked as read by OCR or not", async (query, name, marked) => {
    const { page, home } = opened();
    await page.goto(`${home}search`);
    await page.getByRole("searchbox", { name: "Search or ask" }).fill(query);
    await page.getByRole("button", { name: "Ask" }).click();
    const answer = page.getByRole("region", { name: "Answer" });
    const source = answer.getByRole("listitem").filter({ hasText: name }).first();
    await source.waitFor();
    expect(await source.getByText("read by OCR").count()).toBe(marked);
  });

  test("slides are shown next to their text, with the cited place marked", async () => {
    const page = await open("deck.pptx", { span: spanOf("deck.pptx", "Masts are painted") });
    const slide = page.getByRole("img", { name: "Slide 2 of 3, drawn from the original" });
    await slide.waitFor();
    const box = page.locator('[data-page="2"] .box.cited').first();
    await box.waitFor();
    const top = async () => (await placeOn(box, '[data-page="2"] img')).top;
    // 300 of 540 points from the top.
    await expect.poll(top).toBeGreaterThan(0.55);
    expect(await top()).toBeLessThan(0.65);
    expect(await page.locator(".viewer-note").count()).toBe(0);
  });

  test("a slide that cannot be drawn is a card of its text", async () => {
    const page = await open("deck.pptx", { span: spanOf("deck.pptx", "No place") });
    const card = page.locator('[data-page="3"] .page-card');
    await card.getByText("This slide cannot be drawn; this is its text.").waitFor();
    await card.getByText("No place is given.").waitFor();
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
    await expect.poll(() => text.isVisible()).toBe(false);
    await page.getByRole("tab", { name: "Text" }).click();
    await text.waitFor();
    await expect.poll(() => image.isVisible()).toBe(false);
    const width = () => page.evaluate("document.documentElement.scrollWidth") as Promise<number>;
    await expect.poll(width).toBeLessThanOrEqual(360);
    await page.getByRole("tab", { name: "Original" }).click();
    await image.waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test.each([
    ["long.pdf", 360],
    ["long.pdf", 768],
    ["long.pptx", 360],
    ["long.pptx", 768],
  ])("a citation in %s opens at its page, %s pixels wide", async (name, width) => {
    const { page } = opened();
    await page.setViewportSize({ width, height: 740 });
    await open(name, { span: spanOf(name, "jackets are kept") });
    await page.reload();
    const box = page.locator('[data-page="10"] .box.cited').first();
    await box.waitFor();
    await page.waitForLoadState("networkidle");
    await expect.poll(() => isInWindow(box)).toBe(true);
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
    await expect.poll(() => page.getByRole("link", { name: "plan.svg" }).count()).toBe(0);
  });

  test("if the original is missing, a note is shown next to the text", async () => {
    await rm(join(opened().folder, "data", "originals"), { recursive: true });
    const page = await open("manual.pdf");
    await page.getByText("The original file is no longer on the server").waitFor();
    await page.getByText("hygrometer").waitFor();
    const download = page.getByRole("button", { name: "Download original" });
    await expect.poll(() => download.count()).toBe(0);
  });

  test("there are no script errors and no requests to other hosts", () => {
    expect(opened().seen.troubles).toEqual([]);
  });
});

/** Where a box is on its sheet, in shares of the sheet: both are looked at in one moment, since the page may scroll. */
function placeOn(box: Locator, sheet: string) {
  return box.first().evaluate((target, selector) => {
    const own = target.getBoundingClientRect();
    const on = target.ownerDocument.querySelector(selector)?.getBoundingClientRect();
    const { x = 0, y = 0, width = 1, height = 1 } = on ?? {};
    return {
      left: (own.x - x) / width,
      top: (own.y - y) / height,
      middle: (own.y + own.height / 2 - y) / height,
    };
  }, sheet);
}

/** In the window, and not only in the part of a pane that is scrolled away. */
function isSeen(element: Locator): Promise<boolean> {
  return element.evaluate((target) => {
    const pane = target.closest(".viewer-scroll")?.getBoundingClientRect();
    const { top, bottom } = target.getBoundingClientRect();
    return pane !== undefined && bottom > pane.top && top < pane.bottom;
  });
}

/** Between the viewer's bar, which stays at the top, and the navigation at the bottom. */
function isInWindow(element: Locator): Promise<boolean> {
  return element.evaluate((target) => {
    const { top, bottom } = target.getBoundingClientRect();
    return top > 100 && bottom < target.ownerDocument.documentElement.clientHeight - 64;
  });
}
