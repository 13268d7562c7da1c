// Signals for and against the best sentence: does it answer the question, or only mention the same things?
import { stemOf } from "../../text/words.ts";
import { type Evidence, type Likeness, UNKNOWN, type Weights } from "./evidence.ts";
import { countDenials, type Question } from "./question.ts";
import type { Line } from "./read-passage.ts";

/** Each from 0 to 1. */
export interface Signals {
  /** Weighted share of the question's words: in the sentence, next to it, only elsewhere in the passage. */
  readonly covered: number;
  readonly near: number;
  readonly far: number;
  /** Weight of the most important question word that is missing from the sentence. */
  readonly rarestMissing: number;
  readonly missingNames: number;
  readonly missingNumbers: number;
  /** The question is negated and the sentence is not. */
  readonly denied: number;
  /** The question has a qualifier (first, northern, …) that the sentence lacks. */
  readonly narrowed: number;
  /** The sentence contains the opposite of a question word. */
  readonly opposed: number;
  /** Nothing in the sentence has the expected shape. */
  readonly unshaped: number;
  /** How many words match; eight or more count as 1. */
  readonly agreeing: number;
  /** Cosine of the question with the sentence, and with its passage. */
  readonly alike: number;
  readonly topic: number;
  /** The lead over the best sentence of any other passage; 1 is a large lead. */
  readonly ahead: number;
  /** The question asks for a definition and the sentence gives one. */
  readonly defines: number;
  /** Loose words, neither a sentence nor a label with a value, as in pictures and slides. */
  readonly fragment: number;
  /** Weighted share of the question's words in the heading or term above the sentence. */
  readonly headed: number;
}

const OPPOSITES = (
  "increase decrease,rise fall,high low,higher lower,highest lowest,large small,larger smaller,largest smallest," +
  "more less,most least,best worst,good bad,before after,start end,begin end,first last,early late,old new,young old," +
  "north south,east west,northern southern,eastern western,inner outer,upper lower,left right,win lose,success failure," +
  "support oppose,accept reject,allow prevent,include exclude,strong weak,rich poor,public private,urban rural," +
  "positive negative,major minor,maximum minimum,male female,man woman,war peace,enter leave,open closed,fast slow," +
  "long short,possible impossible,legal illegal,common rare,few many,always never,born died,build destroy,gain lose," +
  "import export,input output,internal external,liquid solid,hot cold,easy hard,simple complex,thick thin,wide narrow," +
  "deep shallow,heavy light,top bottom,front back,same different,true false,add remove,attack defend,finite infinite," +
  "odd even,direct indirect,formal informal,active passive"
)
  .split(",")
  .map((pair) => pair.split(" ").map(stemOf));

export interface Grounds {
  readonly weights: Weights;
  readonly likeness?: Likeness | undefined;
  /** The best sentence of another passage. */
  readonly next?: Evidence | undefined;
}

export function toSignals(
  question: Question,
  evidence: Evidence,
  { weights, likeness, next }: Grounds,
): Signals {
  const { source, line, covered, near, far, shaped, alike, defines, headed, score } = evidence;
  const missing = question.terms.filter(({ key }) => !line.keys.has(key));
  const heaviest = Math.max(...weights.values());
  const absent = (list: readonly { key: string }[]) =>
    list.filter(({ key }) => !source.keys.has(key)).length;
  const opposed = missing.some(({ key }) => opposites(key).some((other) => line.keys.has(other)));
  return {
    covered,
    near,
    far,
    rarestMissing: Math.max(0, ...missing.map(({ key }) => weights.get(key) ?? 0)) / heaviest,
    missingNames: Math.min(1, absent(question.terms.filter(({ proper }) => proper)) / 2),
    missingNumbers: missing.some(({ text }) => /\d/.test(text)) ? 1 : 0,
    denied: question.denials > countDenials(line.sentence.text) ? 1 : 0,
    narrowed: question.narrowings.some(({ key }) => !line.keys.has(key)) ? 1 : 0,
    opposed: opposed ? 1 : 0,
    unshaped: shaped ? 0 : 1,
    agreeing: Math.min(1, (question.terms.length - missing.length) / 8),
    alike,
    topic: likeness?.(source.passage.text) ?? UNKNOWN,
    ahead: Math.max(0, Math.min(1, score - (next?.score ?? 0))),
    defines: defines ? 1 : 0,
    fragment: isFragment(line) ? 1 : 0,
    headed,
  };
}

function isFragment({ sentence: { kind, text }, words }: Line): boolean {
  if (kind !== "prose" || /[.!?。！？]["'”’)）」』\]]*$|[:：]/u.test(text)) return false;
  return words.length > 2 && words.every(({ content }) => content);
}

/** "Uninstall" is the opposite of "install"; the rest after the prefix must be long enough to be a word. */
const NEGATION = /^(?:un|non|dis|mis|in|im|ir|il)-?(?=\p{L}{4})/u;

function opposites(key: string): readonly string[] {
  const turned = key.replace(NEGATION, "");
  if (turned !== key) return [turned, stemOf(turned)];
  const pairs = OPPOSITES.filter((pair) => pair.includes(key));
  return pairs.flatMap((pair) => pair.filter((word) => word !== key));
}
