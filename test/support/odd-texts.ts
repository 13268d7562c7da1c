// Unusual texts: mixed scripts, combining marks without a letter, long runs of one character. Deterministic.

/** First and last code point of what is mixed; all of them are old enough for every Unicode table in use. */
const BLOCKS: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0x61, 0x7a],
  [0xa0, 0x17f],
  [0x300, 0x36f],
  [0x391, 0x3c9],
  [0x410, 0x451],
  [0x5d0, 0x5ea],
  [0x627, 0x64a],
  [0x905, 0x939],
  [0xe01, 0xe2e],
  [0x1e00, 0x1eff],
  [0x2000, 0x206f],
  [0x2100, 0x214f],
  [0x2460, 0x24ff],
  [0x3001, 0x303f],
  [0x3041, 0x3096],
  [0x3099, 0x309f],
  [0x30a0, 0x30ff],
  [0x3200, 0x33ff],
  [0x4e00, 0x9f00],
  [0x4e00, 0x4fff],
  [0xac00, 0xd7a3],
  [0xf900, 0xfa6d],
  [0xfb00, 0xfb06],
  [0xfe00, 0xfe0f],
  [0xff01, 0xffdc],
  [0x1d400, 0x1d7ff],
  [0x1f300, 0x1f64f],
  [0x20000, 0x2a6d0],
];

export function oddTexts(count: number): readonly string[] {
  const next = openRandom();
  const block = () => BLOCKS[next(BLOCKS.length)] ?? [0x20, 0x7e];
  const stretch = () => {
    const [first, last] = block();
    const length = 1 + next(next(8) === 0 ? 60 : 8);
    const isRun = next(6) === 0;
    const start = first + next(last - first + 1);
    const code = () => (isRun ? start : first + next(last - first + 1));
    return Array.from({ length }, () => String.fromCodePoint(code())).join("");
  };
  const text = () => {
    const parts = Array.from({ length: 1 + next(12) }, stretch);
    return parts.join(next(3) === 0 ? " " : "");
  };
  return Array.from({ length: count }, text);
}

/** Numerical Recipes' generator: plain, and good enough to mix characters. */
function openRandom() {
  const state = { value: 12_345 };
  return (below: number): number => {
    state.value = (Math.imul(state.value, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state.value / 2 ** 32) * below);
  };
}
