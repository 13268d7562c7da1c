// Colours, fills and lines as PowerPoint names them: directly, or by a role that the theme fills.
import { child, descendants, elements, type XmlElement } from "../../office/xml.ts";
import type { Colour, Line } from "./canvas.ts";

export interface Colours {
  /** The first colour inside the element, or undefined. */
  in(parent: XmlElement | undefined): Colour | undefined;
  /** A colour by its name in the theme: "tx1", "accent1", … */
  named(name: string): Colour | undefined;
}

type Rgb = readonly [number, number, number];

const PRESET = new Map(Object.entries({ black: "000000", white: "ffffff" }));
// For slides without a colour map, and themes without colours.
const USUAL_MAP = new Map(Object.entries({ bg1: "lt1", tx1: "dk1", bg2: "lt2", tx2: "dk2" }));
const USUAL_SCHEME = { dk1: "000000", lt1: "ffffff", dk2: "44546a", lt2: "e7e6e6" };

/** `map` assigns one of the theme's colours to each role. */
export function openColours(
  theme: XmlElement | undefined,
  map: Readonly<Record<string, string>>,
): Colours {
  const scheme = new Map(Object.entries(USUAL_SCHEME));
  for (const entry of elements(child(theme, "themeElements", "clrScheme"))) {
    const hex = plainHex(elements(entry)[0]);
    if (hex !== undefined) scheme.set(entry.name, hex);
  }
  const role = (name = "") => scheme.get(map[name] ?? USUAL_MAP.get(name) ?? name);
  const toColour = (element: XmlElement) => {
    const isRole = element.name === "schemeClr";
    const base = isRole ? role(element.attributes["val"]) : plainHex(element);
    return base === undefined ? undefined : changed(base, elements(element));
  };
  return {
    in: (parent) => firstDefined(elements(parent), toColour),
    named: (name) => {
      const hex = role(name);
      return hex === undefined ? undefined : { rgb: `#${hex}`, alpha: 1 };
    },
  };
}

function plainHex(element: XmlElement | undefined): string | undefined {
  const { val = "", lastClr = "" } = element?.attributes ?? {};
  if (element?.name === "prstClr") return PRESET.get(val);
  const hex = { srgbClr: val, sysClr: lastClr }[element?.name ?? ""] ?? "";
  return /^[0-9a-f]{6}$/i.test(hex) ? hex : undefined;
}

const CHANGES = new Map(
  Object.entries<(rgb: Rgb, share: number) => Rgb>({
    lumMod: (rgb, share) => withLightness(rgb, (light) => light * share),
    lumOff: (rgb, share) => withLightness(rgb, (light) => light + share),
    shade: ([r, g, b], share) => [r * share, g * share, b * share],
    tint: ([r, g, b], share) => [1 - (1 - r) * share, 1 - (1 - g) * share, 1 - (1 - b) * share],
  }),
);

/** Applies lighter, darker and translucent in the file's order. */
function changed(hex: string, changes: readonly XmlElement[]): Colour {
  const value = Number.parseInt(hex, 16);
  let rgb: Rgb = [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
  let alpha = 1;
  for (const { name, attributes } of changes) {
    const share = Number(attributes["val"]) / 100_000;
    if (!Number.isFinite(share)) continue;
    if (name === "alpha") alpha = limited(share);
    else rgb = CHANGES.get(name)?.(rgb, share) ?? rgb;
  }
  const digits = rgb.map((part) =>
    Math.round(limited(part) * 255)
      .toString(16)
      .padStart(2, "0"),
  );
  return { rgb: `#${digits.join("")}`, alpha };
}

function limited(share: number): number {
  return Math.max(0, Math.min(1, share));
}

/** Changes the lightness and keeps hue and saturation. */
function withLightness(rgb: Rgb, change: (lightness: number) => number): Rgb {
  const before = (Math.max(...rgb) + Math.min(...rgb)) / 2;
  const after = limited(change(before));
  const chroma = (light: number) => 1 - Math.abs(2 * light - 1);
  const scale = chroma(before) === 0 ? 0 : chroma(after) / chroma(before);
  const [r, g, b] = rgb;
  return [(r - before) * scale + after, (g - before) * scale + after, (b - before) * scale + after];
}

/** Without either it is empty on purpose. */
export interface Fill {
  readonly colour?: Colour | undefined;
  /** The relationship that names the picture. */
  readonly picture?: string | undefined;
}

const FILLS = new Map(
  Object.entries<(element: XmlElement, colours: Colours) => Fill>({
    noFill: () => ({}),
    solidFill: (element, colours) => ({ colour: colours.in(element) }),
    gradFill: (element, colours) => {
      // One colour is enough to recognise a shape: the middle one.
      const stops = descendants(element, "gs");
      return { colour: colours.in(stops[Math.floor(stops.length / 2)]) };
    },
    pattFill: (element, colours) => ({ colour: colours.in(child(element, "bgClr")) }),
    blipFill: (element) => ({ picture: child(element, "blip")?.attributes["r:embed"] }),
  }),
);

/** The fill that the properties themselves define, or undefined. */
export function fillIn(properties: XmlElement | undefined, colours: Colours): Fill | undefined {
  return firstDefined(elements(properties), (element) =>
    FILLS.get(element.name)?.(element, colours),
  );
}

/** The colour that a shape's style gives, by the name of the reference. */
export function styleColour(shape: XmlElement, name: string, colours: Colours): Colour | undefined {
  const style = child(shape, "style", name);
  return style?.attributes["idx"] === "0" ? undefined : colours.in(style);
}

export function lineOf(shape: XmlElement, colours: Colours): Line | undefined {
  const line = child(shape, "spPr", "ln");
  const fill = fillIn(line, colours) ?? { colour: styleColour(shape, "lnRef", colours) };
  if (fill.colour === undefined) return undefined;
  const width = Number(line?.attributes["w"] ?? POINT * 0.75) / POINT;
  const hasEnd = (name: string) => (child(line, name)?.attributes["type"] ?? "none") !== "none";
  return {
    colour: fill.colour,
    width: Math.max(0.25, Math.min(100, width)),
    isDashed: (child(line, "prstDash")?.attributes["val"] ?? "solid") !== "solid",
    arrows: { start: hasEnd("headEnd"), end: hasEnd("tailEnd") },
  };
}

/** In the units of the file. */
export const POINT = 12_700;

export function firstDefined<T, R>(
  all: readonly T[],
  read: (each: T) => R | undefined,
): R | undefined {
  for (const each of all) {
    const value = read(each);
    if (value !== undefined) return value;
  }
  return undefined;
}
