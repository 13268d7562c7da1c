// Styles of an OpenDocument file, with everything they inherit.

import { elements, type XmlElement } from "../xml.ts";

/** All properties of a style by name, whichever of its parts they are in. */
export type Look = Readonly<Record<string, string | undefined>>;

export interface Styles {
  look(family: string, name: string | undefined): Look;
  listStyle(name: string | undefined): XmlElement | undefined;
}

const MAX_ANCESTORS = 12;

/** `all` are the file's styles, of which later ones win; `wanted` are the properties that count. */
export function openStyles(all: readonly XmlElement[], wanted: readonly string[]): Styles {
  const byName = new Map(
    all.map((style) => {
      const { family, "style:name": name = "" } = style.attributes;
      return [`${family ?? style.name}/${name}`, style] as const;
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
  return {
    look(family, name) {
      const key = `${family}/${name}`;
      const found = known.get(key);
      if (found !== undefined) return found;
      const parts = [byName.get(`${family}/`), ...chainOf(family, name)].flatMap(elements);
      const made = merged(parts, wanted);
      known.set(key, made);
      return made;
    },
    listStyle: (name) => (name === undefined ? undefined : byName.get(`list-style/${name}`)),
  };
}

/** Later ones win. */
function merged(parts: readonly XmlElement[], wanted: readonly string[]): Look {
  const made: Record<string, string> = {};
  for (const { attributes } of parts)
    for (const name of wanted) {
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
