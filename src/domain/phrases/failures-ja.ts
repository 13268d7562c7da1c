// Failures in Japanese, by the server's code. A part in [ ] is left out if a detail is unknown.
import { CONTRACT_FORMATS } from "../document.ts";
import type { ErrorCode } from "../errors.ts";
import { OTHER_FORMATS } from "../format-name.ts";
import { JAPANESE } from "./japanese.ts";
import { isMessage } from "./messages.ts";
import { fillIn } from "./phrases.ts";

export const FAILURES_JA: Readonly<Record<Lowercase<ErrorCode>, string>> = {
  config_invalid: "サーバーの設定に誤りがあります。管理者に確認してください。",
  missing_required_parameter: "必須の項目[「{parameter}」]が入力されていません。",
  invalid_parameter:
    "[「{parameter}」の]入力内容が正しくありません。見直してもう一度お試しください。",
  confirmation_required: "実行するには確認が必要です。",
  confirmation_declined: "確認で取りやめたため、何も変更していません。",
  unsupported_format: `対応していない形式のファイルです。対応している形式: ${[
    ...CONTRACT_FORMATS.map((format) => format.toUpperCase()),
    ...OTHER_FORMATS,
  ].join("、")}、ソースコード。`,
  file_too_large:
    "ファイルが大きすぎます[(上限 {max_size_mb} MB)]。分割するか、小さくしてから追加してください。",
  encrypted_file:
    "パスワードで保護されたファイルです。パスワードを外したコピーを保存して、それを追加してください。",
  corrupt_file:
    "ファイルを読み取れませんでした。壊れているか、拡張子と中身が合っていません。保存し直してから追加してください。",
  empty_document:
    "ファイルからテキストが見つかりませんでした。内容を確認してください。スキャンした文書は、より鮮明なものをお試しください。",
  extraction_timeout:
    "読み取りが進まなくなったため、中止しました。ファイルが壊れている可能性があります。",
  extraction_limit:
    "ファイルの内容が読み取りの上限を超えているため、受け付けられません。小さく分けてから追加してください。",
  ocr_failed: "OCR で文字を認識できませんでした。画像が壊れていないか確認してください。",
  access_denied:
    "この操作は許可されていません。権限や、ファイルの置き場所と内容を確認してください。",
  file_unavailable:
    "ファイルを読み取れませんでした。アクセス権を確認して、もう一度お試しください。",
  file_not_found: "ファイルが見つかりません。場所と名前を確認してください。",
  document_not_found: "文書が見つかりません。すでに削除された可能性があります。",
  task_not_found: "タスクが見つかりません。すでに終了して、記録が消えた可能性があります。",
  scope_not_found: "スコープ[「{scope_id}」]が見つかりません。[もしかして: {suggestions}]",
  entry_not_found: "ルール[「{keyword}」]が見つかりません。すでに削除された可能性があります。",
  resource_not_found: "指定された内容が見つかりません。すでに削除された可能性があります。",
  scope_has_children:
    "[「{scope_id}」には]子スコープ[({children})]があります。先に子スコープの親を変えるか、削除してください。",
  scope_has_documents:
    "[「{scope_id}」には]文書があります。先に文書を別のスコープへ移すか、削除してください。",
  scope_conflict: "ほかの変更と競合しました。最新の内容を確認して、もう一度お試しください。",
  empty_knowledge_base: "ナレッジベースは空です。先に文書を追加してください。",
  interrupted: "処理が途中で中断されました。もう一度追加してください。",
  model_unavailable: "モデルを利用できません。しばらくしてから、もう一度お試しください。",
  store_unavailable: "データの保存先に接続できません。しばらくしてから、もう一度お試しください。",
  store_full:
    "保存先の空き容量が足りないため、何も変更していません。空きを増やしてから、もう一度お試しください。",
  store_refused:
    "長すぎる、または形式の正しくない値があり、保存できません。パス、名前、本文を短くしてお試しください。",
  store_corrupt:
    "保存されたデータに問題が見つかりました。管理者は「knowledge-server doctor」で対処方法を確認してください。",
  store_not_empty: "保存先は空ではありません。空の保存先を指定してください。",
  store_in_use:
    "データはほかのプロセスが使用中です。そちらを終了してから、もう一度お試しください。",
  store_too_new:
    "データは新しい版の knowledge-server で作られています。サーバーを更新してください。",
  audit_unavailable:
    "監査ログに記録できないため、変更を受け付けられません。管理者に確認してください。",
  system_unavailable: "サーバーが処理を続けられません。しばらくしてから、もう一度お試しください。",
  overloaded:
    "サーバーが混み合っています。[{retry_after_seconds} 秒ほど待ってから、]もう一度お試しください。",
  answer_authentication: "回答サービスの認証に失敗しました。管理者に認証情報を確認してください。",
  answer_not_found:
    "回答サービスのナレッジベースまたはモデルが見つかりません。管理者に設定を確認してください。",
  answer_service: "回答サービスを利用できません。しばらくしてから、もう一度お試しください。",
  cancelled: "キャンセルされました。",
  internal: "サーバーで予期しない問題が発生しました。原因はサーバーのログに記録されています。",
};

/** A part in [ ] is left out if one of its details is missing. Undefined for a code that is not known here. */
export function failureInJapanese(
  code: string,
  details: Readonly<Record<string, unknown>>,
): string | undefined {
  const reason = details["reason"];
  if (isMessage(reason)) return fillIn(JAPANESE[reason.code], reason.values);
  if (!Object.hasOwn(FAILURES_JA, code)) return undefined;
  return FAILURES_JA[code as Lowercase<ErrorCode>].replace(/\[([^\]]*)\]/g, (_, part: string) => {
    const names = [...part.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    if (names.some((name) => !isShown(details[name]))) return "";
    return part.replace(/\{(\w+)\}/g, (_place, name) => toText(details[name]));
  });
}

function isShown(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== "";
}

function toText(value: unknown): string {
  if (typeof value === "number") return value.toLocaleString("ja");
  return Array.isArray(value) ? value.join("、") : String(value);
}

/** Other codes that the protocol or answers use for the same failures. */
export const SAME_AS: ReadonlyMap<string, Lowercase<ErrorCode>> = new Map([
  ["ValidationError", "invalid_parameter"],
  ["AuthenticationError", "answer_authentication"],
  ["NotFoundError", "answer_not_found"],
  ["ServiceError", "answer_service"],
  ["parse_error", "internal"],
  ["invalid_request", "invalid_parameter"],
  ["method_not_found", "resource_not_found"],
  ["invalid_params", "invalid_parameter"],
  ["refused", "overloaded"],
  ["server_error", "internal"],
] as const);
