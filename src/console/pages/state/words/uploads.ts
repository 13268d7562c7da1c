// Files on their way in.
import { inBoth } from "./in-both.ts";

export const UPLOADS = inBoth(
  {
    dropHere: "Drop files here, or",
    choose: "choose files",
    dropFormats:
      "PDF, Office and OpenDocument files, HTML, EPUB, pictures, Markdown, text, tables, mail, source code · up to 100 MB each",
    uploads: "Uploads",
    uploading: "Uploading",
    queued: "Queued",
    running: "Reading",
    completed: "Ready",
    cancelled: "Cancelled",
    failedStatus: "Failed",
    alreadyPresent: "Already here",
    clearFinished: "Clear finished",
  },
  {
    dropHere: "ここにファイルをドロップ、または",
    choose: "ファイルを選択",
    dropFormats:
      "PDF、Office・OpenDocument 文書、HTML、EPUB、画像、Markdown、テキスト、表、メール、ソースコード(1 ファイル 100 MB まで)",
    uploads: "アップロード",
    uploading: "送信中",
    queued: "待機中",
    running: "読み取り中",
    completed: "完了",
    cancelled: "取り消し済み",
    failedStatus: "失敗",
    alreadyPresent: "登録済み",
    clearFinished: "完了分を消す",
  },
);
