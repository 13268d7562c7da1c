// Questions in one language over the same paragraphs in another. XQuAD's sets are parallel, question by question.
import { sampleOf } from "../support/sample.ts";
import { holdsAny, type Item } from "./ask.ts";
import { idOf } from "./collection-base.ts";
import { type Paragraph, partOf } from "./collections.ts";
import type { Mix } from "./mixed.ts";

export function acrossItems(
  asking: readonly Paragraph[],
  told: readonly Paragraph[],
  { part, count, seed }: Mix,
): readonly Item[] {
  const all = asking.flatMap((paragraph, number) =>
    partOf("xquad", paragraph) === part
      ? paragraph.questions.map(({ question }, at) => ({
          question,
          answers: told[number]?.questions[at]?.answers ?? [],
          article: paragraph.title,
        }))
      : [],
  );
  return sampleOf(all, count, seed).map(({ question, answers, article }, at): Item => {
    const holds = holdsAny(answers.map(({ text }) => text));
    const others = told.flatMap(({ title }, number) => (title === article ? [] : [idOf(number)]));
    return at % 3 === 2
      ? { set: "across", where: "article absent", question, holds, filter: { documentIds: others } }
      : { set: "across", where: "present", question, holds };
  });
}
