// Fits how sure an answer is and from where on it is shown: for each way a logistic model of its being right, its
// threshold taken on questions that the model was not fitted on (five parts, by article, table or file).
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Candidate,
  mostConfident,
  type WayModels,
} from "../../src/answer/answer-from-passages.ts";
import { type Confidence, confidenceOf } from "../../src/answer/confidence/confidence.ts";
import {
  FORM,
  OTHER_LANGUAGE,
  QUOTE,
  RELATED,
  TABLE,
} from "../../src/answer/confidence/weights.ts";
import { byName, type Fitted, fitLogistic } from "../support/logistic.ts";
import type { Run } from "./ask.ts";

const PARTS = 5;
/** Of what is shown as an answer, this share is to be right. */
const RIGHT = 0.9;
/**
 * Where so few are right below it, more are not shown, whatever the share of all is. For quotes it is the point from
 * where on .82 of the encyclopedia's questions still get their answer.
 */
const LEAST: Readonly<Record<Candidate["way"], number>> = {
  quote: 0.28,
  otherLanguage: 0.4,
  table: 0.4,
  form: 0.4,
};
/** A passage too many costs a glance, one too few the answer: so many questions with an answer here get passages. */
const HELPED = 0.98;
/** Files and forms are few, and what people have; paragraphs of an encyclopedia are many. */
const SET_WEIGHTS: Readonly<Record<string, number>> = { documents: 4, manuals: 2, files: 2 };
/** Of a question that has no answer, for quotes: some sentence is always near, whether it holds the fact or not. */
const UNANSWERED_WEIGHT = 2;
/** Nothing, or hardly anything, answers these. */
export const UNANSWERED: ReadonlySet<string> = new Set([
  ...["absent", "off-topic", "unsaid", "files unsaid", "beside"],
]);
const FILE = join(import.meta.dirname, "..", "..", "src", "answer", "confidence", "weights.ts");

interface Example {
  /** The question it is of. */
  readonly run: Run;
  readonly signals: Readonly<Record<string, number>>;
  readonly label: 0 | 1;
  readonly weight: number;
  readonly part: number;
  /** Nothing here answers it: it shows what is wrong, but nobody asks only what is not there. */
  readonly isAbsent: boolean;
  /** Another way answers it, so what this one would say does not matter. */
  readonly isTaken: boolean;
}

interface Rated extends Example {
  readonly sure: number;
}

/** Writes the file and returns the lines that the stored one had otherwise: none where a rerun gives the same. */
export async function fitWeights(given: readonly Run[]): Promise<readonly string[]> {
  const runs = given.filter(isFitted);
  const { quote, table, form } = fitWays(runs);
  const ways = { QUOTE: quote, TABLE: table, FORM: form, RELATED: fitRelated(runs) };
  const sets = [...new Set(runs.map(({ item }) => item.set))].join(", ");
  const before = (await readFile(FILE, "utf8")).split("\n");
  const source = toSource(ways, sets);
  await writeFile(FILE, source);
  return source.split("\n").flatMap((line, at) => {
    const old = before[at] ?? "";
    return line === old ? [] : [`line ${at + 1}: ${old.trim()} → ${line.trim()}`];
  });
}

/**
 * The fresh sets show what other files would get: nothing is fitted to them. Nor to the questions without their own
 * paragraph: nobody can say which of the others in the article answer them too.
 */
function isFitted({ item }: Run): boolean {
  return !item.set.startsWith("fresh") && item.set !== "beside";
}

/** Of each set: how many are right, and right of those shown, by models that were fitted on the other parts. */
export function leftOut(given: readonly Run[]): Readonly<Record<string, object>> {
  const runs = given.filter(isFitted);
  const chosen = Array.from({ length: PARTS }, (_, part) => {
    const others = runs.filter(({ item }) => partOf(item.group) !== part);
    const models = fitWays(others);
    const own = runs.filter(({ item }) => partOf(item.group) === part);
    return own.map((run) => ({ run, best: mostConfident(run.candidates, models) }));
  }).flat();
  const sets = Map.groupBy(chosen, ({ run }) => run.item.set);
  return Object.fromEntries(
    [...sets].map(([set, own]) => {
      const shown = own.flatMap(({ run, best }) => (best ? [holds(run, best)] : []));
      const right = shown.filter(Boolean).length;
      return [
        set,
        {
          right: share(right, own),
          shown: share(shown.length, own),
          "right of the shown": share(right, shown),
        },
      ];
    }),
  );
}

function share(count: number, of: readonly unknown[]): number {
  return of.length === 0 ? 0 : Number((count / of.length).toFixed(3));
}

function holds({ item }: Run, { claims }: Candidate): boolean {
  return item.holds(claims.map(({ text }) => text).join(" "));
}

function fitWays(runs: readonly Run[]): WayModels {
  return {
    quote: fitWay(runs, "quote", namesOf(QUOTE)),
    table: fitWay(runs, "table", namesOf(TABLE)),
    form: fitWay(runs, "form", namesOf(FORM)),
    otherLanguage: OTHER_LANGUAGE,
  };
}

/** A model has a weight for each of its signals; a new one starts with any. */
function namesOf<Name extends string>({ weights }: Confidence<Name>): readonly Name[] {
  return Object.keys(weights) as Name[];
}

function fitWay<Name extends string>(
  given: readonly Run[],
  way: Candidate["way"],
  names: readonly Name[],
): Confidence<Name> {
  // Questions on files are mostly about sentences; tables and forms have sets of their own.
  const runs = way === "quote" ? given : given.filter(({ item }) => !item.set.startsWith("files"));
  const examples = runs.flatMap((run): readonly Example[] => {
    const { item, candidates } = run;
    const own = candidates.filter((candidate) => candidate.way === way);
    const isAbsent = UNANSWERED.has(item.set);
    const asked = isAbsent && way === "quote" ? UNANSWERED_WEIGHT : (SET_WEIGHTS[item.set] ?? 1);
    const weight = asked / Math.sqrt(Math.max(1, own.length));
    return own.map((candidate) => ({
      run,
      signals: { ...candidate.signals },
      label: holds(run, candidate) ? 1 : 0,
      weight,
      part: partOf(item.group),
      isAbsent,
      isTaken: candidates.some((other) => other.way !== way && holds(run, other)),
    }));
  });
  return withThreshold(examples, names, LEAST[way]);
}

/** Whether passages are about the question at all: those of the questions that have an answer here, against the rest. */
function fitRelated(runs: readonly Run[]): typeof RELATED {
  const names = namesOf(RELATED);
  const seen = runs.filter(
    ({ quoted, item }) => quoted && (item.set === "off-topic" || !UNANSWERED.has(item.set)),
  );
  const offTopic = seen.filter(({ item }) => item.set === "off-topic").length;
  const examples = seen.map((run): Example => {
    const { item, quoted } = run;
    const off = item.set === "off-topic";
    const weight = off ? 1 : (1.5 * offTopic) / (seen.length - offTopic);
    const signals = quoted as Readonly<Record<string, number>>;
    return {
      run,
      signals,
      label: off ? 0 : 1,
      weight,
      part: partOf(item.group),
      isAbsent: false,
      isTaken: false,
    };
  });
  const sure = rateUnseen(examples, names)
    .filter(({ label }) => label === 1)
    .map((each) => each.sure)
    .sort((a, b) => a - b);
  const least = Number((sure[Math.floor(sure.length * (1 - HELPED))] ?? 0).toFixed(2));
  return { ...round(fitLogistic(examples, names)), least };
}

/** How sure each example's model would be that was fitted on the other parts. */
function rateUnseen<Name extends string>(
  examples: readonly Example[],
  names: readonly Name[],
): readonly Rated[] {
  return Array.from({ length: PARTS }, (_, part) => part).flatMap((part) => {
    const model = fitLogistic(
      examples.filter((each) => each.part !== part),
      names,
    );
    return examples
      .filter((each) => each.part === part)
      .map((each) => ({ ...each, sure: confidenceOf({ ...model, least: 0 }, each.signals) }));
  });
}

function withThreshold<Name extends string>(
  examples: readonly Example[],
  names: readonly Name[],
  floor: number,
): Confidence<Name> {
  // Only a question's most confident candidate can be shown. The aim for a question without an answer is a refusal.
  const best = [...Map.groupBy(rateUnseen(examples, names), ({ run }) => run).values()]
    .flatMap((own) => own.toSorted((a, b) => b.sure - a.sure).slice(0, 1))
    .filter(({ isAbsent, isTaken, label }) => !isAbsent && (label === 1 || !isTaken))
    .sort((a, b) => b.sure - a.sure);
  let [right, all, least] = [0, 0, 1];
  for (const { sure, label } of best) {
    right += label;
    all += 1;
    if (right / all >= RIGHT) least = sure;
  }
  return {
    ...round(fitLogistic(examples, names)),
    least: Number(Math.max(floor, least).toFixed(2)),
  };
}

function round<Name extends string>({ bias, weights }: Fitted<Name>): Fitted<Name> {
  const two = (value: number) => Number(value.toFixed(2));
  const names = Object.keys(weights) as Name[];
  return { bias: two(bias), weights: byName(names, (at) => two(weights[names[at] as Name])) };
}

function partOf(group: string): number {
  let hash = 7;
  for (const char of group) hash = (hash * 31 + char.charCodeAt(0)) >>> 0;
  return hash % PARTS;
}

/** The comment above each model in the file, and the type of its signals. */
const WRITTEN = {
  QUOTE: ["Sentences of the found passages.", "QuoteSignal"],
  TABLE: ["Cells of a table, looked up or computed.", "keyof TableSignals"],
  FORM: ["A form's field.", "keyof FormSignals"],
  RELATED: ["Not an answer, but about the same things: the passages are shown.", "RelatedSignal"],
  // Too few questions in one language are answered in another to fit it: it stays as it is.
  OTHER_LANGUAGE: [
    "A quote in another language: only meaning can be compared. Set by hand; see the decision.",
    "OtherLanguageSignal",
  ],
} as const;

type Fit = Readonly<Record<Exclude<keyof typeof WRITTEN, "OTHER_LANGUAGE">, Confidence<string>>>;

function toSource(ways: Fit, sets: string): string {
  const head = `// How sure an answer must be to be shown as one, for each way of finding it. Written by \`bench/answers.ts --fit\`;
// docs/decisions/0008-local-answers.md says how the questions are chosen.
// Fitted to: ${sets}.
import type { Confidence } from "./confidence.ts";
import type {
  FormSignals,
  OtherLanguageSignal,
  QuoteSignal,
  RelatedSignal,
  TableSignals,
} from "./signals.ts";
`;
  const all: Readonly<Record<keyof typeof WRITTEN, Confidence<string>>> = {
    ...ways,
    OTHER_LANGUAGE,
  };
  const models = (Object.keys(all) as (keyof typeof all)[]).map((name) => {
    const { bias, weights, least } = all[name];
    const [comment, signals] = WRITTEN[name];
    const lines = Object.entries(weights).map(([key, value]) => `    ${key}: ${value},`);
    return `/** ${comment} */\nexport const ${name}: Confidence<${signals}> = {\n  bias: ${bias},\n  weights: {\n${lines.join("\n")}\n  },\n  least: ${least},\n};\n`;
  });
  return [head, ...models].join("\n");
}
