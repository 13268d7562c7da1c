// Whether a prompt for a coding agent is about something that the documents say. Relevance alone cannot show it: prompts
// share words with any text, and short questions share few with the right one.
import type { Passage } from "../domain/passage.ts";
import { isJapanese } from "../text/scripts.ts";
import { words } from "../text/words.ts";

export type Hit = Pick<
  Passage,
  "documentId" | "filename" | "title" | "score" | "strength" | "parts"
>;

// Asked in any words, a question is more often about what is written down somewhere, and a command about the code that is open.
const BEGINS_QUESTION =
  /^\W*(?:how|what|which|who|whom|whose|when|where|why|is|are|was|were|do|does|did|can|could|may|might|must|should|shall|will|would|has|have|had)\b/i;
const ASKS =
  /[?？]|\b(?:how (?:to|do|does|is|are|can|many|much|long|old)|what (?:is|are|do|does|happens)|difference between)\b|(?:か|は|とは|教えて|教えてください|知りたい|方法|手順|一覧|違い)[。．\s]*$/i;
// What people tell a coding agent to do.
const VERBS =
  "add|build|bump|calculate|change|cherry-pick|clean|comment|commit|compress|compute|continue|convert|copy|create|debug|delete|deploy|describe|draft|draw|extract|find|finish|fix|format|generate|give|go|implement|improve|increase|install|keep|let|make|measure|merge|mock|move|open|optimi[sz]e|paste|plan|port|print|profile|pull|push|put|rebase|reduce|refactor|release|remove|rename|reorder|replace|reset|resolve|retry|revert|review|rewrite|run|set|show|simplify|sort|split|squash|stage|stop|summari[sz]e|test|tidy|translate|turn|undo|update|upgrade|use|wrap|write";
const COMMANDS = new RegExp(
  `^\\W*(?:(?:please|now|just|then|next|also|ok|okay|(?:can|could|would) you|let's)\\W+)*(?:${VERBS})\\b`,
  "i",
);
const COMMANDS_JA = /(?<!教え)(?:[てで](?:ください)?|お願いします|お願い)[。．!！\s]*$/;

// What is pointed at is in the conversation, not in a document.
const POINTS = /\b(?:this|these)\b|この|これ|さっき/i;

/** Prompts that need no document: what they score, a prompt scores by chance. It differs between knowledge bases. */
export const BACKGROUND: readonly string[] = [
  "fix the failing test and clean up the code",
  "which city has the most inhabitants in the world?",
  "thanks, that works, please go on with the next step",
  "関数の名前を分かりやすく変更してください",
];

const BEST = 3;
const USUAL_WORDS = 5;
// A regression over 3,900 prompts and questions on six knowledge bases, divided until the words weigh 1 (bench/hooks.ts).
const WEIGHTS = { meaning: 1.37, relevance: 0.8, chance: 0.5 };
const FORMS = { question: 0.13, command: -0.18, pointing: -0.4, japanese: 0.1 };
const ENOUGH = 0.68;

/** The results that are worth naming, the best first; none if the prompt is about something else. */
export function fitting(found: readonly Hit[], prompt: string, chance: number): readonly Hit[] {
  const above = match(found, prompt) - WEIGHTS.chance * chance;
  if (found.length === 0 || above + formOf(prompt) < ENOUGH) return [];
  const fair = found.filter(({ strength }) => strength !== "weak");
  return fair.length > 0 ? fair : found.slice(0, 1);
}

/** What a prompt scores by chance, from the results of each of `BACKGROUND`. */
export function chanceOf(background: readonly (readonly Hit[])[]): number {
  const scores = background.map((found, at) => match(found, BACKGROUND[at] ?? ""));
  return sum(scores) / BACKGROUND.length;
}

function match(found: readonly Hit[], prompt: string): number {
  const wordScore = Math.max(0, ...found.map(({ parts }) => parts.lexical ?? 0));
  const cosines = found.flatMap(({ parts }) => parts.vector ?? []);
  const relevance = sum(found.slice(0, BEST).map(({ score }) => score)) / BEST;
  // Short prompts match any text by chance.
  const content = words(prompt).filter((word) => word.content).length;
  return (
    wordScore +
    WEIGHTS.meaning * (sum(cosines) / Math.max(1, cosines.length)) +
    WEIGHTS.relevance * relevance * Math.min(1, content / USUAL_WORDS)
  );
}

function formOf(prompt: string): number {
  const isCommand = COMMANDS.test(prompt) || COMMANDS_JA.test(prompt);
  const isQuestion = !isCommand && (BEGINS_QUESTION.test(prompt) || ASKS.test(prompt));
  return sum([
    isQuestion ? FORMS.question : 0,
    isCommand ? FORMS.command : 0,
    POINTS.test(prompt) ? FORMS.pointing : 0,
    // Compared with documents in another language, it finds less.
    isJapanese(prompt) ? FORMS.japanese : 0,
  ]);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
