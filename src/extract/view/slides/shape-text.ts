// The text of a shape or cell of PowerPoint, in the style that it inherits from master, layout and shape.

import type { Box } from "../../box.ts";
import { child, elements, textOf, type XmlElement } from "../../office/xml.ts";
import { type Deck, inheritedShapes, kindOf, placeholderOf } from "./deck.ts";
import { inset } from "./matrix.ts";
import { POINT } from "./paint.ts";
import type { Paragraph, TextBox, TextStyle } from "./text.ts";

const USUAL_SIZE = 18;
const MAX_SIZE = 400;
const MAX_LEVEL = 8;

/** The text of a shape or of a table's cell. */
export function textIn(shape: XmlElement, deck: Deck, box: Box): TextBox | undefined {
  const body = child(shape, "txBody");
  if (body === undefined) return undefined;
  const above = inheritedShapes(shape, deck).toReversed();
  const bodies = [...above, shape].map((each) => child(each, "txBody", "bodyPr"));
  // Cells have their margins elsewhere, under other names.
  const properties = merged([...bodies, child(shape, "tcPr")]);
  const { marL, marT, marR, marB, anchor, wrap } = properties.attributes;
  const { lIns = marL, tIns = marT, rIns = marR, bIns = marB } = properties.attributes;
  const lists = [
    deck.defaults,
    masterStyle(shape, deck),
    ...above.map((each) => child(each, "txBody", "lstStyle")),
  ];
  const fit = child(properties, "normAutofit");
  const scale = fit?.attributes["fontScale"]?.replace("%", "") ?? 100_000;
  return {
    paragraphs: paragraphsOf(body, { lists, style: styleOf(shape), deck }),
    area: inset(box, [points(lIns, 7.2), points(tIns, 3.6), points(rIns, 7.2), points(bIns, 3.6)]),
    wraps: wrap !== "none",
    anchor: anchor === "ctr" || anchor === "b" ? anchor : "t",
    shrunk: fit && Number(scale) / 100_000,
  };
}

/** The colour that a shape's style gives its text, as if the text named it. */
function styleOf(shape: XmlElement): XmlElement | undefined {
  const reference = child(shape, "style", "fontRef");
  if (reference === undefined || elements(reference).length === 0) return undefined;
  return { name: "rPr", attributes: {}, children: [{ ...reference, name: "solidFill" }] };
}

function masterStyle(shape: XmlElement, { sheets }: Deck): XmlElement | undefined {
  const placeholder = placeholderOf(shape);
  const kind = placeholder === undefined ? "other" : kindOf(placeholder.type);
  const name = kind === "title" || kind === "body" ? kind : "other";
  return child(sheets.at(-1)?.root, "txStyles", `${name}Style`);
}

// Of these only the last one counts, whatever its name.
const BULLETS = /^bu(?:None|Char|AutoNum|Blip)$/;

/** Later sources win, attribute by attribute and child by child. */
function merged(sources: readonly (XmlElement | undefined)[]): XmlElement {
  const attributes: Record<string, string> = Object.create(null);
  const children = new Map<string, XmlElement>();
  for (const source of sources) {
    Object.assign(attributes, source?.attributes);
    for (const each of elements(source))
      children.set(BULLETS.test(each.name) ? "bullet" : each.name, each);
  }
  return { name: "merged", attributes, children: [...children.values()] };
}

interface TextSources {
  /** Styles of lists, the weakest first. */
  readonly lists: readonly (XmlElement | undefined)[];
  readonly style: XmlElement | undefined;
  readonly deck: Deck;
}

function paragraphsOf(body: XmlElement, sources: TextSources): readonly Paragraph[] {
  let counted = 0;
  return elements(body)
    .filter(({ name }) => name === "p")
    .map((paragraph) => {
      const own = child(paragraph, "pPr");
      const level = Math.min(MAX_LEVEL, Math.max(0, Number(own?.attributes["lvl"]) || 0)) + 1;
      const levelOf = (list: XmlElement | undefined) =>
        child(list, `lvl${level}pPr`) ?? child(list, "defPPr");
      const levels = [...sources.lists.map(levelOf), levelOf(child(body, "lstStyle"))];
      const runs = levels.map((each) => child(each, "defRPr"));
      // A style overrides everything but the shape's own list style.
      const inherited = [...runs.slice(0, -1), sources.style, ...runs.slice(-1)];
      const styleOf = (run: XmlElement | undefined) =>
        textStyle(merged([...inherited, run]), sources.deck);
      const shown = runsOf(paragraph, sources.deck.number, styleOf);
      const properties = merged([...levels, own]);
      const isNumbered = child(properties, "buAutoNum") !== undefined && shown.length > 0;
      counted = isNumbered ? counted + 1 : 0;
      const { size } = styleOf(child(paragraph, "endParaRPr"));
      return {
        runs: shown,
        mark: shown.length === 0 ? "" : markOf(properties, counted),
        size,
        ...layoutOf(properties, styleOf(undefined).size),
      };
    });
}

function runsOf(
  paragraph: XmlElement,
  number: number,
  styleOf: (run: XmlElement | undefined) => TextStyle,
): Paragraph["runs"] {
  return elements(paragraph).flatMap((run) => {
    if (!/^(?:r|fld|br)$/.test(run.name)) return [];
    const isNumber = run.attributes["type"] === "slidenum";
    const text = isNumber ? String(number) : textOf(child(run, "t"));
    const shown = run.name === "br" ? "\n" : text;
    return shown === "" ? [] : [{ text: shown, style: styleOf(child(run, "rPr")) }];
  });
}

function textStyle(properties: XmlElement, { colours }: Deck): TextStyle {
  const { sz, b = "0", i = "0", u = "none" } = properties.attributes;
  const size = Number(sz) / 100;
  const isOn = (value: string) => value === "1" || value === "true";
  return {
    size: size > 0 && size <= MAX_SIZE ? size : USUAL_SIZE,
    bold: isOn(b),
    italic: isOn(i),
    underlined: u !== "none",
    colour: colours.in(child(properties, "solidFill")) ??
      colours.named("tx1") ?? { rgb: "#000000", alpha: 1 },
    family: child(properties, "latin")?.attributes["typeface"] ?? "",
  };
}

function layoutOf(properties: XmlElement, size: number) {
  const { algn, marL, indent } = properties.attributes;
  const share = percentage(child(properties, "lnSpc"));
  const space = (name: string) => {
    const given = child(properties, name);
    const exact = Number(child(given, "spcPts")?.attributes["val"]) / 100;
    if (Number.isFinite(exact)) return Math.min(200, exact);
    return Math.min(4, percentage(given) || 0) * size * 1.2;
  };
  return {
    align: algn === "ctr" || algn === "r" ? algn : "l",
    left: points(marL, 0),
    first: points(indent, 0),
    before: space("spcBef"),
    after: space("spcAft"),
    spacing: share > 0.4 && share < 4 ? share : 1,
  } as const;
}

function percentage(spacing: XmlElement | undefined): number {
  return Number(child(spacing, "spcPct")?.attributes["val"]?.replace("%", "")) / 100_000;
}

function points(value: string | undefined, usual: number): number {
  const given = Number(value) / POINT;
  return Number.isFinite(given) ? Math.max(-500, Math.min(500, given)) : usual;
}

function markOf(properties: XmlElement, counted: number): string {
  const numbered = child(properties, "buAutoNum")?.attributes;
  if (numbered !== undefined) {
    const { startAt = "1", type = "" } = numbered;
    const value = Math.max(1, Number(startAt) || 1) + counted - 1;
    const letter = String.fromCharCode(97 + ((value - 1) % 26));
    const named = type.startsWith("alpha") ? letter : String(value);
    const shown = type.startsWith("alphaUc") ? named.toUpperCase() : named;
    return type.endsWith("ParenR") ? `${shown})` : `${shown}.`;
  }
  const bullet = child(properties, "buChar") ?? child(properties, "buBlip");
  if (bullet === undefined) return "";
  const mark = bullet.attributes["char"] ?? "";
  // Symbol fonts have their markers at code points that no other font uses.
  return /[\ue000-\uf8ff§ØüvqèàÜl]/.test(mark) || mark.trim() === "" ? "•" : mark.slice(0, 5);
}
