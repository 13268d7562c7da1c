// Styles of an OpenDocument presentation, with everything they inherit.
import { child, elements, type XmlElement } from "../../../office/xml.ts";
import type { Colour } from "../drawing/colour.ts";

type Properties = Readonly<Record<string, string>>;

export interface Look {
  readonly graphic: Properties;
  readonly paragraph: Properties;
  readonly text: Properties;
  readonly page: Properties;
  /** The style's own name, then those it inherits from, the nearest first. */
  readonly names: readonly string[];
}

export interface Styles {
  look(family: string, name: string | undefined): Look;
  /** A width or height; rows and columns have them in separate properties. */
  side(family: string, name: string | undefined, property: string): string | undefined;
  /** The level of a list style, from 1. */
  listLevel(name: string | undefined, level: number): XmlElement | undefined;
  /** The archive part of a named picture fill. */
  fillImage(name: string | undefined): string | undefined;
}

const DEEPEST = 12;
const KINDS = {
  graphic: "graphic-properties",
  paragraph: "paragraph-properties",
  text: "text-properties",
  page: "drawing-page-properties",
} as const;

/** `roots` are the collections of styles; later ones win. */
export function openStyles(roots: readonly XmlElement[]): Styles {
  const all = roots.flatMap(elements);
  const keyed = (name: string, keyOf: (style: XmlElement) => string) =>
    new Map(all.filter((each) => each.name === name).map((each) => [keyOf(each), each]));
  const named = ({ attributes }: XmlElement) => attributes["style:name"] ?? "";
  const family = ({ attributes }: XmlElement) => attributes["family"] ?? "";
  const styles = keyed("style", (style) => `${family(style)}/${named(style)}`);
  const defaults = keyed("default-style", family);
  const lists = keyed("list-style", named);
  const images = keyed("fill-image", ({ attributes }) => attributes["draw:name"] ?? "");
  return {
    look(of, name) {
      const chain: XmlElement[] = [];
      let next = name === undefined ? undefined : styles.get(`${of}/${name}`);
      while (next !== undefined && chain.length < DEEPEST) {
        chain.push(next);
        next = styles.get(`${of}/${next.attributes["parent-style-name"] ?? ""}`);
      }
      const usual =
        defaults.get(of) ?? (of === "presentation" ? defaults.get("graphic") : undefined);
      return lookOf([...(usual ? [usual] : []), ...chain.toReversed()], chain.map(named));
    },
    side: (of, name, property) =>
      elements(styles.get(`${of}/${name ?? ""}`) ?? NO_ELEMENT)
        .map(({ attributes }) => attributes[property])
        .find((value) => value !== undefined),
    listLevel: (name, level) =>
      elements(lists.get(name ?? "") ?? NO_ELEMENT).find(
        ({ attributes }) => attributes["level"] === String(level),
      ),
    fillImage: (name) => images.get(name ?? "")?.attributes["href"],
  };
}

const NO_ELEMENT: XmlElement = { name: "", attributes: {}, children: [] };

function lookOf(chain: readonly XmlElement[], names: readonly string[]): Look {
  const merged = (kind: string): Properties =>
    Object.assign(Object.create(null), ...chain.map((style) => child(style, kind)?.attributes));
  return {
    graphic: merged(KINDS.graphic),
    paragraph: merged(KINDS.paragraph),
    text: merged(KINDS.text),
    page: merged(KINDS.page),
    names,
  };
}

/** The vertical position of text in its box, by PowerPoint's names. */
export function anchorOf({ graphic }: Pick<Look, "graphic">): "t" | "ctr" | "b" {
  const place = graphic["textarea-vertical-align"];
  if (place === "middle") return "ctr";
  return place === "bottom" ? "b" : "t";
}

const POINTS = new Map(
  Object.entries({
    cm: 72 / 2.54,
    mm: 72 / 25.4,
    in: 72,
    pt: 1,
    pc: 12,
    px: 0.75,
  }),
);

/** In points; undefined if the text is not a length. */
export function lengthOf(text: string | undefined): number | undefined {
  const [, number, unit = ""] = /^(-?[\d.]+)(cm|mm|in|pt|pc|px)$/.exec(text?.trim() ?? "") ?? [];
  const points = Number(number) * (POINTS.get(unit) ?? Number.NaN);
  return Number.isFinite(points) && Math.abs(points) < 100_000 ? points : undefined;
}

/** Converts a percentage to a share. */
export function shareOf(text: string | undefined): number | undefined {
  const share = Number(/^(-?[\d.]+)%$/.exec(text?.trim() ?? "")?.[1]) / 100;
  return Number.isFinite(share) ? share : undefined;
}

export function colourOf(text: string | undefined, opacity?: string): Colour | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(text ?? "")) return undefined;
  return { rgb: text ?? "", alpha: Math.min(1, Math.max(0, shareOf(opacity) ?? 1)) };
}
