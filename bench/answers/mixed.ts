// Half of the questions with their answer in the knowledge base, a quarter without the article, a quarter without the
// paragraph only.
import { sampleOf } from "../support/sample.ts";
import { holdsAny, type Item } from "./ask.ts";
import { idOf } from "./collection-base.ts";
import { type Paragraph, partOf } from "./collections.ts";

export interface Mix {
  readonly part: "valid" | "test";
  /** How many questions have their answer there. */
  readonly count: number;
  readonly seed: number;
}

export function mixedItems(
  set: string,
  paragraphs: readonly Paragraph[],
  { part, count: most, seed }: Mix,
): readonly Item[] {
  const all = paragraphs.flatMap((paragraph, number) =>
    partOf(set, paragraph) === part
      ? paragraph.questions
          .filter(({ answers }) => answers.length > 0)
          .map((asked) => ({ asked, number, article: paragraph.article }))
      : [],
  );
  const others = (keep: (paragraph: Paragraph, number: number) => boolean) => ({
    documentIds: paragraphs.flatMap((each, number) => (keep(each, number) ? [idOf(number)] : [])),
  });
  const count = Math.min(most, Math.floor(all.length / 2));
  const half = Math.ceil(count / 2);
  return sampleOf(all, count * 2, seed).map(({ asked, number, article }, at): Item => {
    const holds = holdsAny(asked.answers.map(({ text }) => text));
    const item = { set, question: asked.question, holds };
    if (at < count) return { ...item, where: "present" };
    return at < count + half
      ? {
          ...item,
          where: "article absent",
          filter: others((each) => each.article !== article),
        }
      : {
          ...item,
          where: "paragraph absent",
          filter: others((_, own) => own !== number),
        };
  });
}

/** Where a set has questions that its paragraph does not answer, as people wrote them to mislead. */
export function unanswerableItems(
  set: string,
  paragraphs: readonly Paragraph[],
  { part, count, seed }: Mix,
): readonly Item[] {
  const all = paragraphs.flatMap((paragraph) =>
    partOf(set, paragraph) === part
      ? paragraph.questions.filter(({ answers }) => answers.length === 0)
      : [],
  );
  return sampleOf(all, count, seed).map(({ question }) => ({
    set: `${set} unanswerable`,
    where: "paragraph absent",
    question,
    holds: () => false,
  }));
}
