// What a question wants of a table: which computation, in which direction, between which bounds.
import { foldInPlace } from "./grid/fold.ts";

export type Operation =
  | { readonly kind: "lookup" }
  | { readonly kind: "count" }
  | { readonly kind: "sum" }
  | { readonly kind: "average" }
  | { readonly kind: "difference" }
  /** `rank` 2: the second; `first` 3: the first three. */
  | {
      readonly kind: "extreme";
      readonly most: boolean;
      readonly rank: number;
      readonly first: number;
    };

export interface Bound {
  readonly least?: number;
  readonly most?: number;
  /** The limit itself does not count. */
  readonly open: boolean;
  readonly start: number;
  /** What is counted in: "km" in "more than 500 km". */
  readonly unit: string;
}

export interface Ask {
  readonly operation: Operation;
  readonly bounds: readonly Bound[];
  /** Where the question's words for the computation are: they name no column and no row. */
  readonly spoken: readonly (readonly [start: number, end: number])[];
  /** Where the word for the computation is; the column it is about is near. */
  readonly at: number;
  /** What a superlative's adjective measures: "cheapest" is about a price. */
  readonly hint: string;
  /** Only tables can answer a question of this kind. */
  readonly wants: "number" | "date" | "person" | "place" | "thing" | "list";
}

interface Extreme {
  readonly pattern: RegExp;
  readonly most: boolean;
  readonly hint?: string;
}

const WORDS: readonly Extreme[] = [
  {
    pattern: /\bmost (?:expensive|valuable)\b|\b(?:priciest|costliest|dearest)\b/gu,
    most: true,
    hint: "price",
  },
  { pattern: /\bleast expensive\b|\bcheapest\b/gu, most: false, hint: "price" },
  { pattern: /\bmost (?:populous|populated)\b/gu, most: true, hint: "population" },
  { pattern: /\bleast (?:populous|populated)\b/gu, most: false, hint: "population" },
  { pattern: /\bmost recent(?:ly)?\b|\b(?:latest|newest)\b/gu, most: true, hint: "date" },
  { pattern: /\bearliest\b/gu, most: false, hint: "date" },
  { pattern: /\boldest\b/gu, most: true, hint: "age" },
  { pattern: /\byoungest\b/gu, most: false, hint: "age" },
  { pattern: /\btallest\b/gu, most: true, hint: "height" },
  { pattern: /\blongest\b/gu, most: true, hint: "length" },
  { pattern: /\bshortest\b/gu, most: false, hint: "length" },
  { pattern: /\bheaviest\b/gu, most: true, hint: "weight" },
  { pattern: /\blightest\b/gu, most: false, hint: "weight" },
  { pattern: /\bfastest\b/gu, most: true, hint: "speed" },
  { pattern: /\bslowest\b/gu, most: false, hint: "speed" },
  { pattern: /\b(?:hottest|warmest)\b/gu, most: true, hint: "temperature" },
  { pattern: /\b(?:coldest|coolest)\b/gu, most: false, hint: "temperature" },
  { pattern: /\bdeepest\b/gu, most: true, hint: "depth" },
  { pattern: /\b(?:largest|biggest)\b/gu, most: true, hint: "size" },
  { pattern: /\bsmallest\b/gu, most: false, hint: "size" },
  { pattern: /\bhighest\b/gu, most: true, hint: "height" },
  {
    pattern:
      /\b(?:greatest|maximum|max|best|top|peak|busiest|richest|(?<!at )most|more|higher|larger|bigger|greater)\b/gu,
    most: true,
  },
  {
    pattern:
      /\b(?:lowest|fewest|minimum|min|worst|(?<!at )least|fewer|less|lower|smaller|cheaper)\b/gu,
    most: false,
  },
];

const JAPANESE: readonly Extreme[] = [
  {
    pattern: /最安|(?:一番|最も|もっとも|いちばん|より)[^。？?]{0,8}?安い|どちらが安い/gu,
    most: false,
    hint: "price",
  },
  {
    pattern: /最新|(?:一番|最も|もっとも|いちばん)[^。？?]{0,8}?(?:新しい|遅い)/gu,
    most: true,
    hint: "date",
  },
  {
    pattern: /最古|(?:一番|最も|もっとも|いちばん)[^。？?]{0,8}?(?:古い|早い)/gu,
    most: false,
    hint: "date",
  },
  {
    pattern: /(?:一番|最も|もっとも|いちばん)[^。？?]{0,8}?若い|最年少/gu,
    most: false,
    hint: "age",
  },
  { pattern: /最年長/gu, most: true, hint: "age" },
  { pattern: /(?:一番|最も|もっとも|いちばん)[^。？?]{0,8}?広い/gu, most: true, hint: "size" },
  { pattern: /(?:一番|最も|もっとも|いちばん)[^。？?]{0,8}?重い/gu, most: true, hint: "weight" },
  { pattern: /(?:一番|最も|もっとも|いちばん)[^。？?]{0,8}?軽い/gu, most: false, hint: "weight" },
  {
    pattern: /最長|(?:一番|最も|もっとも|いちばん)[^。？?]{0,8}?長い/gu,
    most: true,
    hint: "length",
  },
  {
    pattern: /最短|(?:一番|最も|もっとも|いちばん)[^。？?]{0,8}?短い/gu,
    most: false,
    hint: "length",
  },
  { pattern: /番目に(?:大き|高|多|長|新し|広|重)[いく]/gu, most: true },
  { pattern: /番目に(?:小さ|低|少な|短|古|安|軽)[いく]/gu, most: false },
  {
    pattern:
      /最小|最低|最少|下位|ワースト|(?:一番|最も|もっとも|いちばん|どちらが|どれが)[^。？?]{0,12}?(?:小さ[いな]|低い|少ない|狭い|遅い)/gu,
    most: false,
  },
  {
    pattern:
      /最大|最高|最多|上位|トップ|(?:一番|最も|もっとも|いちばん|どちらが|どれが)[^。？?]{0,12}?(?:大き[いな]|高い|多い|速い|深い|良い)|一番|最も|もっとも|いちばん/gu,
    most: true,
  },
];

/** Only where there are dates: "the first author" is somebody's name. */
const ORDER: readonly Extreme[] = [
  { pattern: /\bfirst\b|最初/gu, most: false, hint: "date" },
  { pattern: /\blast\b|最後/gu, most: true, hint: "date" },
];

const COUNT =
  /\bhow many\b|(?<=^|\b(?:the|total|average) )(?:count|number) of (?!(?:the|this|an?)\b)|いくつ|何(?:個|件|人|名|社|台|本|枚|回|冊|種類|か所|カ所|箇所|店|校|行|つ)(?!まで)|件数|個数/gu;
const SUM =
  /\b(?:grand )?totals?\b|\bsum\b|\bin all\b|\baltogether\b|\bcombined\b|\boverall\b|合計|総計|総額|総数|全部で|合わせて|あわせて/gu;
// "What does X mean?" asks for no average.
const AVERAGE = /\baverage\b|(?<!\b(?:do|does|did)\b.*)\bmean\b(?!\s*[?.]?\s*$)|平均/gu;
const DIFFERENCE =
  /\bdifferences?\b|\bhow (?:much|many) (?:more|less|fewer|higher|lower|larger|smaller|cheaper|older)\b|の差(?!し)|差は|どれ(?:だけ|くらい|ほど)(?:多|少|高|低|大き|小さ)/gu;
const RANKED =
  /\b(second|third|fourth|fifth|2nd|3rd|4th|5th)[- ](?=largest|biggest|highest|most|smallest|lowest|longest|oldest|greatest|best|cheapest)|([2-9])\s*番目/gu;
const FIRST =
  /\b(?:top|first|last|bottom) (\d{1,2}|two|three|four|five|ten)\b|(?:上位|下位|トップ|ワースト)\s*(\d{1,2})/gu;
const NUMBERS: Readonly<Record<string, number>> = {
  second: 2,
  "2nd": 2,
  two: 2,
  third: 3,
  "3rd": 3,
  three: 3,
  fourth: 4,
  "4th": 4,
  four: 4,
  fifth: 5,
  "5th": 5,
  five: 5,
  ten: 10,
};

export function readAsk(text: string): Ask {
  // Folding must not move anything: spans count characters of the text itself.
  const folded = foldInPlace(text);
  const spoken: (readonly [number, number])[] = [];
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    const found = [...folded.matchAll(pattern)];
    for (const { index, 0: match } of found) spoken.push([index, index + match.length]);
    return found[0];
  };
  const bounds = readBounds(folded, spoken);
  const difference = take(DIFFERENCE);
  const rank = take(RANKED);
  const first = take(FIRST);
  const extreme = readExtreme(folded, spoken);
  const average = take(AVERAGE);
  const sum = take(SUM);
  const count = take(COUNT);
  const operation = ((): Operation => {
    if (difference) return { kind: "difference" };
    if (extreme && !boundsHold(bounds, extreme.at))
      return {
        kind: "extreme",
        most: extreme.most,
        rank: numberOf(rank?.[1] ?? rank?.[2]) ?? 1,
        first: numberOf(first?.[1] ?? first?.[2]) ?? 1,
      };
    if (average) return { kind: "average" };
    if (sum) return { kind: "sum" };
    return count ? { kind: "count" } : { kind: "lookup" };
  })();
  return {
    operation,
    bounds,
    spoken,
    at: extreme?.at ?? (average ?? sum ?? difference ?? count)?.index ?? 0,
    hint: extreme?.hint ?? "",
    wants: wantsOf(folded),
  };
}

/** "more than 5" is a bound, not a superlative. */
function boundsHold(bounds: readonly Bound[], at: number): boolean {
  return bounds.some(({ start }) => Math.abs(start - at) < 3);
}

function readExtreme(folded: string, spoken: (readonly [number, number])[]) {
  for (const { pattern, most, hint } of [...WORDS, ...JAPANESE, ...ORDER]) {
    const [found] = [...folded.matchAll(pattern)];
    if (!found) continue;
    // The column's name may be inside ("最も人口が多い"): only the outer words are the computation's.
    spoken.push(...ends(found.index, found[0]));
    return { most, hint: hint ?? "", at: found.index };
  }
  return undefined;
}

function ends(at: number, match: string): readonly (readonly [number, number])[] {
  const parts = /^(一番|最も|もっとも|いちばん|どちらが|どれが|より)(.*?)([^\sがのは]{1,4})$/u.exec(
    match,
  );
  if (parts === null) return [[at, at + match.length]];
  const [, head = "", , tail = ""] = parts;
  const end = at + match.length;
  return [
    [at, at + head.length],
    [end - tail.length, end],
  ];
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

function readBounds(folded: string, spoken: (readonly [number, number])[]): readonly Bound[] {
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
    spoken.push([start, end + tail]);
    bounds.push({ [side]: value, open: open ?? false, start, unit: unit || currencyOf(match) });
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

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : (NUMBERS[text] ?? (Number(text) || undefined));
}

function wantsOf(folded: string): Ask["wants"] {
  if (
    /\bhow (?:many|much|long|old|far|tall|high|large|big|fast|deep|wide|heavy)\b|いくつ|いくら|何(?:人|個|件|回|円|名|枚|台|本|歳|度|点|パーセント|%|キロ|メートル|時間|分)|どれくらい|どのくらい/u.test(
      folded,
    )
  )
    return "number";
  if (/\bwhen\b|\bwhat (?:date|day|year|time)\b|いつ|何(?:年|月|日|時)/u.test(folded))
    return "date";
  if (/\bwho(?:m|se)?\b|誰|だれ/u.test(folded)) return "person";
  if (/\bwhere\b|どこ/u.test(folded)) return "place";
  return /\b(?:which|what) \w+s (?:have|are|were|cost)\b|\blist\b|どの.{1,10}(?:ですか|か)|すべて|全て/u.test(
    folded,
  )
    ? "list"
    : "thing";
}
