// Pages as models see them: through both official clients, from the program that ships.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { imageSize } from "image-size";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLIENTS, dialAs } from "../support/clients.ts";
import { makePptx, makeXlsx, placedShape, relations, row } from "../support/files/office.ts";
import { makePdf } from "../support/files/pdf.ts";
import { type Connected, connectTo, type HttpServer, startHttp } from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { readPng } from "./read-png.ts";

// Words at known places, on a page of 612 × 792 points.
const LINES = Array.from({ length: 20 }, (_, at) => ({
  text: `Gauge ${at} reads number ${1_000 + at * 37} today`,
  x: 40 + (at % 4) * 120,
  y: 770 - at * 38,
  size: 8 + (at % 5) * 2,
}));
// Three hundred rows of readings below their header; and a sheet with a chart.
const ROWS = Array.from({ length: 300 }, (_, at) => ({ station: `Mooring ${at + 1}`, at }));
const CHART = `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart><c:plotArea><c:barChart><c:ser><c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>3</c:v></c:pt><c:pt idx="1"><c:v>9</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`;
const ANCHOR = `<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><xdr:twoCellAnchor><xdr:from><xdr:col>3</xdr:col><xdr:row>1</xdr:row></xdr:from><xdr:to><xdr:col>8</xdr:col><xdr:row>12</xdr:row></xdr:to><xdr:graphicFrame><c:chart r:id="rChart"/></xdr:graphicFrame></xdr:twoCellAnchor></xdr:wsDr>`;
const STATIONS = makeXlsx({
  strings: ["Station", "Depth", ...ROWS.map(({ station }) => station), "Chart below"],
  sheets: [
    {
      name: "Depths",
      rows: [
        row(1, ["s0", "s1"]),
        ...ROWS.map(({ at }) => row(at + 2, [`s${at + 2}`, 100 + at])),
      ].join(""),
    },
    {
      name: "Figures",
      rows: row(1, ["s302"]),
      relations: { rDrawing: ["drawing", "../drawings/drawing1.xml"] },
    },
  ],
  parts: {
    "xl/drawings/drawing1.xml": ANCHOR,
    "xl/drawings/_rels/drawing1.xml.rels": relations({ rChart: ["chart", "../charts/chart1.xml"] }),
    "xl/charts/chart1.xml": CHART,
  },
});
const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 200"><rect x="200" y="100" width="100" height="50" fill="#00aa00"/><text x="100" y="60" font-size="16" text-anchor="middle">Lock keeper</text></svg>';
const FILES = {
  "stations.xlsx": STATIONS,
  "flow.svg": DRAWING,
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
  const { content } = await at.client.callTool(asked(name, more));
  const [text, image] = content as readonly Block[];
  const bytes = Buffer.from(image?.data ?? "", "base64");
  return { seen: JSON.parse(text?.text ?? "") as Seen, bytes };
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
    // Some clients show their model no image beside it.
    expect(structuredContent).toBeUndefined();
    expect(JSON.parse(text?.text ?? "")).toMatchObject({
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

test("a sheet shows the rows around the quoted cells, below the header of their table", async () => {
  const { seen, bytes } = await see("stations.xlsx", { quote: "Mooring 200" });
  expect(seen).toMatchObject({ sheet: "Depths", image: { marked: true } });
  expect(seen.message).toContain('Sheet "Depths", rows 1 to 244');
  const frame = frameOf(bytes, seen.image.part);
  // In the first column beside the row's number, in the row that is 17th below the heads.
  expect(frame.left).toBeLessThan(0.15);
  expect(frame.right).toBeLessThan(0.5);
  expect(frame.top).toBeGreaterThan(15 / 62);
  expect(frame.bottom).toBeLessThan(20 / 62);
});

test("a sheet is named or counted, and its charts are painted", async () => {
  const named = await see("stations.xlsx", { page: "Figures" });
  const counted = await see("stations.xlsx", { page: 2 });
  expect(named.seen).toMatchObject({ sheet: "Figures", image: { marked: false } });
  expect(counted.bytes.equals(named.bytes)).toBe(true);
  expect(coloursOf(named.bytes)).toContain("138,146,156");
  const { bytes } = await see("stations.xlsx", { page: "Depths" });
  expect(coloursOf(bytes)).not.toContain("138,146,156");
});

test("a drawing is painted with its letters", async () => {
  const { seen, bytes } = await see("flow.svg", { quote: "Lock keeper" });
  expect(coloursOf(bytes)).toContain("0,170,0");
  const frame = frameOf(bytes, seen.image.part);
  // Held by its middle: the letters are on both sides of it.
  expect(frame.left * 400).toBeLessThan(70);
  expect(frame.right * 400).toBeGreaterThan(130);
  expect(frame.top * 200).toBeGreaterThan(35);
  expect(frame.bottom * 200).toBeLessThan(70);
});

test("results link to the image of the passage", async () => {
  const params = { name: "knowledge-search", arguments: { query: "Lock keeper" } };
  const { content } = await at.client.callTool(params);
  const link = (content as readonly Linked[]).find(({ type }) => type === "resource_link");
  expect(link).toMatchObject({ name: "flow.svg", mimeType: "image/png" });
  const { contents } = await at.client.readResource({ uri: link?.uri ?? "" });
  const [{ mimeType, blob } = {}] = contents as readonly { mimeType?: string; blob?: string }[];
  expect(mimeType).toBe("image/png");
  const bytes = Buffer.from(blob ?? "", "base64");
  expect(frameOf(bytes, [0, 0, 1, 1]).right).toBeGreaterThan(0);
  const gone = { uri: `${(link?.uri ?? "").split("/images/")[0]}/images/none` };
  await expect(at.client.readResource(gone)).rejects.toMatchObject({ code: -32602 });
});

interface Linked {
  readonly type: string;
  readonly uri?: string;
}

function coloursOf(bytes: Buffer): readonly string[] {
  const { width, height, colourAt } = readPng(bytes);
  const found = new Set<string>();
  for (let y = 0; y < height; y += 2)
    for (let x = 0; x < width; x += 2) found.add(colourAt(x, y).join());
  return [...found];
}

test.each([
  ["stations.xlsx", { page: "Hidden" }, { error: "invalid_parameter", parameter: "page" }],
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
