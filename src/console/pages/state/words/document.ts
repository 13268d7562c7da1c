// One document.
import { inBoth } from "./in-both.ts";

export const DOCUMENT = inBoth(
  {
    original: "Download original",
    backToDocuments: "All documents",
    asAgentReads: "As an agent reads it",
    showChunks: "Show passages",
    page: "Page {0}",
    slide: "Slide {0}",
    sheet: "Sheet {0}",
    wholeDocument: "Whole document",
    warnings: "Notes from reading",
    showSource: "Source text",
    table: "Table",
  },
  {
    original: "元ファイルをダウンロード",
    backToDocuments: "文書一覧",
    asAgentReads: "エージェントが読む内容",
    showChunks: "パッセージを表示",
    page: "{0} ページ",
    slide: "スライド {0}",
    sheet: "シート {0}",
    wholeDocument: "文書全体",
    warnings: "読み取り時の注意",
    showSource: "元のテキスト",
    table: "表",
  },
);
