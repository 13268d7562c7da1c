// What a question asks for: its content words, and the shape an answer would have.
import { isJapanese } from "../../text/scripts.ts";
import { type Word, words } from "../../text/words.ts";
import { askedWords } from "./asked-words.ts";
import { withCompounds } from "./compounds.ts";

type Shape = "person" | "place" | "time" | "number" | "reason" | "thing";

export interface Question {
  readonly text: string;
  readonly japanese: boolean;
  /** The content words, without repeats. */
  readonly terms: readonly Word[];
  readonly keys: ReadonlySet<string>;
  /** The words that name what is asked for. */
  readonly asked: readonly Word[];
  readonly asksAttribute: boolean;
  readonly shape: Shape;
  /** "How many": a share or a price is not an answer. */
  readonly counts: boolean;
  /**
   * "How many", "how old": only a number is an answer. "How long" and "how often" may be answered
   * otherwise.
   */
  readonly measured: boolean;
  /** The number of negations: not, never, fails to, … */
  readonly denials: number;
  /** The thing to be defined; empty if the question does not ask for a definition. */
  readonly subject: string;
  /** A yes-or-no question. */
  readonly closed: boolean;
  /** The question asks how something is done. */
  readonly procedure: boolean;
}

const SHAPES: readonly (readonly [Shape, RegExp])[] = [
  [
    "time",
    /(?<!\b(?:what|which|who|how|where|why)\b.{0,200})\bwhen\b(?!.{0,200}\b(?:what|which|who)\b)|\b(?:what|which) (?:year|date|day|month|century|decade|time|era|period)\b|いつ|何(?:年|月|日|時|曜)/iu,
  ],
  [
    "number",
    /\bhow (?:many|much|long|old|far|tall|high|large|big|often|fast|deep|wide|heavy)\b|\bwhat (?:do|does|did|will)\b.{0,200}\bcost\b|\bwhat (?:percent\w*|number|amount|population|age|share|price|cost)\b|いくつ|いくら|何(?:人|個|件|回|円|名|枚|台|本|歳|%|％|パーセント)|ど(?:の|れ)くらい/iu,
  ],
  ["person", /\bwho(?:m|se)?\b|誰|だれ/iu],
  [
    "place",
    /\bwhere\b|\b(?:what|which) (?:country|city|state|region|place|town|continent)\b|どこ/iu,
  ],
  ["reason", /\bwhy\b|\b(?:what|which) (?:reason|cause)|なぜ|どうして|理由|原因/iu],
];

const DENIAL =
  /\b(?:not|never|without|no|none|neither|cannot|unable|fail(?:ed|s)?|refus\w+|reject\w+|except|besides|avoid\w*|lack\w*|incorrect\w*|wrong\w*|oppos\w*|non|dis(?:like|agree|prove|approve|allow)\w*)\b|n['’]t\b/giu;
/** Questions about problems are negated too ("why can't I …"), but their answers need not be. */
const TROUBLE = /\b(?:why|how (?!many|much)|if|i|my|we|our)\b/iu;

export function readQuestion(text: string): Question {
  const all = withCompounds(text, words(text));
  const content = all.filter((word, at) => word.content && !isOfHow(word, all[at - 1]));
  const terms = unique(content.length > 0 ? content : all);
  const { words: asked, attribute } = askedWords(text);
  return {
    text,
    japanese: isJapanese(text),
    terms,
    keys: new Set(terms.map(({ key }) => key)),
    asked,
    asksAttribute: attribute !== undefined,
    shape: SHAPES.find(([, pattern]) => pattern.test(text))?.[0] ?? shapeOf(asked),
    counts: /\bhow many\b|何(?:ページ|[人個件名枚台本社校冊回歳])/iu.test(text),
    measured: MEASURED_BY.test(text),
    denials: TROUBLE.test(text) ? 0 : countDenials(text),
    subject: subjectOf(text),
    closed: CLOSED.test(text),
    procedure: PROCEDURE.test(text),
  };
}

/** The answer to "how long" contains a length, not the word "long". */
function isOfHow({ text }: Word, before: Word | undefined): boolean {
  return /^how$/iu.test(before?.text ?? "") && HOW.test(text);
}

const HOW = /^(?:long|old|far|tall|high|large|big|often|fast|deep|wide|heavy)$/iu;
const MEASURED_BY =
  /\bhow (?:many|much(?! of)|old|tall|high|deep|wide|heavy|far|fast)\b|\bwhat (?:do|does|did|will)\b.{0,200}\bcost\b|いくら|何(?:ページ|[人個件名枚台本社校冊回歳])/iu;

/** "What is the salary?" asks for a number, like "how much". */
const MEASURED =
  /^(?:price|cost|fee|salary|wage|budget|income|profit|revenue|rent|weight|height|age|length|depth|width|speed|population|percentage|distance|temperature|subtotal|amount|quantity)s?$|^(?:価格|値段|料金|金額|定価|費用|年齢|重さ|高さ|長さ|人口|予算|給料|身長|体重|面積|温度)$|[額費率数]$/iu;

function shapeOf(asked: readonly Word[]): Shape {
  return MEASURED.test(asked.at(-1)?.text ?? "") ? "number" : "thing";
}

const CLOSED =
  /^\s*(?:is|are|was|were|do|does|did|can|could|may|must|should|will|has|have|had)\b|(?<!何|誰|どこ|いつ|いくら|どれ|いくつ|なぜ|どう|どの)[^何誰]{6}(?:できますか|ありますか|ですか|ますか)/iu;
const PROCEDURE =
  /\bhow (?:do|can|should|would|to)\b|\bcommand\b|\bsteps?\b|方法|手順|やり方|するには|たいとき|どうすれば|どうやって|コマンド/iu;
const DEFINED: readonly RegExp[] = [
  /^\s*what(?:'s| is| are| was| were)\s+(?:an? |the )?([^?,]{2,40}?)\s*\??\s*$/iu,
  /^\s*(?:what does|define)\s+([^?,]{2,40}?)(?:\s+(?:do|mean|st[a]nd for))?\s*\??\s*$/iu,
  /^\s*([^？?、。]{2,30}?)(?:とは(?:何|なに|どういう|どのよう)?.{0,10}|って(?:何|なに).{0,6}|(?:は|の意味は)(?:何|なん)(?:ですか|でしょうか|か)?)[。？?]?\s*$/u,
];

function subjectOf(text: string): string {
  for (const pattern of DEFINED) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return found.trim();
  }
  return "";
}

export function countDenials(text: string): number {
  return (text.match(DENIAL) ?? []).length;
}

function unique(given: readonly Word[]): readonly Word[] {
  const seen = new Set<string>();
  return given.filter(({ key }) => !seen.has(key) && seen.add(key));
}
