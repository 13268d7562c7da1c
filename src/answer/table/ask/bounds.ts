// Limits in a question: "more than 500 km", 10万円以上.

export interface Bound {
  readonly least?: number;
  readonly most?: number;
  /** The limit itself is excluded. */
  readonly open: boolean;
  /** The position of its words in the question. */
  readonly start: number;
  readonly end: number;
  /** "km" in "more than 500 km"; empty without a unit. */
  readonly unit: string;
}

const BOUNDS: readonly (readonly [RegExp, "least" | "most", boolean])[] = [
  [
    /\b(?:more|greater|higher|larger|longer|older|bigger) than|\bover\b|\babove\b|\bexceed(?:s|ing)?\b/u,
    "least",
    true,
  ],
  [/\bat least\b|\bno (?:less|fewer) than\b|\bminimum of\b/u, "least", false],
  [
    /\b(?:less|fewer|lower|smaller|shorter|younger|cheaper) than|\bunder\b|\bbelow\b/u,
    "most",
    true,
  ],
  [/\bat most\b|\bno more than\b|\bup to\b|\bmaximum of\b/u, "most", false],
];
const AFTER: readonly (readonly [RegExp, "least" | "most", boolean])[] = [
  [/^\S{0,4}?以上/u, "least", false],
  [/^\S{0,4}?(?:を超え|超|より(?:多|大き|高|長|重))/u, "least", true],
  [/^\S{0,4}?以下/u, "most", false],
  [/^\S{0,4}?(?:未満|を下回|より(?:少な|小さ|低|短|安|軽))/u, "most", true],
  [/^ (?:or more|or over|or above|and above)\b/u, "least", false],
  [/^ (?:or less|or fewer|or under|or below)\b/u, "most", false],
];

export function readBounds(folded: string): readonly Bound[] {
  const bounds: Bound[] = [];
  for (const found of folded.matchAll(
    /[$€£¥]?(\d[\d,]*(?:\.\d+)?)\s?(万|億|千|k\b|million\b|thousand\b|billion\b)?(%|円|[人名個件冊台本枚校社回歳]|(?:[kcm]?m|[km]?g|[kmgt]b|ha|h|min|kwh|gwh|l|€|t)\b)?/gu,
  )) {
    const [match, digits = "", scale = "", unit = ""] = found;
    const end = found.index + match.length;
    const value = Number(digits.replaceAll(",", "")) * scaleOf(scale);
    const before = folded.slice(Math.max(0, found.index - 24), found.index);
    const named = BOUNDS.find(([pattern]) =>
      new RegExp(`(?:${pattern.source})\\s*(?:about |around )?$`, "u").test(before),
    );
    const behind = AFTER.find(([pattern]) => pattern.test(folded.slice(end, end + 14)));
    const [pattern, side, open] = named ?? behind ?? [];
    if (!pattern || !side) continue;
    const start = named ? found.index - (before.length - before.search(pattern)) : found.index;
    const tail = named ? 0 : (pattern.exec(folded.slice(end, end + 14))?.[0].length ?? 0);
    bounds.push({
      [side]: value,
      open: open ?? false,
      start,
      end: end + tail,
      unit: unit || currencyOf(match),
    });
  }
  return bounds;
}

function currencyOf(match: string): string {
  return /^[$€£¥]/u.exec(match)?.[0] ?? "";
}

function scaleOf(scale: string): number {
  const sizes: Readonly<Record<string, number>> = {
    万: 1e4,
    億: 1e8,
    千: 1e3,
    k: 1e3,
    thousand: 1e3,
    million: 1e6,
    billion: 1e9,
  };
  return sizes[scale] ?? 1;
}
