// Colours as a presentation names them: directly, or by a role that its theme fills.
import { child, elements, type XmlElement } from "../../../office/xml.ts";

export interface Colour {
  /** #rrggbb */
  readonly rgb: string;
  /** 0 to 1. */
  readonly alpha: number;
}

export interface Colours {
  /** The first colour inside the element, or undefined. */
  in(parent: XmlElement | undefined): Colour | undefined;
  /** A colour by its name in the theme: "tx1", "accent1", … */
  named(name: string): Colour | undefined;
}

type Rgb = readonly [number, number, number];

const HEX = /^[0-9a-f]{6}$/i;
const PRESET = new Map(
  Object.entries({
    black: "000000",
    white: "ffffff",
    red: "ff0000",
    green: "008000",
    blue: "0000ff",
    yellow: "ffff00",
    gray: "808080",
    orange: "ffa500",
    purple: "800080",
  }),
);
// Default names of a theme's roles, for slides without a colour map.
const USUAL_MAP = new Map(
  Object.entries({
    bg1: "lt1",
    tx1: "dk1",
    bg2: "lt2",
    tx2: "dk2",
  }),
);
const USUAL_SCHEME = new Map(
  Object.entries<Rgb>({
    dk1: [0, 0, 0],
    lt1: [255, 255, 255],
    dk2: [68, 84, 106],
    lt2: [231, 230, 230],
  }),
);

/** `map` assigns one of the theme's colours to each role. */
export function openColours(
  theme: XmlElement | undefined,
  map: Readonly<Record<string, string>>,
): Colours {
  const scheme = new Map(USUAL_SCHEME);
  const listed = child(theme, "themeElements", "clrScheme");
  for (const entry of listed === undefined ? [] : elements(listed)) {
    const rgb = plainRgb(elements(entry)[0]);
    if (rgb) scheme.set(entry.name, rgb);
  }
  const role = (name: string) => scheme.get(map[name] ?? USUAL_MAP.get(name) ?? name);
  const toColour = (element: XmlElement): Colour | undefined => {
    const base =
      element.name === "schemeClr" ? role(element.attributes["val"] ?? "") : plainRgb(element);
    return base && changed(base, element);
  };
  return {
    in: (parent) => {
      for (const element of parent === undefined ? [] : elements(parent)) {
        const colour = toColour(element);
        if (colour) return colour;
      }
      return undefined;
    },
    named: (name) => {
      const rgb = role(name);
      return rgb && { rgb: toHex(rgb), alpha: 1 };
    },
  };
}

function plainRgb(element: XmlElement | undefined): Rgb | undefined {
  const { val = "", lastClr = "" } = element?.attributes ?? {};
  if (element?.name === "srgbClr" && HEX.test(val)) return fromHex(val);
  if (element?.name === "sysClr" && HEX.test(lastClr)) return fromHex(lastClr);
  const preset = element?.name === "prstClr" ? PRESET.get(val) : undefined;
  return preset === undefined ? undefined : fromHex(preset);
}

function fromHex(hex: string): Rgb {
  const value = Number.parseInt(hex, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function toHex(rgb: Rgb): string {
  const part = (value: number) =>
    Math.max(0, Math.min(255, Math.round(value)))
      .toString(16)
      .padStart(2, "0");
  return `#${rgb.map(part).join("")}`;
}

const STEPS = new Map(
  Object.entries<(rgb: Rgb, share: number) => Rgb>({
    lumMod: (rgb, share) => withLightness(rgb, (light) => light * share),
    lumOff: (rgb, share) => withLightness(rgb, (light) => light + share),
    shade: ([r, g, b], share) => [r * share, g * share, b * share],
    tint: ([r, g, b], share) => [
      towardsWhite(r, share),
      towardsWhite(g, share),
      towardsWhite(b, share),
    ],
  }),
);

/** Applies lighter, darker and translucent in the file's order. */
function changed(base: Rgb, element: XmlElement): Colour {
  let rgb = base;
  let alpha = 1;
  for (const { name, attributes } of elements(element)) {
    const share = Number(attributes["val"]) / 100_000;
    if (!Number.isFinite(share)) continue;
    if (name === "alpha") alpha = Math.max(0, Math.min(1, share));
    else rgb = STEPS.get(name)?.(rgb, share) ?? rgb;
  }
  return { rgb: toHex(rgb), alpha };
}

function towardsWhite(value: number, share: number): number {
  return value * share + 255 * (1 - share);
}

/** Changes the lightness and keeps hue and saturation. */
function withLightness(rgb: Rgb, change: (lightness: number) => number): Rgb {
  const shares = rgb.map((value) => value / 255);
  const [most, least] = [Math.max(...shares), Math.min(...shares)];
  const before = (most + least) / 2;
  const after = Math.max(0, Math.min(1, change(before)));
  const chromaBefore = 1 - Math.abs(2 * before - 1);
  const chromaAfter = 1 - Math.abs(2 * after - 1);
  const scale = chromaBefore === 0 ? 0 : chromaAfter / chromaBefore;
  const [r = 0, g = 0, b = 0] = shares.map((value) => ((value - before) * scale + after) * 255);
  return [r, g, b];
}
