// Text of a page that nobody sees. Its colour and size are known; what is drawn over it is not, so where that is in
// doubt the page is painted, and letters that leave no trace are not seen.

import { inflateSync } from "node:zlib";
import type { LiteParse, ParsedPage, TextItem, VectorGraphics } from "@llamaindex/liteparse";
import type { HiddenKind } from "../../domain/document.ts";
import { TINY_POINTS } from "../hidden/appearance.ts";
import { looksSame, type Rgb, toRgb, WHITE } from "../hidden/colour.ts";
import { isEnough } from "../hidden/hidden.ts";
import { decodePng, type Pixels } from "../image/pixels/png.ts";
import type { Writer } from "../writer.ts";
import { needsOcr } from "./pages.ts";

/** What the parser must report about each text. */
export const SEEN_OPTIONS = { extractTextMetadata: true, extractVectorGraphics: true } as const;

// Of 255.
const TRANSPARENT = 16;
const LIGHT = 225;
// A larger area is the page's background; and where most text is in white boxes, they are the backgrounds of cells.
const MOST_COVERED = 0.5;
const MOST_IN_BOXES = 0.3;
const FEW = 5;
// Half a pixel for each point shows letters as smudges, and that is enough.
const DPI = 36;
// Of 255; the faintest letters in print differ from their paper by 20.
const TRACE = 10;
// In points: a thinner area is a rule, and behind no letter.
const THINNEST = 2;
// From this share of a page on, a picture may show what the letters say, as a scan does.
const PICTURED = 0.3;

export interface Painting {
  readonly Parser: typeof LiteParse;
  readonly options: ConstructorParameters<typeof LiteParse>[0];
  readonly bytes: Buffer;
  readonly out: Writer;
  /** Some of the file's text is drawn without ink. */
  readonly hasInkless: boolean;
}

/** Sure: by its own colour and size. */
interface Suspicion {
  readonly kind: HiddenKind;
  readonly isSure?: boolean;
}

type Suspects = ReadonlyMap<TextItem, Suspicion>;

/** The pages without what nobody sees on them, which goes to the writer. */
export async function seenPages(
  pages: readonly ParsedPage[],
  painting: Painting,
): Promise<readonly ParsedPage[]> {
  const suspects = new Map(
    pages.map((page) => [page, suspectsOn(page, painting.hasInkless)] as const),
  );
  const doubtful = pages.filter((page) =>
    [...(suspects.get(page)?.values() ?? [])].some(({ isSure }) => !isSure),
  );
  const painted = await paint(
    doubtful.map(({ pageNum }) => pageNum),
    painting,
  );
  return pages.map((page) => {
    const picture = painted.get(page.pageNum);
    const unseen = [...(suspects.get(page) ?? [])].filter(
      ([item, { isSure }]) => isSure || (picture && !leavesTrace(item, page, picture)),
    );
    const isMuch = isEnough(unseen.map(([item]) => item.text).join(" "));
    return isMuch ? without(page, new Map(unseen), painting) : page;
  });
}

function suspectsOn(page: ParsedPage, hasInkless: boolean): Suspects {
  const found = new Map<TextItem, Suspicion>();
  if (needsOcr(page)) return found;
  const { complexity, vectorGraphics } = page;
  const items = page.textItems.filter(({ text }) => text.trim() !== "");
  const areas = (vectorGraphics?.shapes ?? []).filter(
    ({ fill, bbox }) => fill && Math.min(bbox.width, bbox.height) >= THINNEST,
  );
  const isPictured = complexity?.fullPageImage || (complexity?.imageCoverage ?? 0) > PICTURED;
  const most = page.width * page.height * MOST_COVERED;
  for (const item of items) {
    const why = suspicion(item, areas, most);
    if (why !== undefined) found.set(item, why);
    else if (hasInkless && !isPictured) found.set(item, { kind: "transparent" });
  }
  const covered = [...found].filter(([, { kind }]) => kind === "covered");
  if (covered.length > Math.max(FEW, items.length * MOST_IN_BOXES))
    for (const [item] of covered) found.delete(item);
  return found;
}

type Area = VectorGraphics["shapes"][number];

function suspicion(item: TextItem, areas: readonly Area[], most: number): Suspicion | undefined {
  const { fillColor = "ff000000", fontHeight = 9 } = item;
  if (fontHeight <= TINY_POINTS) return { kind: "too-small", isSure: true };
  if (Number.parseInt(fillColor.slice(0, 2), 16) < TRANSPARENT)
    return { kind: "transparent", isSure: true };
  const colour = colourOf(fillColor);
  const around = areas.filter(({ bbox }) => isInside(item, bbox));
  const differs = (area: Area) => !looksSame(colourOf(area.fillColor), colour);
  const isLight = Math.min(...colour) >= LIGHT;
  if (isLight ? !around.some(differs) : !around.every(differs)) return { kind: "same-colour" };
  const covers = ({ bbox, fillColor: fill }: Area) =>
    bbox.width * bbox.height < most && looksSame(colourOf(fill), WHITE);
  return around.some(covers) ? { kind: "covered" } : undefined;
}

/** Without its transparency. */
const colourOf = (argb = "ff000000"): Rgb => toRgb(argb.slice(2)) ?? WHITE;

type Box = Pick<TextItem, "x" | "y" | "width" | "height">;

function isInside({ x, y, width, height }: Box, area: Box): boolean {
  const middle = y + height / 2;
  const isBeside = area.x <= x + 1 && area.x + area.width >= x + width - 1;
  return isBeside && area.y <= middle && area.y + area.height >= middle;
}

async function paint(
  numbers: readonly number[],
  { Parser, bytes }: Painting,
): Promise<ReadonlyMap<number, Pixels>> {
  if (numbers.length === 0) return new Map();
  const painter = new Parser({ quiet: true, ocrEnabled: false, dpi: DPI });
  const shots = await painter.screenshot(bytes, [...numbers]);
  return new Map(
    shots.flatMap(({ pageNum, imageBuffer }) => {
      const pixels = decodePng(imageBuffer);
      return pixels === undefined ? [] : [[pageNum, pixels] as const];
    }),
  );
}

/** Whether the letters differ from what is around them: from one pixel to the next in any row of their middle. */
function leavesTrace(item: Box, page: ParsedPage, pixels: Pixels): boolean {
  const scale = pixels.width / page.width;
  const { channels, data } = pixels;
  const within = (value: number, end: number) => Math.max(0, Math.min(end - 1, Math.round(value)));
  const left = within(item.x * scale, pixels.width);
  const right = within((item.x + item.width) * scale, pixels.width);
  const top = within((item.y + item.height * 0.2) * scale, pixels.height);
  const bottom = within((item.y + item.height * 0.8) * scale, pixels.height);
  for (let row = top; row <= bottom; row += 1) {
    const from = (row * pixels.width + left) * channels;
    const end = (row * pixels.width + right) * channels;
    for (let at = from; at < end; at += 1)
      if (Math.abs((data[at] ?? 0) - (data[at + channels] ?? 0)) > TRACE) return true;
  }
  return false;
}

/** The page laid out again, as if the items were not on it. */
function without(
  page: ParsedPage,
  unseen: Suspects,
  { Parser, options, out }: Painting,
): ParsedPage {
  out.at({ page: page.pageNum });
  for (const [kind, items] of Map.groupBy(unseen, ([, why]) => why.kind))
    out.hide(kind, items.map(([item]) => item.text).join(" "));
  const textItems = page.textItems.filter((item) => !unseen.has(item));
  const { lines = [], shapes = [] } = page.vectorGraphics ?? {};
  const graphics = [
    ...lines.map((line) => ({ kind: "stroke" as const, hasStroke: true, ...line })),
    ...shapes.map(({ bbox, fill, stroke }) => ({
      kind: "rect" as const,
      ...bbox,
      hasFill: fill,
      hasStroke: stroke,
    })),
  ];
  const size = { pageWidth: page.width, pageHeight: page.height };
  const input = { pageNumber: page.pageNum, ...size, textItems, graphics };
  const [made] = new Parser(options).parsePages([input]).pages;
  return { ...page, text: "", blocks: [], ...made, textItems };
}

// Whether a file draws text without ink (text rendering modes 3 and 7): its content is searched for the operator,
// because the parser does not report it.

const INKLESS = /[\s>\])][37]\s+Tr\b/;
/** Streams that are no page's content. */
const OTHER =
  /\/(?:Subtype\s*\/(?:Image|XML|Type1C|CIDFontType0C|OpenType)|Length1|Type\s*\/(?:ObjStm|XRef|Metadata)|FunctionType|N\s+\d)\b/;
const DICTIONARY_BYTES = 600;
const MAX_STREAM_BYTES = 4 * 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;

export function drawsWithoutInk(bytes: Buffer): boolean {
  let room = MAX_BYTES;
  for (let at = bytes.indexOf("stream"); at !== -1 && room > 0; at = bytes.indexOf("stream", at)) {
    const head = bytes.toString("latin1", Math.max(0, at - DICTIONARY_BYTES), at);
    const from = at + (bytes[at + 6] === 13 ? 8 : 7);
    const end = bytes.indexOf("endstream", from);
    const dictionary = head.slice(head.lastIndexOf(" obj"));
    at = end === -1 ? bytes.length : end + "endstream".length;
    if (end === -1 || OTHER.test(dictionary)) continue;
    const content = contentOf(bytes.subarray(from, end), dictionary);
    room -= content.length;
    if (INKLESS.test(content)) return true;
  }
  return false;
}

function contentOf(stream: Buffer, dictionary: string): string {
  if (!dictionary.includes("FlateDecode")) return stream.toString("latin1", 0, MAX_STREAM_BYTES);
  try {
    return inflateSync(stream, { maxOutputLength: MAX_STREAM_BYTES }).toString("latin1");
  } catch {
    // Damaged, encrypted, or larger than any page.
    return "";
  }
}
