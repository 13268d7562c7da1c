// Fixed phrases of answers, in the question's language.
import { isJapanese } from "../text/scripts.ts";

export function sayNothing(query: string): string {
  return isJapanese(query)
    ? "ナレッジベースの中に、この質問への答えは見つかりませんでした。"
    : "No answer to this question was found in the knowledge base.";
}

export function sayRelated(query: string): string {
  return isJapanese(query)
    ? "直接の答えは見つかりませんでした。参考になりそうな箇所を示します。"
    : "No sentence answers this directly. These passages may help.";
}

/** Added if the quote's language differs from the question's. */
export function noteOtherLanguage(query: string, answer: string): string {
  return isJapanese(query)
    ? `（他の言語の文書からの引用）${answer}`
    : `(Quoted from a document in another language) ${answer}`;
}

/** Added if sources give different values for the same thing. */
export function noteDiffering(
  query: string,
  sources: readonly { readonly filename: string; readonly date: string }[],
): string {
  const listed = sources.map(({ filename, date }, at) => `[${at + 1}] ${filename}, ${date}`);
  return isJapanese(query)
    ? `\n資料によって値が異なります: ${listed.join("; ")}`
    : `\nThe sources differ: ${listed.join("; ")}`;
}
