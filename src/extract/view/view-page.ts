// In the reader process: renders a page, or finds its words.
import type { LiteParse, LiteParseConfig, ParsedPage } from "@llamaindex/liteparse";
import { KnowledgeError } from "../../domain/errors.ts";
import type { Box } from "../box.ts";
import { corrupt } from "../failures.ts";
import { toPicture } from "../image/image.ts";
import { boxOf } from "../image/ocr/boxes.ts";
import { openOcr, type Picture } from "../image/ocr/ocr.ts";
import { toPdf } from "../image/paint/pdf-page.ts";
import { svgPage } from "../image/paint/svg-page.ts";
import { decodePng, type Pixels } from "../image/pixels/png.ts";
import type { ExtractLimits } from "../limits.ts";
import { turnOf } from "../pdf/misread-pages.ts";
import { needsOcr } from "../pdf/pages.ts";
import { repairCutOff } from "../pdf/repair-cut-off.ts";
import { declaredCharset, decodeText } from "../plain/charset.ts";
import type { ReadSettings } from "../reader.ts";
import { framingOf } from "./close-up/framing.ts";
import type { Slide, Word } from "./slides/canvas.ts";
import { MAX_WORDS, type PageImage, type PageRequest, type PageView } from "./view.ts";

export interface ViewRequest extends Pick<PageRequest, "format" | "page" | "sheet" | "want"> {
  readonly bytes: Buffer;
  readonly settings: ReadSettings;
  readonly alive: () => void;
}

const OPTIONS: Partial<LiteParseConfig> = {
  outputFormat: "json",
  imageMode: "off",
  quiet: true,
  ocrEnabled: false,
  // Painting form fields would run the file's own actions.
  renderFormFields: false,
  numWorkers: 1,
};
// liteparse treats a picture as a page of 150 dots per inch.
const PICTURE_DPI = 150;
const POINTS = 72;
// A page 2,000 pixels wide and three times as high.
const MAX_PIXELS = 12_000_000;
// The best resolution for OCR.
const OCR_DPI = 200;

type Size = Pick<PageImage, "width" | "height">;

export async function viewPage(request: ViewRequest): Promise<PageView> {
  const { bytes, format, settings, want } = request;
  if (format === "pptx") return viewSlide(request);
  if (format === "xlsx" || format === "ods" || format === "xls") return viewSheet(request);
  const { LiteParse: Parser } = await import("@llamaindex/liteparse");
  if (format === "pdf") return viewPdfPage(Parser, request);
  if (format === "svg") return viewDrawing(Parser, request);
  const picture = await toPicture(bytes, settings.limits);
  if (want.kind === "words") return recogniseWords(picture, request);
  const show = (scale: number) =>
    paint(Parser, picture.bytes, { page: 1, dpi: PICTURE_DPI * Math.min(1, scale) });
  return showPage(picture, want, show);
}

type Shown = Exclude<ViewRequest["want"], { readonly kind: "words" }>;
type Show = (scale: number) => Promise<PageImage>;

/** `show` paints the page with so many pixels per unit of its sides. */
async function showPage(page: Size, want: Shown, show: Show): Promise<PageView> {
  if (want.kind === "image") return show(scaleOf(page, want.width));
  const marks = want.marks.map(toShares);
  const { part, scale } = framingOf(page, marks);
  const { closeUp } = await import("./close-up/close-up.ts");
  return closeUp(await show(bounded(scale, page)), part, marks);
}

async function viewSlide(request: ViewRequest): Promise<PageView> {
  const { bytes, page, want, settings } = request;
  const { drawSlide } = await import("./slides/slide.ts");
  const slide = await drawSlide(bytes, page, settings.limits);
  if (slide === undefined) throw noSuchPage();
  return viewDrawn(slide, want, settings.limits);
}

async function viewSheet({ bytes, format, page, sheet, want, settings }: ViewRequest) {
  if (sheet === undefined) throw noSuchPage();
  const { drawSheet } = await import("./sheets/sheet.ts");
  const drawn = await drawSheet(bytes, { format, page, sheet }, settings.limits);
  return viewDrawn(drawn, want, settings.limits);
}

async function viewDrawn(slide: Slide, want: ViewRequest["want"], limits: ExtractLimits) {
  const { svg, words, width, height } = slide;
  if (want.kind === "words") return toWords(words, slide);
  if (want.kind === "image")
    return { kind: "image", type: "svg", bytes: Buffer.from(svg), width, height } as const;
  const { LiteParse: Parser } = await import("@llamaindex/liteparse");
  const pdf = await toPage(Parser, svg, limits);
  return showPage(slide, want, (scale) =>
    paint(Parser, pdf.bytes, { page: 1, dpi: (POINTS * scale * slide.width) / pdf.width }),
  );
}

/** The words of a drawing are found on the page that it is painted as. */
async function viewDrawing(Parser: typeof LiteParse, request: ViewRequest): Promise<PageView> {
  const source = decodeText(request.bytes, declaredCharset(request.bytes)).text;
  const { bytes } = await toPage(Parser, source, request.settings.limits);
  return viewPdfPage(Parser, { ...request, bytes, format: "pdf" }, "text");
}

// Pictures on a slide need no more pixels than the slide gets.
const MAX_PICTURE_SIDE = 1_400;

async function toPage(Parser: typeof LiteParse, svg: string, limits: ExtractLimits) {
  const decode = async (given: Buffer) => {
    const { bytes, width, height } = await toPicture(given, limits);
    const dpi = PICTURE_DPI * Math.min(1, MAX_PICTURE_SIDE / Math.max(width, height));
    return decodePng(Buffer.from((await paint(Parser, bytes, { page: 1, dpi })).bytes));
  };
  const page = await drawingPdf(svg, (bytes) => decode(bytes).catch(() => undefined));
  if (page === undefined) throw noSuchPage();
  return page;
}

async function viewPdfPage(
  Parser: typeof LiteParse,
  request: ViewRequest,
  words: "text" | "any" = "any",
): Promise<PageView> {
  const { bytes, want } = request;
  const { page, source } = await openPage(Parser, request).catch((error: unknown) => {
    const repaired = repairCutOff(bytes, request.settings.limits.zipTotalBytes);
    if (repaired === undefined) throw error;
    return openPage(Parser, { ...request, bytes: repaired });
  });
  if (want.kind !== "words") {
    const show = (scale: number) =>
      paint(Parser, source, { page: request.page, dpi: POINTS * scale });
    return showPage(page, want, show);
  }
  if (words === "text" || !needsOcr(page))
    return layerWords(Parser, { ...request, bytes: source }, page);
  const painted = await paint(Parser, source, { page: request.page, dpi: OCR_DPI });
  const picture: Picture = { ...painted, bytes: Buffer.from(painted.bytes), fits: true };
  return recogniseWords(picture, request);
}

/** The words of turned text are found on the page turned back. */
async function layerWords(Parser: typeof LiteParse, request: ViewRequest, page: ParsedPage) {
  const turn = turnOf(page);
  if (turn === 0) return toWords(page.textItems.flatMap(wordsOf), page);
  const upright = await openPage(Parser, request, {
    pageOrientationCorrections: [{ page: request.page, angle: turn }],
  });
  const words = upright.page.textItems.flatMap(wordsOf);
  const boxes = words.map((word) => ({ ...word, ...boxOf(word, { turn }, page) }));
  return toWords(boxes, { width: 1, height: 1 });
}

async function openPage(
  Parser: typeof LiteParse,
  { bytes, page: number, want }: ViewRequest,
  more: Partial<LiteParseConfig> = {},
) {
  const findsWords = want.kind === "words";
  const parser = new Parser({
    ...OPTIONS,
    ...more,
    targetPages: String(number),
    emitWordBoxes: findsWords,
    includeComplexity: findsWords,
    extractContentBounds: findsWords,
    extractAnnotations: findsWords,
  });
  const { pages } = await parser.parse(bytes).catch((cause: unknown) => {
    throw corrupt("The page cannot be rendered: the file is damaged.", cause);
  });
  const page: ParsedPage | undefined = pages.find(({ pageNum }) => pageNum === number);
  if (page === undefined) throw noSuchPage();
  return { page, source: bytes };
}

function scaleOf(page: Size, wanted: number): number {
  return bounded(wanted / page.width, page);
}

function bounded(scale: number, { width, height }: Size): number {
  return Math.min(scale, Math.sqrt(MAX_PIXELS / (width * height)));
}

async function paint(
  Parser: typeof LiteParse,
  bytes: Buffer,
  { page, dpi }: { readonly page: number; readonly dpi: number },
): Promise<PageImage> {
  const [shot] = await new Parser({ ...OPTIONS, dpi })
    .screenshot(bytes, [page])
    .catch((cause: unknown) => {
      throw corrupt("The page cannot be rendered: the file is damaged.", cause);
    });
  if (shot === undefined) throw noSuchPage();
  const { imageBuffer: picture, width, height } = shot;
  return { kind: "image", type: "png", bytes: picture, width, height };
}

/** Reads the picture in the same way as the document. OCR returns positions as shares of it. */
async function recogniseWords(picture: Picture, { settings, alive }: ViewRequest) {
  const reader = await openOcr(settings.ocr, alive);
  const { words } = await reader.read(picture);
  const boxes = words.map(({ text, box }) => ({ text, ...box }));
  return toWords(boxes, { width: 1, height: 1 });
}

function wordsOf(item: ParsedPage["textItems"][number]): readonly Word[] {
  return item.words === undefined || item.words.length === 0 ? [item] : item.words;
}

const WHOLE = 10_000;
const MAX_WORD_LENGTH = 1_000;

/** `words` and the page's sides have the same units. */
function toWords(
  words: readonly Word[],
  { width, height }: { readonly width: number; readonly height: number },
): PageView {
  const shown = words.filter(({ text }) => text.trim() !== "").slice(0, MAX_WORDS);
  return {
    kind: "words",
    words: shown.map((word) => [
      word.text.slice(0, MAX_WORD_LENGTH),
      part(word.x, width),
      part(word.y, height),
      part(word.width, width),
      part(word.height, height),
    ]),
  };
}

function toShares({ x, y, width, height }: Box): Box {
  return { x: x / WHOLE, y: y / WHOLE, width: width / WHOLE, height: height / WHOLE };
}

/** A word may extend beyond the page's edge. */
function part(length: number, whole: number): number {
  const share = Math.round((length / whole) * WHOLE);
  return Number.isFinite(share) ? Math.min(WHOLE, Math.max(0, share)) : 0;
}

function noSuchPage(): KnowledgeError {
  return new KnowledgeError("RESOURCE_NOT_FOUND", "The document has no such page.");
}

// A drawing as a page of PDF, which PDFium paints and finds the words of. Letters are approximate.

/** `decode` makes pixels of a picture's bytes; undefined if it cannot be read. */
async function drawingPdf(svg: string, decode: (bytes: Buffer) => Promise<Pixels | undefined>) {
  const addresses: string[] = [];
  const page = svgPage(svg, addresses);
  if (page === undefined) return undefined;
  const decoded = new Map<string, Pixels>();
  for (const address of [...new Set(addresses)].slice(0, MAX_PICTURES))
    decoded.set(address, (await decode(bytesOf(address))) ?? EMPTY);
  const pictures = addresses.map((address) => decoded.get(address) ?? EMPTY);
  return { bytes: toPdf({ ...page, pictures }), width: page.width, height: page.height };
}

// More are shown as grey areas; each takes up to 6 MB of memory.
const MAX_PICTURES = 30;
const EMPTY: Pixels = { width: 1, height: 1, channels: 3, data: Uint8Array.from([225, 228, 232]) };

/** Of a data URL; addresses of other kinds are never opened. */
function bytesOf(address: string): Buffer {
  const isData = address.startsWith("data:");
  return Buffer.from(isData ? address.slice(address.indexOf(",") + 1) : "", "base64");
}
