// What a question asks of a table: the computation, its direction and its limits.
import { foldInPlace } from "../comparable-text.ts";
import { type Bound, readBounds } from "./bounds.ts";
import { type Range, readSuperlative } from "./superlatives.ts";

export type Operation =
  | { readonly kind: "lookup" }
  | { readonly kind: "count" }
  | { readonly kind: "sum" }
  | { readonly kind: "average" }
  | { readonly kind: "difference" }
  /** `rank` 2 means the second; `first` 3 means the first three. */
  | {
      readonly kind: "extreme";
      readonly most: boolean;
      readonly rank: number;
      readonly first: number;
    };

export interface Ask {
  readonly operation: Operation;
  readonly bounds: readonly Bound[];
  /** Positions of the words for the computation, which name neither a column nor a row. */
  readonly operationWords: readonly Range[];
  /** Position of the word for the computation; the column it applies to is nearby. */
  readonly at: number;
  /** What the adjective measures: "cheapest" is about a price. */
  readonly hint: string;
  /** The type of the expected answer. */
  readonly wants: "number" | "date" | "person" | "place" | "thing" | "list";
}

const COUNT =
  /\bhow many\b|(?<=^|\b(?:the|total|average) )(?:count|number) of (?!(?:the|this|an?)\b)|いくつ|何(?:個|件|人|名|社|台|本|枚|回|冊|種類|か所|カ所|箇所|店|校|行|つ)(?!まで)|件数|個数/gu;
const SUM =
  /\b(?:grand )?totals?\b|\bsum\b|\bin all\b|\baltogether\b|\bcombined\b|\boverall\b|合計|総計|総額|総数|全部で|合わせて|あわせて/gu;
// "What does X mean?" does not ask for an average.
const AVERAGE = /\baverage\b|(?<!\b(?:do|does|did)\b.{0,200})\bmean\b(?!\s*[?.]?\s*$)|平均/gu;
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
  // Folding must not change positions, because spans refer to the original text.
  const folded = foldInPlace(text);
  const operationWords: Range[] = [];
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    const found = [...folded.matchAll(pattern)];
    for (const { index, 0: match } of found) operationWords.push([index, index + match.length]);
    return found[0];
  };
  const bounds = readBounds(folded);
  operationWords.push(...bounds.map(({ start, end }): Range => [start, end]));
  const difference = take(DIFFERENCE);
  const rank = take(RANKED);
  const first = take(FIRST);
  const extreme = readSuperlative(folded);
  operationWords.push(...(extreme?.words ?? []));
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
    operationWords,
    at: extreme?.at ?? (average ?? sum ?? difference ?? count)?.index ?? 0,
    hint: extreme?.hint ?? "",
    wants: wantsOf(folded),
  };
}

/** "more than 5" is a bound, not a superlative. */
function boundsHold(bounds: readonly Bound[], at: number): boolean {
  return bounds.some(({ start }) => Math.abs(start - at) < 3);
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
