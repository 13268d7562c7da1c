// A second look at pages that the parser misread: those that lie on their side or upside down, and those in fonts with a
// wrong table of letters.
import type { LiteParse, LiteParseConfig, ParsedPage } from "@llamaindex/liteparse";
import { toPieces } from "../image/ocr/layout/lines.ts";
import type { Piece } from "../writer.ts";
import { hasStrangeLetters, isStrange } from "./strange-text.ts";

export interface SeenPage {
  readonly page: ParsedPage;
  /** In place of the parser's own layout. */
  readonly pieces?: readonly Piece[];
  /** The text is no language's, so the picture may be the better source. */
  readonly isDoubted: boolean;
}

export interface Rereading {
  readonly Parser: typeof LiteParse;
  readonly bytes: Buffer;
  readonly options: Partial<LiteParseConfig>;
  /** Fonts that were found to give other letters. */
  readonly wrongFonts: Set<string>;
}

// The rest are quotation marks, dashes and names in other scripts.
const MOSTLY = 0.9;

type Turn = 0 | 90 | 180 | 270;
type Item = ParsedPage["textItems"][number];

/** How far most of a page's text is turned, clockwise. */
export function turnOf({ textItems }: ParsedPage): Turn {
  const counts = new Map<number, number>();
  let all = 0;
  for (const { text, rotation = 0 } of textItems) {
    const turn = (Math.round(rotation / 90) * 90 + 360) % 360;
    all += text.length;
    counts.set(turn, (counts.get(turn) ?? 0) + text.length);
  }
  const isMost = (turn: Turn) => (counts.get(turn) ?? 0) > all / 2;
  return ([90, 180, 270] as const).find(isMost) ?? 0;
}

/** `first`: as the parser gave them. A page that something hidden was taken from stays as it is: it would come back. */
export async function readMisreadPages(
  pages: readonly ParsedPage[],
  first: readonly ParsedPage[],
  look: Rereading,
): Promise<readonly SeenPage[]> {
  const whole = pages.filter((page) => first.includes(page));
  const again = new Map((await lookAtWhole(whole, look)).map((seen) => [seen.page.pageNum, seen]));
  return pages.map((page) => again.get(page.pageNum) ?? { page, isDoubted: false });
}

async function lookAtWhole(
  pages: readonly ParsedPage[],
  look: Rereading,
): Promise<readonly SeenPage[]> {
  const turned = pages.filter((page) => turnOf(page) !== 0);
  const pageOrientationCorrections = turned.map((page) => ({
    page: page.pageNum,
    angle: turnOf(page),
  }));
  const upright = await parseAgain(turned, look, { pageOrientationCorrections });
  const seen = pages.map((page) => upright.get(page.pageNum) ?? page);
  const readCodes = (some: readonly ParsedPage[]) =>
    parseAgain(some, look, { pageOrientationCorrections, extractTextMetadata: true });
  const strange = seen.filter(({ text }) => isStrange(text));
  for (const page of (await readCodes(strange)).values()) findWrongFonts(page, look.wrongFonts);
  const isWrong = ({ fontName = "" }: Item) => look.wrongFonts.has(fontName);
  const coded = await readCodes(seen.filter(({ textItems }) => textItems.some(isWrong)));
  return seen.map((page) => {
    const again = coded.get(page.pageNum);
    if (again === undefined) return { page, isDoubted: hasStrangeLetters(page.text) };
    return fromItems(
      page,
      again.textItems.map((item) => (isWrong(item) ? { ...item, text: codedText(item) } : item)),
    );
  });
}

async function parseAgain(
  pages: readonly ParsedPage[],
  { Parser, bytes, options }: Rereading,
  more: Partial<LiteParseConfig>,
): Promise<ReadonlyMap<number, ParsedPage>> {
  if (pages.length === 0) return new Map();
  const targetPages = pages.map(({ pageNum }) => pageNum).join(",");
  // A second look is an extra: without it the first one counts.
  const again = await new Parser({ ...options, ...more, targetPages })
    .parse(bytes)
    .catch(() => undefined);
  return new Map(again?.pages.map((page) => [page.pageNum, page]));
}

/** Where a font's table is wrong, its codes may still be characters; if they make sense, they are the text. */
function findWrongFonts({ textItems }: ParsedPage, found: Set<string>): void {
  const text = textItems.map(codedText).join(" ");
  const ascii = text.match(/[ -~]/g)?.length ?? 0;
  if (ascii < text.length * MOSTLY || isStrange(text)) return;
  for (const item of textItems) if (codedText(item) !== item.text) found.add(item.fontName ?? "");
}

function fromItems(page: ParsedPage, items: readonly Item[]): SeenPage {
  const pieces = toPieces(items.map((item) => ({ ...item, confidence: 1 })));
  return {
    page: { ...page, text: items.map(({ text }) => text).join(" ") },
    pieces: pieces.map((piece) =>
      piece.kind === "table" ? piece : { kind: "paragraph", text: piece.text },
    ),
    isDoubted: false,
  };
}

/** The parser joins runs of text, but lists the codes of the first only, which ends with 0. */
function codedText({ text, charCodes = [] }: Item): string {
  const codes = charCodes.slice(0, text.length).filter((code) => code >= 0x20);
  return codes.map((code) => String.fromCharCode(code)).join("") + text.slice(codes.length);
}
