// The server's phrases in Japanese: steps of an add, warnings and notices.
import { type Notice, readNotice } from "../../../../../domain/phrases/notices.ts";
import { fillIn } from "../../../../../domain/phrases/phrases.ts";
import { readStep, type Step } from "../../../../../domain/phrases/steps.ts";
import { readWarning, type Warning } from "../../../../../domain/phrases/warnings.ts";
import type { Language } from "../../translations.ts";
import { STORE_NOTICES_JA } from "./store-notices.ts";

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

export const WARNINGS_JA: Readonly<Record<Warning, string>> = {
  chapterMissing: "電子書籍の目次にある章の 1 つが見つかりませんでした。",
  firstAttachments: "添付ファイルは最初の {0} 件だけを読み取りました。",
  attachmentNotRead: "添付ファイル「{0}」は読み取れませんでした。",
  noTextInPicture: "画像から文字を認識できませんでした。",
  pictureUnsure: "文字認識の信頼度が低いため({0}%)、画像と照らし合わせて確認してください。",
  firstRows: "{1} 行のうち、最初の {0} 行だけを読み取りました。",
  pdfDamaged: "PDF が壊れているため、読み取れた部分だけを登録しました。",
  pageDamaged: "{0} ページは壊れているため、読み飛ばしました。",
  firstPages: "{1} ページのうち、最初の {0} ページだけを読み取りました。",
  pageWithoutText: "{0} ページからはテキストが見つかりませんでした。",
  pageUnsure: "{0} ページは文字認識の信頼度が低くなっています({1}%)。",
  ocrNotForFormat: "{0} には OCR を使えないため、テキストをそのまま読み取りました。",
  otherName: "拡張子は .{0} ですが、内容は {1} だったため、{1} として読み取りました。",
};

export const NOTICES_JA: Readonly<Record<Notice, string>> = {
  ...STORE_NOTICES_JA,
  oneStale: "1 件の文書が、埋め込みの作り直しを待っています。それまでは以前の内容で検索されます。",
  stale: "{0} 件の文書が、埋め込みの作り直しを待っています。それまでは以前の内容で検索されます。",
  lightMeanwhile: "埋め込みモデルを利用できないため、軽量エンコーダーで検索しています({0})",
  wordsOnly: "埋め込みモデルを利用できないため、キーワードだけで検索しています({0})",
  auditRefuses:
    "監査ログに書き込めないため、変更を受け付けていません。--audit-file の指定先とディスクを確認してください。",
  auditDegraded:
    "監査ログに書き込めないため、変更が記録されていません。--audit-file の指定先とディスクを確認してください。",
  modelUnsupported:
    "言語モデルの回答は文書で裏付けられなかったため、代わりに文書から引用しています。",
  modelSlow: "言語モデルの応答に時間がかかりすぎたため、文書から引用しています。",
  modelFailed: "言語モデルに問い合わせできなかったため、文書から引用しています。",
  readByOcr:
    "スキャンや画像から OCR で読み取った内容です。文字や数字が誤っていることがあります。元の文書で確認してください。",
  scopesNamed: "スコープファイルには取り込み先が書かれているため、ここでの指定は使われません。",
  oneLeftOut:
    "プロジェクト内の Markdown ファイル 1 件は対象外です。取り込むには、上の「ほかの Markdown ファイルも取り込む」を選んでください。",
  leftOut:
    "プロジェクト内の Markdown ファイル {0} 件は対象外です。取り込むには、上の「ほかの Markdown ファイルも取り込む」を選んでください。",
};

/** The server's message names a flag, but the page has a field for it. */
const NOTICES_EN: Partial<Readonly<Record<Notice, string>>> = {
  scopesNamed: "Scope files name their own scopes, so the choice above does not apply to them.",
  oneLeftOut: "1 Markdown file of the project is left out; tick the box above to import it too.",
  leftOut: "{0} Markdown files of the project are left out; tick the box above to import them too.",
};

export function sayNotice(words: string, language: Language): string {
  const known = readNotice(words);
  const text = known && (language === "ja" ? NOTICES_JA : NOTICES_EN)[known.name];
  return text === undefined ? words : fillIn(text, known?.values ?? []);
}

export function sayStep(words: string, language: Language): string {
  const known = language === "ja" ? readStep(words) : undefined;
  if (known === undefined) return words;
  const { name, values } = known;
  const said = values.map((value, at) => (at === 3 ? sayStep(value, language) : value));
  return fillIn(STEPS_JA[name], said);
}

export function sayWarning(words: string, language: Language): string {
  const known = language === "ja" ? readWarning(words) : undefined;
  return known === undefined ? words : fillIn(WARNINGS_JA[known.name], known.values);
}
