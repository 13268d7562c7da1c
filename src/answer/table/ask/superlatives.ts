// Superlatives ("the cheapest", 最も高い): highest or lowest, and what the adjective measures.

/** A part of the question, by its start and end. */
export type Range = readonly [start: number, end: number];

interface Superlative {
  readonly pattern: RegExp;
  readonly most: boolean;
  readonly hint?: string;
}

const WORDS: readonly Superlative[] = [
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

const JAPANESE: readonly Superlative[] = [
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

/** Used only for tables with dates; "the first author" is not about order. */
const ORDER: readonly Superlative[] = [
  { pattern: /\bfirst\b|最初/gu, most: false, hint: "date" },
  { pattern: /\blast\b|最後/gu, most: true, hint: "date" },
];

export function readSuperlative(folded: string) {
  for (const { pattern, most, hint } of [...WORDS, ...JAPANESE, ...ORDER]) {
    // Most patterns match nothing, and a search is cheaper than listing matches.
    if (folded.search(pattern) < 0) continue;
    const [found] = [...folded.matchAll(pattern)];
    if (!found) continue;
    return {
      most,
      hint: hint ?? "",
      at: found.index,
      words: outerWords(found.index, found[0]),
    };
  }
  return undefined;
}

/** The column's name may be inside ("最も人口が多い"), so only the outer words belong to the computation. */
function outerWords(at: number, match: string): readonly Range[] {
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
