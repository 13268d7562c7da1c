// What the operator reads, in Japanese.
import type { FINDINGS } from "./findings.ts";

export const FINDINGS_JA: Readonly<Record<keyof typeof FINDINGS, string>> = {
  portTaken:
    "{0} で待ち受けられません。このポートは使用中です。--port で別のポートを指定してください。",
  portPrivileged:
    "{0} で待ち受けられません。このポートには管理者の権限が必要です。1024 以上を指定してください。",
  addressAbsent: "{0} で待ち受けられません。このマシンにそのアドレスはありません。",
  cannotListen: "{0} で待ち受けられません({1})。",
  tokenNeeded:
    "{0} はほかのマシンからも接続できるため、トークンが必要です。KNOWLEDGE_TOKEN(16 文字以上)か --token-file を設定するか、127.0.0.1 で待ち受けてください。",
  tokenFileUnset:
    "トークンファイルが指定されていません。--token-file か KNOWLEDGE_TOKEN_FILE で指定してください。",
  folderInUse:
    "データフォルダーは {0} が使用中です。終了してから、もう一度実行してください。何も変更していません。",
  backupFolderMissing: "バックアップ先のフォルダーがありません。",
  sourceKindUnclear: "アドレスから種類を判断できません。--kind で指定してください: {0}",
  addressLong: "アドレスは {0} 文字以内で指定してください。",
  addressNotWeb:
    "Web ページのアドレスではありません。https://example.com/page のように、省略せずに書いてください。",
  addressScheme: "アドレスは http:// または https:// で始めてください。",
  sourceSecret:
    "アドレスのクエリ「{0}」に、秘密の値らしいものが含まれています。アドレスは保存され、画面にも表示されます。含まないアドレスを指定してください。",
  gitAddress: "種類が git の同期元には、URL か絶対パスを指定してください。",
  s3Address: "種類が s3 の同期元には、s3://バケット/プレフィックス を指定してください。",
  folderAddress: "種類が {0} の同期元には、絶対パスを指定してください。",
  addressPassword: "アドレスにユーザー名やパスワードを含めないでください。",
  addressPort: "アドレスのポートは {0} のいずれかにしてください。",
  addressPortAllow:
    "アドレスのポートが {0} 以外です。許可するには --allow-host {1} を付けてください。",
  nodeOld: "Node {0} 以上をインストールしてください。",
  folderUnwritable: "{0} に書き込めません",
  makeWritable: "書き込めるようにするか、--data-dir で別のフォルダーを指定してください。",
  clientAbsent: "このマシンにはありません",
  clientDamaged: "{0} は JSON ではありません",
  clientDamagedFix: "修正してください。例は README にあります。",
  clientWithout: "このサーバーを使っていません",
  clientWithoutFix: "{0} に書く内容は README にあります。",
  clientConnected: "「{0}」として使っています",
  clientBroken: "「{0}」が起動する {1} がありません",
  clientBrokenFix: "{0} を修正してください。",
  databaseElsewhere: "ナレッジベースは PostgreSQL にあります",
  folderSound: "正常",
  folderSoundUsed: "正常({0} が使用中)",
  folderNew: "ナレッジベースはまだありません",
  folderLost: "knowledge.db がありません。原本は {0} 個あります",
  folderLog: "ログ knowledge.db-wal が壊れています。直前の変更は失われました",
  repairFolder:
    "このデータフォルダーを使うサーバーをすべて終了してから、`knowledge-server repair` を実行してください。",
  restoreDatabase:
    "knowledge.db を元に戻すか、バックアップを別のフォルダーに復元してください。`knowledge-server repair --force` を実行すると原本から作り直しますが、名前とメタデータは失われます。",
  updateProgram: "このフォルダーを書いた版に knowledge-server を更新してください。",
  freeSpace: "データフォルダーのあるディスクの空きを増やしてください。",
  rightsUnknown: "次のスコープはありません: {0}",
  rightsUnknownFix: "トークンファイルを直すか、スコープを作ってください。",
  rightsKnown: "{0} 件",
  notSet: "未設定",
  noFile: "未設定(--kb-file)",
  fileRead: "{0} 文字",
  fileUnread: "--kb-file に、読み取れる UTF-8 のテキストファイルを指定してください。",
  answersBedrock: "Bedrock のナレッジベース {0}({1})。認証情報は最初の質問のときに確認します",
  answersModel: "追加した文書から。文章は {0} が作成",
  answersLocal:
    "追加した文書から。クライアントがサンプリングに対応していれば、文章はそのモデルが作成",
  answersFix:
    "BEDROCK_KB_ID と BEDROCK_MODEL_ARN の両方を設定するか、KNOWLEDGE_ANSWER=local にしてください。",
  rulesNone: "まだありません(knowledge-server scopes import PATH)",
  rulesKept: "スコープ {0} 件、ルール {1} 件",
  storeHolds: "{0}、文書 {1} 件、{2} か所",
  originalsKept: "保存済み {0} 個、文書のないもの {1} 個、ごみ箱 {2} 個",
  originalsLost: "保存済み {0} 個、文書のないもの {1} 個、ごみ箱 {2} 個、見つからないもの {3} 個",
  originalsFix:
    "原本のない文書も検索はできます。ファイルを追加し直すか、バックアップを復元してください。",
  queueEmpty: "なし",
  queueWaits: "待機中 {0} 件、処理中 {1} 件",
  queueFix:
    "起動中のサーバーが処理します。`knowledge-server http` で起動してください。一覧は `knowledge-server tasks` で表示できます。",
  modelReady: "{0}、{1} 次元",
  modelFix: "それまでは、キーワードだけで検索します。",
  ocrFix: "それまでは、スキャンや画像を読み取れません。",
  auditWritable: "書き込めます",
  auditFix: "監査ログに書き込めるようにするか、--audit-file で別のファイルを指定してください。",
  tokensKept: "{0} 件",
  tokensBroken: "使えません: {0}",
  tokensFix: "ファイルを修正してください。それまで、項目がない、または誤っている人は拒否されます。",
  ruleParentMissing: "継承元の「{0}」がありません",
  ruleParentUnset: "継承元のない {0} のスコープは、何も継承しません",
  ruleScopeEmpty: "ルールがなく、継承するスコープもありません",
  ruleUndescribed: "説明がないため、エージェントは名前だけで選ぶことになります",
  ruleCategoryEmpty: "ルールがありません",
  ruleLong: "{0} 文字あります。必要な部分だけを読めるように分けてください",
  ruleRepeated: "「{0}」と同じ内容です",
  ruleShadowed: "「{0}」のルールを上書きします",
  ruleTwice: "{0} にあります。CATEGORY/{1} の形で指定してください",
};
