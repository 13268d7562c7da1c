// Problems of the store, in Japanese.
import type { STORE_NOTICES } from "../../../../../domain/phrases/store-notices.ts";

export const STORE_NOTICES_JA: Readonly<Record<keyof typeof STORE_NOTICES, string>> = {
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
  bucketAway: "元のファイルを保存するバケットを使えません。{0}",
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
  databaseUntrusted:
    "データベースの証明書を信頼できません。CA を NODE_EXTRA_CA_CERTS で指定するか、証明書のホスト名で接続してください。",
};
