// Colours as formats write them, and whether an eye can tell two of them apart.

export type Rgb = readonly [red: number, green: number, blue: number];

export const WHITE: Rgb = [255, 255, 255];

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    white: "ffffff",
    black: "000000",
    red: "ff0000",
    yellow: "ffff00",
    blue: "0000ff",
    green: "008000",
    gray: "808080",
    grey: "808080",
    silver: "c0c0c0",
    snow: "fffafa",
    ivory: "fffff0",
    ghostwhite: "f8f8ff",
    whitesmoke: "f5f5f5",
    floralwhite: "fffaf0",
  }),
);

/** Undefined for colours that depend on something else. */
export function toRgb(written: string): Rgb | undefined {
  const text = written.trim().toLowerCase();
  const hex = NAMES.get(text) ?? /^#?([\da-f]{6}|[\da-f]{3})$/.exec(text)?.[1];
  if (hex !== undefined) {
    const size = hex.length / 3;
    const channel = (at: number) =>
      Number.parseInt(hex.slice(at * size, at * size + size).padEnd(2, hex[at * size]), 16);
    return [channel(0), channel(1), channel(2)];
  }
  const channels = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})/.exec(text);
  return channels === null
    ? undefined
    : [Number(channels[1]), Number(channels[2]), Number(channels[3])];
}

// Of 255; the lightest watermarks differ from their page by more.
const MIN_DIFFERENCE = 12;

export function looksSame(one: Rgb, other: Rgb): boolean {
  return one.every((channel, at) => Math.abs(channel - (other[at] ?? 0)) <= MIN_DIFFERENCE);
}
