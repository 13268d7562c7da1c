// The messages in Japanese. A code without its text does not compile.
import type { ENGLISH } from "./english.ts";
import { FINDINGS_JA } from "./findings-ja.ts";
import { SOURCE_FAILURES_JA } from "./source-failures-ja.ts";

const OUTSIDE =
  "このサーバーが読み取れるフォルダーの外にあるファイルです。許可されたフォルダーにコピーするか、--root フォルダー を付けてサーバーを起動してください。";
const EMPTY =
  "このフォルダーには追加できるものがありません。隠しファイル、除外されたファイル(.gitignore、.knowledgeignore)、対応していない形式のファイルだけです。";

export const JAPANESE: Readonly<Record<keyof typeof ENGLISH, string>> = {
  stated: "{0}",
  mustBe: "{0} を指定してください",
  mustBeText: "文字列を指定してください",
  mustBeNumber: "数値を指定してください",
  mustBeWhole: "整数を指定してください",
  mustBeBoolean: "true か false を指定してください",
  mustBeList: "リストを指定してください",
  mustBeObject: "オブジェクトを指定してください",
  mustBeOneOf: "次のいずれかを指定してください: {0}",
  mustBeAtLeast: "{0} 以上を指定してください",
  mustBeAtMost: "{0} 以下を指定してください",
  charactersAtLeast: "{0} 文字以上で指定してください",
  charactersAtMost: "{0} 文字以内で指定してください",
  elementsAtLeast: "{0} 個以上を指定してください",
  elementsAtMost: "{0} 個以内で指定してください",
  hasNoKey: "{0} という項目はありません",
  typeUnsupported: "対応していない種類の値です",
  modelUnsupported:
    "言語モデルの回答は文書で裏付けられなかったため、代わりに文書から引用しています。",
  modelSlow: "言語モデルの応答に時間がかかりすぎたため、文書から引用しています。",
  modelFailed: "言語モデルに問い合わせできなかったため、文書から引用しています。",
  readByOcr:
    "スキャンや画像から OCR で読み取った内容です。文字や数字が誤っていることがあります。元の文書で確認してください。",
  oneStale: "1 件の文書が、埋め込みの作り直しを待っています。それまでは以前の内容で検索されます。",
  stale: "{0} 件の文書が、埋め込みの作り直しを待っています。それまでは以前の内容で検索されます。",
  queueBlocked:
    "追加が {0} 秒待たされています。処理中のファイル: {1}。終わるまで待つか、「knowledge-server tasks --cancel」でキャンセルしてください。",
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
  readOnly: "データフォルダーに書き込めません。検索はできますが、追加はできません。",
  notWritable:
    "データベースに書き込めません。検索はできますが、追加はできません。サーバーの実行ユーザーに、データフォルダーへの書き込み権限を与えてください。",
  littleSpace:
    "データフォルダーのあるディスクの空き容量が {0} MB しかありません。追加に失敗するおそれがあるため、空きを増やしてください。",
  noResponse:
    "データベースが時間内に応答しませんでした。データフォルダーのあるディスクを確認してください。",
  storageDenied: "保存先のフォルダーを利用できません。アクセス権を確認してください。",
  storageMissing: "保存先のフォルダーがありません。",
  storageNoFolder: "保存先がフォルダーではありません。",
  storageFull: "保存先のディスクに空きがありません。空きを増やしてください。",
  storageQuota: "保存先のディスクの割り当て容量を使い切りました。",
  storageFailed: "保存先のディスクでエラーが発生しました。ディスクを確認してください。",
  moved:
    "データフォルダーのデータベースが、サーバーの起動時のものではありません。稼働中にフォルダーか knowledge.db が移動、削除、または置き換えられました。元に戻るまで何も書き込みません。データフォルダーを元に戻すか、今あるものを使う場合はサーバーを再起動してください。",
  originalsOfOther:
    "原本のフォルダーは、今の knowledge.db とは別のデータベースのものです。原本は削除しません。データベースを元に戻すか、バックアップから復元してください。「knowledge-server repair --force」を実行すると、これらの原本を追加し直せます。",
  originalsMissing:
    "データフォルダーに原本のフォルダーがないため、追加はできません。検索はできます。フォルダーを元に戻してください。失われた場合は、同じ場所に originals という空のフォルダーを作ってください。",
  originalsOfNone:
    "{1} 件の原本のうち {0} 件は、どの文書のものでもありません。古い knowledge.db に戻された可能性があります。原本は削除しません。新しいデータベースに戻すか、新しいバックアップから復元してください。「knowledge-server repair --force」を実行すると、これらの原本を追加し直せます。",
  rowsOfNone:
    "{1} 件の原本のうち {0} 件は、どの文書のものでもありません。データベースの一部が失われた可能性があります。原本は削除しません。データベースをバックアップから復元してください。不要な原本は、knowledge.originals から手動で削除してください。",
  oneTaskSetAside:
    "読み取れないタスクが 1 件あり、処理の対象から外しました。ファイルは残っています。追加し直してから「knowledge-server tasks --cancel {0}」を実行してください。",
  tasksSetAside:
    "読み取れないタスクが {0} 件あり、処理の対象から外しました。ファイルは残っています。追加し直してから「knowledge-server tasks --cancel {1}」を実行してください。",
  replicasUnusable:
    "読み取り用レプリカ {1} 台のうち {0} 台を使えないため、プライマリで応答しています。--database-read-url の指定と、レプリカの複製状態を確認してください。",
  databaseAway:
    "現在、データベースに接続できません。しばらくしてから、もう一度お試しください。受け付けた変更は失われません。",
  databaseDamaged: "データベースのデータが壊れています。バックアップから復元してください。",
  databaseFull: "データベースサーバーのディスクに空きがありません。空きを増やしてください。",
  databasePassword:
    "データベースのユーザー名またはパスワードが正しくありません。データベースの URL を確認してください。",
  databaseUser:
    "データベースがこのユーザーの接続を拒否しました。データベースの URL とアクセス設定を確認してください。",
  databaseMissing: "URL で指定されたデータベースがありません。作成するか、URL を修正してください。",
  databaseRights:
    "データベースのユーザーに必要な権限がありません。必要な権限は docs/operations.md に記載しています。",
  databaseSlow:
    "データベースの応答に時間がかかりすぎたため、処理を中止しました。もう一度お試しください。",
  databaseMemory:
    "データベースサーバーのメモリーが足りません。しばらくしてから、もう一度お試しください。",
  databaseReading:
    "データベースは現在、読み取り専用です。しばらくしてから、もう一度お試しください。",
  databaseDisk:
    "データベースサーバーのディスクまたはファイルでエラーが発生しました。データベースサーバーのログとディスクを確認してから、もう一度お試しください。",
  databaseTables:
    "サーバーが作成したテーブルなどがデータベースにありません。外部から変更された可能性があります。サーバーを再起動するか、データベースのバックアップから復元してください。",
  databaseValue:
    "長すぎる、または形式の正しくない値があり、データベースに保存できません。エラーコードはサーバーのログにあります。パス、名前、本文を短くしてお試しください。",
  databaseRefused:
    "データベースが処理を拒否しました。エラーコードはサーバーのログにあります。もう一度お試しください。繰り返す場合は、データベースサーバーのログを確認してください。",
  databasePooled:
    "データベースの手前にある接続プーラーが、トランザクションごとに別のセッションを割り当てています(PgBouncer の pool_mode = transaction または statement)。このプログラムはその方式では動作しません。セッションモードに変更するか、データベースに直接接続してください。",
  databasePooler:
    "データベースの手前にある接続プーラーが、このプログラムの接続設定を拒否しました。PgBouncer では ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout, jit, hnsw.ef_search, hnsw.iterative_scan を設定するか、データベースに直接接続してください。",
  bucketAway: "原本を保存するバケットを使えません。{0}",
  databaseUntrusted:
    "データベースの証明書を信頼できません。CA を NODE_EXTRA_CA_CERTS で指定するか、証明書のホスト名で接続してください。",
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
  queued: "待機中",
  reading: "読み取り中",
  extracting: "テキストを抽出しています",
  page: "{1} ページ中 {0} ページ目を処理しています",
  slide: "スライド {1} 枚中 {0} 枚目を処理しています",
  sheet: "シート {1} 枚中 {0} 枚目を処理しています",
  embedding: "埋め込みを生成しています",
  indexing: "索引に登録しています",
  completed: "完了",
  lookingForFiles: "ファイルを探しています",
  fileDone: "完了",
  file: "{1} 件中 {0} 件目 · {2}",
  empty: "ファイルが空です。追加できる内容がありません。",
  noBytes: "ファイルが空です(0 バイト)。内容のあるファイルを追加してください。",
  emptyArchive:
    "この ZIP には追加できるファイルがありません。隠しファイルか、対応していない形式のファイルだけです。",
  pdfDamaged:
    "PDF が壊れていて、どのページも読み取れません。ファイルを入手し直すか、ビューアーで開いて保存し直したものを追加してください。",
  pdfCutOff:
    "PDF が壊れていて(末尾が欠けています)、どのページも読み取れません。ファイルを入手し直すか、ビューアーで開いて保存し直したものを追加してください。",
  otherContent: "拡張子は .{0} ですが、内容は {1} ではなく、ほかの対応している形式でもありません。",
  officeDamaged: "ファイルが壊れているため、Office ファイルとして読み取れません。",
  pictureDamaged: "画像が壊れているため、読み取れません。",
  pictureHeader: "画像が壊れています。先頭の情報を読み取れません。",
  pictureSmall: "画像が小さすぎるため、文字を読み取れません。",
  zipDamaged: "ZIP として読み取れません。壊れている可能性があります。",
  tooSlowForSize:
    "大きさのわりに読み取りに時間がかかりすぎるため、{0} 秒分の処理で中止しました。壊れている可能性があります。作成したアプリで保存し直すか、分割したものを追加してください。",
  notJson: "ファイルの内容が正しい JSON ではありません。",
  pathOutside: OUTSIDE,
  pathOutsideOf: `${OUTSIDE}許可されたフォルダー: {0}`,
  secretFile: "鍵や認証情報を含むおそれのあるファイルは追加できません。",
  secretPlace:
    "機密情報の置き場所として知られているファイルです({0})。鍵や認証情報を含むおそれがあるため、追加できません。",
  secretName:
    "機密情報のファイルによくある名前です({0})。鍵や認証情報を含むおそれがあるため、追加できません。",
  secretContent:
    "鍵や認証情報らしい文字列が含まれています({0})。別の文字列に置き換え、本物であれば無効にしてから、追加し直してください。",
  fileHidden:
    "隠しファイルか、隠しフォルダーの中のファイルです。隠しフォルダーでない場所にコピーするか、--root にその隠しフォルダーを指定してサーバーを起動してください。",
  ownFile: "サーバー自身が使うファイルのため、追加できません。",
  ownUnsure:
    "サーバーが自分のフォルダーを確認できないため、このファイルがサーバー自身のものかどうか判断できません。データフォルダーとその中のフォルダーにサーバーのユーザーの読み取り権限を付けてから、追加し直してください。",
  notRegular: "追加できるのは通常のファイルだけです。",
  noSuchFile: "ファイルが見つかりません。場所と名前を確認してください。",
  noSuchFileRelative: "ファイルが見つかりません。絶対パスで指定してください。",
  fileDenied:
    "このファイルを読み取る権限がサーバーにありません。サーバーのユーザーに読み取り権限を付けてください。",
  fileChanging:
    "ファイルまたはフォルダーが変更中か、ディスクが応答しないため、読み取れません。もう一度お試しください。",
  fileTooLargeToRead: "OS で読み取れる大きさを超えたファイルです。",
  pathNul: "パスに NUL 文字は使えません。",
  pathNotLocal: "この file: URL は、このコンピューターのファイルを指していません。",
  pathIsFolder: "フォルダーです。ファイルを 1 つ指定してください。",
  pathTooLong: "パスが長すぎます。",
  pathInvalid: "この OS では使えないパスです。",
  folderEmpty: EMPTY,
  folderEmptyBut: `${EMPTY}{0}`,
  ...SOURCE_FAILURES_JA,
  ...FINDINGS_JA,
  text_extraction: "テキスト",
  ocr: "文字認識(OCR)",
  image_analysis: "画像の文字認識",
  mixed: "テキストと OCR",
  "not-indexed": "索引にありません",
  "not-recalled": "語でも意味でも見つかりません",
  "not-by-words": "語では見つからず、順位も足りません",
  "not-by-meaning": "意味では見つからず、順位も足りません",
  "ranked-below": "順位が足りません",
  "left-out-as-weak": "関連が薄いとして除かれました",
  gone: "文書がありません",
};
