// Styles of an OpenDocument presentation, with everything they inherit.

import { elements, type XmlElement } from "../xml.ts";

/** All properties of a style by name, whichever of its parts they are in. */
export type Look = Readonly<Record<string, string | undefined>>;

export interface Styles {
  /** Of its properties, those that are wanted; the same ones in each call. */
  look(family: string, name: string | undefined, wanted?: readonly string[]): Look;
  /** The levels of an outline have separate styles, named after the first: "…-outline1", "…-outline2". */
  outlineLook(name: string | undefined, level: number): Look;
  /** Another element with a name, such as a page layout, a list style or a picture for filling. */
  named(element: string, name: string | undefined): XmlElement | undefined;
}

const MAX_ANCESTORS = 12;

/** `all` are the file's styles; later ones win. */
export function openStyles(all: readonly XmlElement[]): Styles {
  const byName = new Map(
    all.map((style) => {
      const { family, "style:name": name, "draw:name": drawn } = style.attributes;
      return [`${family ?? style.name}/${name ?? drawn ?? ""}`, style] as const;
    }),
  );
  const chainOf = (family: string, name: string | undefined): readonly XmlElement[] => {
    const chain: XmlElement[] = [];
    let next = byName.get(`${family}/${name}`);
    while (next !== undefined && chain.length < MAX_ANCESTORS) {
      chain.unshift(next);
      next = byName.get(`${family}/${next.attributes["parent-style-name"]}`);
    }
    return chain;
  };
  const known = new Map<string, Look>();
  const look: Styles["look"] = (family, name, wanted) => {
    const key = `${family}/${name}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const usual = family === "presentation" ? "graphic" : family;
    const parts = [byName.get(`${usual}/`), ...chainOf(family, name)].flatMap(elements);
    const made = merged(parts, wanted);
    known.set(key, made);
    return made;
  };
  return {
    look,
    outlineLook(name, level) {
      const names = chainOf("presentation", name).map(({ attributes }) => attributes["style:name"]);
      const first = names.findLast((each) => each?.endsWith("-outline1"));
      if (first === undefined || level < 2) return {};
      return look("presentation", first.replace(/1$/, String(Math.min(9, level))));
    },
    named: (element, name) => (name === undefined ? undefined : byName.get(`${element}/${name}`)),
  };
}

/** Later ones win. */
function merged(parts: readonly XmlElement[], wanted: readonly string[] | undefined): Look {
  const made: Record<string, string> = {};
  for (const { attributes } of parts)
    for (const name of wanted ?? Object.keys(attributes)) {
      const value = attributes[name];
      if (value !== undefined) made[name] = value;
    }
  return made;
}

const POINTS = new Map(
  Object.entries({ cm: 72 / 2.54, mm: 72 / 25.4, in: 72, pt: 1, pc: 12, px: 0.75 }),
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
