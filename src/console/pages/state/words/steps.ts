// What an add is doing, in Japanese; the server says it in English.
import { readStep, type Step } from "../../../../domain/task/steps.ts";
import type { Language } from "../translations.ts";

export const STEPS_JA: Readonly<Record<Step, string>> = {
  queued: "待機中",
  reading: "読み取り中",
  extracting: "テキストを抽出しています",
  page: "{1} ページ中 {0} ページ目を処理しています",
  slide: "スライド {1} 枚中 {0} 枚目を処理しています",
  sheet: "シート {1} 枚中 {0} 枚目を処理しています",
  embedding: "埋め込みを生成しています",
  indexing: "索引に登録しています",
  verifying: "検索できることを確認しています",
  completed: "完了",
  lookingForFiles: "ファイルを探しています",
  fileDone: "完了",
  file: "{1} 件中 {0} 件目 · {2} · {3}",
};

export function sayStep(words: string, language: Language): string {
  const known = language === "ja" ? readStep(words) : undefined;
  if (known === undefined) return words;
  const { step, values } = known;
  return STEPS_JA[step].replace(/\{(\d)\}/g, (_, index) => {
    const value = values[Number(index)] ?? "";
    return step === "file" && index === "3" ? sayStep(value, language) : value;
  });
}
