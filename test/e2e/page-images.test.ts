// Pages as models see them: through both official clients, from the program that ships.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { imageSize } from "image-size";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLIENTS, dialAs } from "../support/clients.ts";
import { makePptx, placedShape } from "../support/files/office.ts";
import { makePdf } from "../support/files/pdf.ts";
import { readPng } from "../support/files/read-png.ts";
import { type Connected, connectTo, type HttpServer, startHttp } from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";

// Words at known places, on a page of 612 × 792 points.
const LINES = Array.from({ length: 20 }, (_, at) => ({
  text: `Gauge ${at} reads number ${1_000 + at * 37} today`,
  x: 40 + (at % 4) * 120,
  y: 770 - at * 38,
  size: 8 + (at % 5) * 2,
}));
const FILES = {
  "gauges.pdf": makePdf([["Contents of the book."], LINES]),
  "deck.pptx": makePptx([{ shapes: placedShape(["Blades are inspected monthly."], [72, 270]) }]),
  "notes.md": "# Notes\n\nPlain text.\n",
};

let server: HttpServer;
let at: Connected;
const ids = new Map<string, unknown>();
const folder = tempFolder("page-images");

beforeAll(async () => {
  const place = { dataDir: join(folder, "data"), root: join(folder, "files") };
  await mkdir(place.root);
  server = await startHttp(place);
  at = await connectTo("http", server.url);
  for (const [name, bytes] of Object.entries(FILES)) {
    const file_path = join(place.root, name);
    await writeFile(file_path, bytes);
    const added = await at.call("knowledge-add", { file_path, async: false });
    ids.set(name, added["document_id"]);
  }
});
afterAll(async () => {
  await at?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
}

interface Seen {
  readonly page_num: number;
  readonly image: { readonly part: Part; readonly marked: boolean };
  readonly message: string;
}

type Part = readonly [x: number, y: number, width: number, height: number];

const asked = (name: string, more: object) => ({
  name: "knowledge-read",
  arguments: { document_id: ids.get(name), as: "image", ...more },
});

async function see(name: string, more: object) {
  const { content, structuredContent } = await at.client.callTool(asked(name, more));
  const [text, image] = content as readonly Block[];
  const bytes = Buffer.from(image?.data ?? "", "base64");
  return { text, seen: structuredContent as unknown as Seen, bytes };
}

/** The red frame, in shares of the page. */
function frameOf(bytes: Buffer, part: Part) {
  const { width, height, colourAt } = readPng(bytes);
  const found = { left: width, top: height, right: 0, bottom: 0 };
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      if (colourAt(x, y).join() !== "220,0,40") continue;
      found.left = Math.min(found.left, x);
      found.right = Math.max(found.right, x);
      found.top = Math.min(found.top, y);
      found.bottom = Math.max(found.bottom, y);
    }
  const [across, down] = [part[2] / width, part[3] / height];
  return {
    left: part[0] + found.left * across,
    right: part[0] + found.right * across,
    top: part[1] + found.top * down,
    bottom: part[1] + found.bottom * down,
  };
}

describe.each(CLIENTS)("the official client %s", (client) => {
  test("gets the page as an image beside the text", async () => {
    const connected = await dialAs(client, "http", server.url);
    await connected.listTools();
    const call = asked("gauges.pdf", { quote: "Gauge 7 reads number" });
    const { content, structuredContent } = await connected.callTool(call);
    await connected.close();
    const [text, image, ...more] = content as readonly Block[];
    expect(more).toEqual([]);
    expect(image).toMatchObject({ type: "image", mimeType: "image/png" });
    const bytes = Buffer.from(image?.data ?? "", "base64");
    expect(bytes.length).toBeLessThan(100_000);
    expect(JSON.parse(text?.text ?? "")).toEqual(structuredContent);
    expect(structuredContent).toMatchObject({
      page_num: 2,
      image: { ...pick(imageSize(bytes)), marked: true },
      message: "Page 2, the part around the words. The words are framed in red.",
    });
  });
});

function pick({ width, height }: { readonly width: number; readonly height: number }) {
  return { width, height };
}

test("the frame is around the quoted words, wherever they are on the page", async () => {
  for (const { text, x, y, size } of LINES) {
    const { seen, bytes } = await see("gauges.pdf", { quote: text });
    const frame = frameOf(bytes, seen.image.part);
    // From the baseline up to the capitals, and at least half as wide as high per letter.
    expect(frame.left * 612, text).toBeLessThanOrEqual(x + 1);
    expect(frame.left * 612, text).toBeGreaterThan(x - size);
    expect(frame.right * 612, text).toBeGreaterThan(x + text.length * size * 0.4);
    expect(frame.bottom * 792, text).toBeGreaterThanOrEqual(792 - y);
    expect(frame.top * 792, text).toBeLessThanOrEqual(792 - y - size * 0.7);
    expect((frame.bottom - frame.top) * 792, text).toBeLessThan(size * 3);
  }
});

test("a page by its number is shown whole, and words that are not on it are reported", async () => {
  const whole = await see("gauges.pdf", { page: 1 });
  expect(whole.seen).toMatchObject({ image: { part: [0, 0, 1, 1] } });
  expect(whole.seen.message).toBe("Page 1.");
  const other = await see("gauges.pdf", { page: 1, quote: "Gauge 7 reads number" });
  expect(other.seen).toMatchObject({ page_num: 1, image: { marked: false } });
  expect(other.seen.message).toContain("not found on it");
});

test("a search result's passage is marked on its page", async () => {
  const { results } = (await at.call("knowledge-search", { query: "gauge reads number" })) as {
    results: { chunk_id: string; document_id: string }[];
  };
  const hit = results.find(({ document_id }) => document_id === ids.get("gauges.pdf"));
  const { seen } = await see("gauges.pdf", { chunk_id: hit?.chunk_id });
  expect(seen.image.marked).toBe(true);
});

test("a slide is painted, with its words framed", async () => {
  const { seen, bytes } = await see("deck.pptx", { quote: "inspected monthly" });
  expect(seen).toMatchObject({ page_num: 1, slide_num: 1, image: { marked: true } });
  const frame = frameOf(bytes, seen.image.part);
  expect(frame.left * 720).toBeGreaterThan(72);
  expect(frame.top * 540).toBeGreaterThan(260);
});

test.each([
  ["notes.md", {}, { error: "invalid_parameter", parameter: "as" }],
  [
    "gauges.pdf",
    { quote: "Nobody wrote this" },
    { error: "invalid_parameter", parameter: "quote" },
  ],
  ["gauges.pdf", { page: "Sheet1" }, { error: "invalid_parameter", parameter: "page" }],
  ["gauges.pdf", { page: 3 }, { error: "resource_not_found" }],
])("%s with %j is refused", async (name, more, refused) => {
  const { isError, structuredContent } = await at.client.callTool(asked(name, more));
  expect(isError).toBe(true);
  expect(structuredContent).toMatchObject({ success: false, ...refused });
});
