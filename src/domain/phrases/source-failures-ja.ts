// Failures of sources in Japanese.
import type { SOURCE_FAILURES } from "./source-failures.ts";

const cannotFetch = (what: string) =>
  `ページを取得できません。${what}アドレスを確認するか、しばらくしてからもう一度お試しください。`;
const cannotRead = (what: string) => `リポジトリーを読み取れません。${what}`;
const damaged = (what: string) =>
  `エクスポートが壊れています。${what}もう一度エクスポートしてください。`;
const s3Away = (what: string) => `S3 を利用できません。${what}`;

export const SOURCE_FAILURES_JA: Readonly<Record<keyof typeof SOURCE_FAILURES, string>> = {
  tooManyItems:
    "項目が {0} 件を超えたため、残りは取り込んでいません。--include か --prefix で範囲を絞るか、--max-items を大きくしてください。",
  sourceEmpty:
    "同期元が空のように見えるため、{0} 件の文書を残しました。本当に空なら、同期元を文書ごと削除してください。",
  sourceBusy: "同期元が削除されたか、別のタスクが同期しています。",
  nameTooLong: "名前が長すぎます。",
  fileTooLarge: "ファイルが大きすぎます(上限 {0} MB)。",
  forPeopleOnly:
    "このアドレスは、サーバーのマシンで「knowledge-server sources add」を実行するか、設定ファイルに書いて追加してください。",
  sourceOfPerson:
    "この同期元は、サーバーのマシンで追加され、読み取る範囲もそこで決められています。変更するには、そのマシンで「knowledge-server sources add」を実行するか、設定ファイルを書き換えてください。",

  webOff:
    "このサーバーではWeb ページの取得が無効です。--allow-urls を付けて起動するか、ページをファイルに保存して追加してください。",
  pageNotSent:
    "サイトからページが送られてきませんでした。しばらくしてから、もう一度お試しください。",
  pageMissing: "ページがありません(ステータス {0})。",
  pageClosed: "ページは公開されていません(ステータス {0})。",
  pageTooLarge: "ページが大きすぎます(上限 {0} MB)。",
  pageForbidden: "サイトの robots.txt が、プログラムによるこのページの取得を断っています。",
  pageInsecure: "ページが https から http へ転送されたため、取得しませんでした。",
  pagePrivate:
    "アドレスが、内部ネットワークかこのマシンを指しています。取得できるのは公開ページだけです。",
  pageRedirects: cannotFetch("転送が {0} 回を超えました。"),
  pageRedirectInvalid: cannotFetch("転送先のアドレスが正しくありません。"),
  pageStatus: cannotFetch("サイトの応答はステータス {0} でした。"),
  pageRobotsStatus: cannotFetch("robots.txt の応答はステータス {0} でした。"),
  pageEncoding: cannotFetch("内容の符号化方式に対応していません。"),
  pageLost: cannotFetch("接続が切れました。"),
  pageSlow: cannotFetch("時間がかかりすぎました。"),
  pageOtherName: cannotFetch("サイトの証明書は別のホスト名のものです。"),
  pageUntrusted: cannotFetch(
    "サイトの証明書を信頼できません。期限切れか、このサーバーが知らない CA のものです(自社の CA は NODE_EXTRA_CA_CERTS で指定します)。",
  ),
  pageNotHttp: cannotFetch("サイトの応答が正しい HTTP ではありません。"),
  pageNoHost: cannotFetch("ホスト名を解決できません。"),
  siteFailing: "サイトが {0} 回続けて失敗したため、残りは次の同期で取得します。",

  gitMissing: "git がインストールされていません。",
  gitFailed: cannotRead("git が失敗しました。アドレスとブランチなどの名前を確認してください。"),
  gitNoRef: cannotRead("指定されたブランチ、タグ、コミットがありません。"),
  gitDenied: cannotRead("アクセスを拒否されました。"),
  gitProtocol: cannotRead("このプロトコルは許可されていません。"),
  gitNotThere: cannotRead("このアドレスにはありません。"),
  gitAway: cannotRead("サーバーが応答しません。"),
  gitTooLarge: "リポジトリーが 4 GB か空きディスクの半分を超えるため、取り込みませんでした。",
  gitTooLong: "リポジトリーのファイルが多すぎます。--include で範囲を絞ってください。",
  gitRefName: "ブランチ、タグ、コミットの名前として正しくありません。",

  s3NoCredentials:
    "このサーバーに AWS の認証情報がありません。AWS_ACCESS_KEY_ID と AWS_SECRET_ACCESS_KEY を設定するか、AWS_PROFILE でプロファイルを指定してください。",
  s3NoBucket: "S3 にこのバケットはありません。",
  s3NoObject: "S3 にこのオブジェクトはありません。",
  s3Denied:
    "S3 が要求を拒否しました({0})。このサーバーの認証情報とバケットのポリシーを確認してください。",
  s3Responded: s3Away("応答は {0} でした。"),
  s3Lost: s3Away("接続が切れました。"),
  s3Silent: s3Away("正しい応答がありませんでした。"),
  s3ListInvalid: s3Away("一覧を読み取れません。"),
  s3NoEnd: s3Away("一覧が終わりません。"),
  s3Removed: "その間にバケットから削除されました。",

  archiveName:
    "名前がアーカイブの外を指しているか、ファイル名に使えない文字を含んでいます。名前を変えて、アーカイブを作り直してください。",
  archiveLink: "ファイルではなくリンクです。ファイルそのものをアーカイブに入れてください。",
  archiveNested: "アーカイブの中のアーカイブです。展開して、そのフォルダーを追加してください。",
  archiveTwice:
    "同じ名前のファイルがアーカイブにもう 1 つあります。片方の名前を変えて、アーカイブを作り直してください。",

  exportUnknown:
    "対応しているエクスポートではありません。対応: Slack、Notion、Confluence(HTML)、ChatGPT、Claude、Obsidian、mbox 形式のメール。ほかのファイルは「knowledge-server add」で追加してください。",
  exportTooLarge:
    "アーカイブのファイルが多すぎるか、展開後の大きさが読み取りの上限を超えています。",
  exportCutOff: damaged("途中で切れています。"),
  exportBrackets: damaged("括弧が対応していません。"),
  exportNotJson: damaged("JSON でない項目があります。"),
  exportEntry: "大きすぎる項目があります。",
  exportChannel: "エクスポートに大きすぎるチャンネルがあります。",
  exportOutside: "エクスポートのフォルダーの外にあります。",

  folderUnreadable:
    "このファイルまたはフォルダーを読み取れません。アクセス権を確認して、フォルダーを追加し直してください。",
  folderDeep: "{0} 階層より深いフォルダーのため、取り込んでいません。浅い場所に移してください。",
  rulesAreFolder: "この除外ファイルは使っていません(フォルダーです)。",
  rulesAreLink: "この除外ファイルは使っていません(リンクです)。",
  rulesAreSpecial: "この除外ファイルは使っていません(通常のファイルではありません)。",
  rulesTooLarge: "この除外ファイルは使っていません({0} KB を超えています)。",
  rulesUnreadable: "この除外ファイルは使っていません(読み取れません)。",
  rulesLeftOut:
    "フォルダーの除外ルールのうち {0} 件は使っていません。1 件は {1} 文字まで、1 つのファイルに効くルールは合計 {2} 文字までです。",
};
