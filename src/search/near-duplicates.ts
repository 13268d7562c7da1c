// Finds near-duplicates by a sketch of each text, so the same passage is shown once.
import { isWide } from "../text/scripts.ts";

/** The smallest hash in each bucket; 0 if it is empty. */
export type Sketch = Uint32Array;

const SHINGLE = 3;
const BUCKET_BITS = 5;
const SAME = 0.9;
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const MIXER = 0x85ebca6b;

/** Hashes all runs of three words into buckets. Similar texts of any length share most of the smallest hashes. */
export function toSketch(text: string): Sketch {
  const units = hashUnits(text);
  const sketch = new Uint32Array(1 << BUCKET_BITS);
  for (let at = 0; at === 0 || at + SHINGLE <= units.length; at++) {
    let run = FNV_START;
    const end = Math.min(at + SHINGLE, units.length);
    for (let unit = at; unit < end; unit++) run = Math.imul(run ^ (units[unit] ?? 0), FNV_PRIME);
    const mixed = (Math.imul(run ^ (run >>> 15), MIXER) | 1) >>> 0;
    const bucket = mixed >>> (32 - BUCKET_BITS);
    const least = sketch[bucket] as number;
    if (least === 0 || mixed < least) sketch[bucket] = mixed;
  }
  return sketch;
}

/** FNV-1a of each word, ignoring case; in scripts without spaces each character is a word. */
function hashUnits(text: string): number[] {
  const units: number[] = [];
  let word = FNV_START;
  let letters = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    const wide = isWordPart(code) && isWide(code);
    if (!wide && isWordPart(code)) {
      word = Math.imul(word ^ (code >= 65 && code <= 90 ? code + 32 : code), FNV_PRIME);
      letters++;
      continue;
    }
    if (letters > 0) units.push(word);
    if (wide) units.push(Math.imul(FNV_START ^ code, FNV_PRIME));
    word = FNV_START;
    letters = 0;
  }
  return units;
}

function isWordPart(code: number): boolean {
  if (code < 128) {
    return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  }
  // Excludes Latin-1 signs, dashes and quotes, and full-width marks.
  return code > 0xbf && !(code >= 0x2000 && code <= 0x303f) && !(code >= 0xff00 && code <= 0xff0f);
}

export function isNearDuplicate(a: Sketch, b: Sketch): boolean {
  return shareOf(a, b) >= SAME;
}

/** Estimates the share of runs that two texts have in common. */
export function shareOf(a: Sketch, b: Sketch): number {
  let [both, all] = [0, 0];
  for (let bucket = 0; bucket < a.length; bucket++) {
    if (a[bucket] === 0 && b[bucket] === 0) continue;
    all++;
    if (a[bucket] === b[bucket]) both++;
  }
  return all === 0 ? 1 : both / all;
}
