// The overview.
export const OVERVIEW = {
  healthy: ["Healthy", "正常"],
  healthDown: ["The knowledge base cannot be reached", "ナレッジベースに接続できません"],
  healthPart: [
    "Searching works, but something needs attention",
    "検索はできますが、確認が必要な点があります",
  ],
  healthRemedy: ["For details and fixes, run", "詳細と対処方法を確認するコマンド:"],
  workNow: ["{0} being read, {1} waiting", "{0} 件を読み取り中、{1} 件が待機中"],
  degraded: ["Degraded", "一部に問題あり"],
  model: ["Embedding model", "埋め込みモデル"],
  modelReady: ["loaded", "読み込み済み"],
  modelCold: ["loads at first use", "初回の利用時に読み込み"],
  lastUpdated: ["Last change", "最終更新"],
  never: ["never", "なし"],
  usage: ["Usage", "利用状況"],
  usageNone: [
    "No searches or questions yet. Those from this server's clients are counted here by day, those from the command line are not. Their text is not stored.",
    "まだ検索も質問もありません。このサーバーに接続したクライアントからの件数が、1 日ごとに表示されます。コマンドラインからの検索や質問は含みません。検索語や質問の内容は保存されません。",
  ],
  usageNote: [
    "Searches and questions from this server's clients. Only counts are kept; their text is not stored.",
    "このサーバーに接続したクライアントからの件数です。検索語や質問の内容は保存されません。",
  ],
  usageSearches: ["{0|search|searches}", "検索 {0} 件"],
  usageAnswers: ["{0|answer|answers}", "回答 {0} 件"],
  usageNothing: ["{0} found nothing", "該当なし {0} 件"],
  recentTasks: ["Recent tasks", "最近のタスク"],
  emptyTitle: ["The knowledge base is empty", "ナレッジベースは空です"],
  emptyHint: [
    "Drop files on the Documents page, or let an agent call knowledge-add.",
    "「文書」ページにファイルをドロップするか、エージェントから knowledge-add を呼び出してください。",
  ],
  samplesHere: ["These documents are samples", "サンプルが入っています"],
  samplesText: [
    "{0|document|documents} and the rules of an imaginary bicycle maker, so that you can try a question:",
    "架空の自転車メーカーの文書 {0} 件とルールです。まずは質問してみてください。",
  ],
  sampleAsk1: ["How long is parental leave?", "有給休暇は何日ですか?"],
  sampleAsk2: ["How long is the warranty on the battery?", "修理には何日かかりますか?"],
  sampleAsk3: ["Can I return a bicycle after 20 days?", "在宅勤務は週に何日できますか?"],
  samplesOwn: [
    "Then drop your own files anywhere on this page.",
    "次に、手元のファイルをこのページにドロップしてください。",
  ],
  samplesRemove: ["Remove the samples", "サンプルを削除"],
  goDocuments: ["Add documents", "文書を追加"],
} as const;
