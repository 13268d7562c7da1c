// The style of text, combined from everything it inherits.
import { child, elements, textOf, type XmlElement } from "../../../office/xml.ts";
import { type Deck, inheritedShapes, kindOf, POINT, placeholderOf } from "../deck.ts";
import type { Colour } from "../drawing/colour.ts";

export interface RunStyle {
  /** In points. */
  readonly size: number;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underlined: boolean;
  readonly colour: Colour;
  readonly family: string;
}

export interface ParagraphStyle {
  readonly align: "l" | "ctr" | "r";
  /** Where lines begin, and the extra indent of the first one; in points. */
  readonly left: number;
  readonly first: number;
  readonly bullet: Bullet | undefined;
  readonly before: number;
  readonly after: number;
  /** The line height, relative to the normal one. */
  readonly spacing: number;
  readonly run: (own: XmlElement | undefined) => RunStyle;
}

export type Bullet =
  | { readonly kind: "mark"; readonly mark: string }
  | { readonly kind: "number"; readonly from: number; readonly form: string };

/** The sources of a shape's text style, the weakest first. */
export interface TextStyles {
  paragraph(paragraph: XmlElement): ParagraphStyle;
}

const BLACK: Colour = { rgb: "#000000", alpha: 1 };
const LARGEST = 400;
const DEEPEST = 8;

/** `size` and `colour` are the defaults. */
export function stylesOf(
  shape: XmlElement,
  deck: Deck,
  usual: { readonly size: number; readonly colour?: Colour | undefined; readonly bold?: boolean },
): TextStyles {
  const lists = listStyles(shape, deck);
  const { colours } = deck;
  const byShape = colours.in(child(shape, "style", "fontRef")) ?? usual.colour;
  return {
    paragraph(paragraph) {
      const own = child(paragraph, "pPr");
      const level = Math.min(DEEPEST, Math.max(0, Number(own?.attributes["lvl"] ?? 0) || 0));
      const sources = lists
        .map((list) => child(list, `lvl${level + 1}pPr`) ?? child(list, "defPPr"))
        .filter((source) => source !== undefined);
      const all = own ? [...sources, own] : sources;
      const inherited = sources.flatMap((source) => child(source, "defRPr") ?? []);
      const run = (given: XmlElement | undefined) =>
        runStyle(given ? [...inherited, given] : inherited, {
          ...usual,
          deck,
          colour: byShape,
          // A style's colour overrides the defaults of all shapes.
          weakest: byShape === undefined ? 0 : defaultsIn(lists, shape),
        });
      return { ...paragraphStyle(all, run(undefined).size), run };
    },
  };
}

function listStyles(shape: XmlElement, deck: Deck): readonly XmlElement[] {
  const placeholder = placeholderOf(shape);
  const master = deck.sheets.at(-1)?.root;
  const kind = placeholder && kindOf(placeholder.type);
  const name = STYLE_OF.get(kind ?? "") ?? (kind === "body" ? "bodyStyle" : "otherStyle");
  const inherited = inheritedShapes(shape, deck)
    .toReversed()
    .map((each) => child(each, "txBody", "lstStyle"));
  return [
    deck.defaults,
    child(master, "txStyles", name),
    ...inherited,
    child(shape, "txBody", "lstStyle"),
  ].filter((list) => list !== undefined);
}

const STYLE_OF = new Map(Object.entries({ title: "titleStyle" }));

/** The number of sources that apply to all shapes. */
function defaultsIn(lists: readonly XmlElement[], shape: XmlElement): number {
  const own = child(shape, "txBody", "lstStyle");
  return own !== undefined && lists.includes(own) ? lists.length - 1 : lists.length;
}

interface RunBasis {
  readonly size: number;
  readonly bold?: boolean;
  readonly colour: Colour | undefined;
  readonly weakest: number;
  readonly deck: Deck;
}

function runStyle(sources: readonly XmlElement[], basis: RunBasis): RunStyle {
  const { colours } = basis.deck;
  const value = (name: string) => last(sources, ({ attributes }) => attributes[name]);
  const colourIn = (from: readonly XmlElement[]) =>
    last(from, (source) => colours.in(child(source, "solidFill")));
  const colour =
    colourIn(sources.slice(basis.weakest)) ??
    basis.colour ??
    colourIn(sources) ??
    colours.named("tx1");
  const size = Number(value("sz")) / 100;
  const typeface = last(sources, (source) => child(source, "latin")?.attributes["typeface"]);
  return {
    size: size > 0 && size <= LARGEST ? size : basis.size,
    bold: isOn(value("b") ?? (basis.bold ? "1" : "0")),
    italic: isOn(value("i")),
    underlined: (value("u") ?? "none") !== "none",
    colour: colour ?? BLACK,
    family: typeface ?? "",
  };
}

function isOn(value: string | undefined): boolean {
  return value === "1" || value === "true";
}

function last<T>(
  sources: readonly XmlElement[],
  read: (source: XmlElement) => T | undefined,
): T | undefined {
  for (const source of sources.toReversed()) {
    const value = read(source);
    if (value !== undefined) return value;
  }
  return undefined;
}

type Measured = Omit<ParagraphStyle, "run">;

function paragraphStyle(sources: readonly XmlElement[], size: number): Measured {
  const points = (name: string) => {
    const value = Number(last(sources, ({ attributes }) => attributes[name])) / POINT;
    return Number.isFinite(value) ? Math.max(-500, Math.min(500, value)) : 0;
  };
  const align = last(sources, ({ attributes }) => attributes["algn"]);
  const space = (name: string) =>
    spaceOf(
      last(sources, (source) => child(source, name)),
      size,
    );
  const line = last(sources, (source) => child(source, "lnSpc"));
  const share = Number(child(line, "spcPct")?.attributes["val"]?.replace("%", "")) / 100_000;
  return {
    align: align === "ctr" || align === "r" ? align : "l",
    left: points("marL"),
    first: points("indent"),
    bullet: bulletOf(sources),
    before: space("spcBef"),
    after: space("spcAft"),
    spacing: share > 0.4 && share < 4 ? share : 1,
  };
}

function spaceOf(space: XmlElement | undefined, size: number): number {
  const points = Number(child(space, "spcPts")?.attributes["val"]) / 100;
  const share = Number(child(space, "spcPct")?.attributes["val"]) / 100_000;
  if (Number.isFinite(points)) return Math.min(200, points);
  return Number.isFinite(share) ? Math.min(4, share) * size * 1.2 : 0;
}

function bulletOf(sources: readonly XmlElement[]): Bullet | undefined {
  const said = last(sources, (source) =>
    elements(source).find(({ name }) => /^bu(None|Char|AutoNum|Blip)$/.test(name)),
  );
  if (said === undefined || said.name === "buNone") return undefined;
  if (said.name !== "buAutoNum") return { kind: "mark", mark: markOf(said.attributes["char"]) };
  const from = Number(said.attributes["startAt"] ?? 1);
  return { kind: "number", from: from > 0 ? from : 1, form: said.attributes["type"] ?? "" };
}

/** Symbol fonts have their markers at code points that no other font uses. */
function markOf(mark = "•"): string {
  return /[\ue000-\uf8ff§ØüvqèàÜl]/.test(mark) || mark.trim() === "" ? "•" : mark.slice(0, 2);
}

export function plainText(run: XmlElement, number: number): string {
  const isNumber = run.name === "fld" && run.attributes["type"] === "slidenum";
  return isNumber ? String(number) : textOf(child(run, "t"));
}
