// Colours as formats write them, and whether an eye can tell two of them apart.

export type Rgb = readonly [red: number, green: number, blue: number];

export const WHITE: Rgb = [255, 255, 255];

/** Those of CSS that documents use. */
const NAMES: ReadonlyMap<string, string> = new Map(
  (
    "white ffffff black 000000 red ff0000 green 008000 blue 0000ff yellow ffff00 orange ffa500 purple 800080 gray 808080 " +
    "grey 808080 silver c0c0c0 navy 000080 teal 008080 maroon 800000 olive 808000 lime 00ff00 aqua 00ffff cyan 00ffff " +
    "fuchsia ff00ff magenta ff00ff pink ffc0cb brown a52a2a gold ffd700 crimson dc143c steelblue 4682b4 tomato ff6347 " +
    "snow fffafa ivory fffff0 ghostwhite f8f8ff whitesmoke f5f5f5 floralwhite fffaf0 beige f5f5dc lavender e6e6fa " +
    "wheat f5deb3 lightgray d3d3d3 lightgrey d3d3d3 darkgray a9a9a9 darkgrey a9a9a9 dimgray 696969 dimgrey 696969 " +
    "lightblue add8e6 lightgreen 90ee90 lightyellow ffffe0 lightpink ffb6c1 skyblue 87ceeb darkblue 00008b " +
    "darkgreen 006400 darkred 8b0000 darkorange ff8c00 coral ff7f50 salmon fa8072 khaki f0e68c violet ee82ee " +
    "indigo 4b0082 turquoise 40e0d0 aliceblue f0f8ff azure f0ffff mintcream f5fffa honeydew f0fff0 linen faf0e6"
  )
    .match(/\w+ \w+/g)
    ?.map((pair) => pair.split(" ") as [string, string]),
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
  const channels = /^rgba?\(\s*([\d.]+%?)[\s,]+([\d.]+%?)[\s,]+([\d.]+%?)/.exec(text);
  if (channels === null) return undefined;
  const [red = 0, green = 0, blue = 0] = channels
    .slice(1)
    .map((each) => Math.min(255, Number.parseFloat(each) * (each.endsWith("%") ? 2.55 : 1)));
  return [red, green, blue];
}

// Of 255; the lightest watermarks differ from their page by more.
const MIN_DIFFERENCE = 12;

export function looksSame(one: Rgb, other: Rgb): boolean {
  return one.every((channel, at) => Math.abs(channel - (other[at] ?? 0)) <= MIN_DIFFERENCE);
}
