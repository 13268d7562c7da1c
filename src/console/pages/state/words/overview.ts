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
  newest: ["Newest", "新しい文書"],
  largest: ["Largest", "サイズの大きい文書"],
  today: ["today", "今日"],
  growthOf: [
    "Documents by day: {0} in total over {1|day|days}",
    "日ごとの文書数: {1} 日間で全 {0} 件",
  ],
  degraded: ["Degraded", "一部に問題あり"],
  model: ["Embedding model", "埋め込みモデル"],
  modelReady: ["loaded", "読み込み済み"],
  modelCold: ["loads at first use", "初回の利用時に読み込み"],
  lastUpdated: ["Last change", "最終更新"],
  never: ["never", "なし"],
  growth: ["Growth", "文書数の推移"],
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
  goDocuments: ["Add documents", "文書を追加"],
} as const;
