// The server's messages in Japanese.
import { ENGLISH, type MessageCode } from "../../../../../domain/phrases/messages.ts";
import { ANSWER_NOTICES } from "../../../../../domain/phrases/notices.ts";
import { fillIn, recognise } from "../../../../../domain/phrases/phrases.ts";
import type { STEPS } from "../../../../../domain/phrases/steps.ts";
import type { WARNINGS } from "../../../../../domain/phrases/warnings.ts";
import type { Language } from "../../translations.ts";
import { FILE_FAILURES_JA } from "./file-failures.ts";
import { STORE_NOTICES_JA } from "./store-notices.ts";

const STEPS_JA: Readonly<Record<keyof typeof STEPS, string>> = {
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
  file: "{1} 件中 {0} 件目 · {2}",
};

const WARNINGS_JA: Readonly<Record<keyof typeof WARNINGS, string>> = {
  hiddenOnPages:
    "人の目に見えないテキストが {0} 件あり、検索と回答の対象から外しました。ページ: {1}",
  hiddenOnSlides:
    "人の目に見えないテキストが {0} 件あり、検索と回答の対象から外しました。スライド: {1}",
  hiddenInSheets:
    "人の目に見えないテキストが {0} 件あり、検索と回答の対象から外しました。シート: {1}",
  hiddenInDocument: "人の目に見えないテキストが {0} 件あり、検索と回答の対象から外しました。",
  disguisedWords: "見えない文字で区切られた語や、逆順に表示される語があります: {0} 件。",
  chapterMissing: "電子書籍の目次にある章の 1 つが見つかりませんでした。",
  firstAttachments: "添付ファイルは最初の {0} 件だけを読み取りました。",
  attachmentNotRead: "添付ファイル「{0}」は読み取れませんでした。",
  noTextInPicture: "画像から文字を認識できませんでした。",
  pictureUnsure: "文字認識の信頼度が低いため({0}%)、画像と照らし合わせて確認してください。",
  firstRows: "{1} 行のうち、最初の {0} 行だけを読み取りました。",
  pdfPartlyRead: "PDF が壊れているため、読み取れた {0} ページだけを登録しました。",
  pdfCutOffPartlyRead:
    "PDF が壊れていて(末尾が欠けています)、読み取れた {0} ページだけを登録しました。",
  pageDamaged: "{0} ページは壊れているため、読み飛ばしました。",
  firstPages: "{1} ページのうち、最初の {0} ページだけを読み取りました。",
  moreWarnings: "このほかに表示していない警告があります: {0} 件。",
  pageWithoutText: "{0} ページからはテキストが見つかりませんでした。",
  pageUnsure: "{0} ページは文字認識の信頼度が低くなっています({1}%)。",
  ocrNotForFormat: "{0} には OCR を使えないため、テキストをそのまま読み取りました。",
  otherName: "拡張子は .{0} ですが、内容は {1} だったため、{1} として読み取りました。",
  metadataUnreadable:
    "この文書のメタデータは壊れているため、表示していません。データベースには残っています。メタデータを付けて、ファイルを追加し直してください。",
};

export const ANSWER_NOTICES_JA: Readonly<Record<keyof typeof ANSWER_NOTICES, string>> = {
  modelUnsupported:
    "言語モデルの回答は文書で裏付けられなかったため、代わりに文書から引用しています。",
  modelSlow: "言語モデルの応答に時間がかかりすぎたため、文書から引用しています。",
  modelFailed: "言語モデルに問い合わせできなかったため、文書から引用しています。",
  readByOcr:
    "スキャンや画像から OCR で読み取った内容です。文字や数字が誤っていることがあります。元の文書で確認してください。",
};

export const JAPANESE: Readonly<Record<MessageCode, string>> = {
  stated: "{0}",
  ...STORE_NOTICES_JA,
  ...WARNINGS_JA,
  ...STEPS_JA,
  ...FILE_FAILURES_JA,
  oneStale: "1 件の文書が、埋め込みの作り直しを待っています。それまでは以前の内容で検索されます。",
  stale: "{0} 件の文書が、埋め込みの作り直しを待っています。それまでは以前の内容で検索されます。",
  queueBlocked:
    "追加が {0} 秒待たされています。処理中のファイル: {1}。終わるまで待つか、「knowledge-server tasks --cancel」で取り消してください。",
  lightMeanwhile: "埋め込みモデルを利用できないため、軽量エンコーダーで検索しています({0})",
  wordsOnly: "埋め込みモデルを利用できないため、キーワードだけで検索しています({0})",
  auditRefuses:
    "監査ログに書き込めないため、変更を受け付けていません。--audit-file の指定先とディスクを確認してください。",
  auditDegraded:
    "監査ログに書き込めないため、変更が記録されていません。--audit-file の指定先とディスクを確認してください。",
  tokensMissing:
    "トークンファイルがないか空のため、そのトークンはどれも使えません。--token-file の指定先を確認してください。",
  tokensUnusable:
    "トークンファイルを使えないため、そのトークンはどれも使えません。理由は `knowledge-server doctor` で確認できます。",
  tokensPartly:
    "トークンファイルの {1} 件のうち {0} 件は正しくないため無視されています。該当箇所は `knowledge-server doctor` で確認できます。",
  scopesNamed: "スコープファイルには取り込み先が書かれているため、ここでの指定は使われません。",
  oneLeftOut:
    "プロジェクト内の Markdown ファイル 1 件は対象外です。取り込むには、上の「ほかの Markdown ファイルも取り込む」を選んでください。",
  leftOut:
    "プロジェクト内の Markdown ファイル {0} 件は対象外です。取り込むには、上の「ほかの Markdown ファイルも取り込む」を選んでください。",
};

/** The server's message names a flag, but the page has a field for it. */
const ON_THE_PAGE: Partial<Readonly<Record<MessageCode, string>>> = {
  scopesNamed: "Scope files name their own scopes, so the choice above does not apply to them.",
  oneLeftOut: "1 Markdown file of the project is left out; tick the box above to import it too.",
  leftOut: "{0} Markdown files of the project are left out; tick the box above to import them too.",
};

const TEXTS: Readonly<Record<Language, ReadonlyMap<string, string>>> = {
  en: new Map(Object.entries({ ...ENGLISH, ...ON_THE_PAGE })),
  ja: new Map(Object.entries(JAPANESE)),
};

/** As the server sent it, which may have a code that this page does not have. */
export interface SentMessage {
  readonly code: string;
  readonly values: readonly string[];
}

export function sayMessage({ code, values }: SentMessage, language: Language): string {
  return fillIn(TEXTS[language].get(code) ?? code, values);
}

export function sayAnswerWarning(words: string, language: Language): string {
  const known = language === "ja" ? recognise(ANSWER_NOTICES, words) : undefined;
  return known === undefined ? words : fillIn(ANSWER_NOTICES_JA[known.name], known.values);
}
