// Does the best evidence answer the question, or only speak of the same things? A logistic model of ten signals.
import type { Passage } from "../../domain/passage.ts";
import { stemOf } from "../../text/words.ts";
import type { Evidence, Weights } from "./evidence.ts";
import { countDenials, type Question } from "./question.ts";

/** Each from 0 to 1. */
export interface Signals {
  /** The question's words, by weight: in the sentence, around it, only elsewhere in the passage. */
  readonly covered: number;
  readonly near: number;
  readonly far: number;
  /** The weight of the weightiest word that the sentence lacks. */
  readonly rarestMissing: number;
  readonly missingNames: number;
  readonly missingNumbers: number;
  /** The question denies where the sentence does not. */
  readonly denied: number;
  /** It narrows down (first, northern, …) where the sentence does not. */
  readonly narrowed: number;
  /** The sentence has the opposite of one of its words. */
  readonly opposed: number;
  /** Nothing in the sentence has the asked shape. */
  readonly unshaped: number;
  /** How many words agree, eight or more being 1. */
  readonly agreeing: number;
  /** The best cosine of the question and a passage. */
  readonly similarity: number;
}

/** A question that shares so little with what was found, by words alone, is about something else. */
const LEAST_LEXICAL = 0.15;
/** Used where the embedding model is unavailable or does not know the language. */
const RELATED = 0.6;
const UNRELATED = 0.2;

/**
 * Fitted by `bench/answers.ts --fit` on half of a public set's articles; docs/decisions/0008-local-answers.md has
 * the figures. Positive: speaks for refusing.
 */
const BIAS = 2.95;
const WEIGHTS: Signals = {
  covered: 0.32,
  near: -0.86,
  far: 1.2,
  rarestMissing: 0.89,
  missingNames: 0.56,
  missingNumbers: 1.16,
  denied: 2.79,
  narrowed: 0.58,
  opposed: 1.52,
  unshaped: 0.37,
  agreeing: -1.36,
  similarity: -5.92,
};
/** Where at most one answerable question in ten was refused. */
const REFUSED_ABOVE = 1;

/** Without one word in common there is nothing to quote, however near the vectors are. */
export function isSupported(signals: Signals): boolean {
  if (signals.agreeing === 0) return false;
  const doubt = Object.entries(WEIGHTS).reduce(
    (sum, [name, weight]) => sum + weight * signals[name as keyof Signals],
    BIAS,
  );
  return doubt <= REFUSED_ABOVE;
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

export function toSignals(
  question: Question,
  evidence: Evidence,
  { weights, found }: { readonly weights: Weights; readonly found: readonly Passage[] },
): Signals {
  const { source, line, covered, near, far, shaped } = evidence;
  const missing = question.terms.filter(({ key }) => !line.keys.has(key));
  const heaviest = Math.max(...weights.values());
  const absent = (list: readonly { key: string }[]) =>
    list.filter(({ key }) => !source.keys.has(key)).length;
  return {
    covered,
    near,
    far,
    rarestMissing: Math.max(0, ...missing.map(({ key }) => weights.get(key) ?? 0)) / heaviest,
    missingNames: Math.min(1, absent(question.terms.filter(({ proper }) => proper)) / 2),
    missingNumbers: missing.some(({ text }) => /\d/.test(text)) ? 1 : 0,
    denied: question.denials > countDenials(line.sentence.text) ? 1 : 0,
    narrowed: question.narrowings.some(({ key }) => !line.keys.has(key)) ? 1 : 0,
    opposed: missing.some(({ key }) => opposites(key).some((other) => line.keys.has(other)))
      ? 1
      : 0,
    unshaped: shaped ? 0 : 1,
    agreeing: Math.min(1, (question.terms.length - missing.length) / 8),
    similarity: similarityOf(question, found),
  };
}

function similarityOf({ japanese }: Question, found: readonly Passage[]): number {
  const cosines = japanese ? [] : found.flatMap(({ parts }) => parts.vector ?? []);
  if (cosines.length > 0) return Math.max(...cosines);
  const shares = found.flatMap(({ parts }) => parts.lexical ?? []);
  return shares.length > 0 && Math.max(...shares) < LEAST_LEXICAL ? UNRELATED : RELATED;
}

/** "Uninstall" turns "install" around; what is left over must be a word's length. */
const NEGATION = /^(?:un|non|dis|mis|in|im|ir|il)-?(?=\p{L}{4})/u;

function opposites(key: string): readonly string[] {
  const turned = key.replace(NEGATION, "");
  if (turned !== key) return [turned, stemOf(turned)];
  const pairs = OPPOSITES.filter((pair) => pair.includes(key));
  return pairs.flatMap((pair) => pair.filter((word) => word !== key));
}
