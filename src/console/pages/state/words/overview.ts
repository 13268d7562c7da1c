// The overview.
import { inBoth } from "./in-both.ts";

export const OVERVIEW = inBoth(
  {
    healthy: "Healthy",
    degraded: "Degraded",
    chunksPerDocument: "Passages per document",
    model: "Embedding model",
    modelReady: "loaded",
    modelCold: "loads at first use",
    lastUpdated: "Last change",
    never: "never",
    growth: "Growth",
    growthOf: "Documents over time: {0} in total",
    growthEmpty: "The chart appears with the first document.",
    recentTasks: "Recent tasks",
    noTasks: "No tasks yet. Documents that you add show up here while they are read.",
    emptyTitle: "The knowledge base is empty",
    emptyHint: "Drop files on the Documents page, or let an agent call knowledge-add.",
    goDocuments: "Add documents",
  },
  {
    healthy: "正常",
    degraded: "一部に問題あり",
    chunksPerDocument: "文書あたりのパッセージ",
    model: "埋め込みモデル",
    modelReady: "読み込み済み",
    modelCold: "最初の利用時に読み込み",
    lastUpdated: "最終更新",
    never: "なし",
    growth: "推移",
    growthOf: "文書数の推移: 全 {0} 件",
    growthEmpty: "最初の文書を追加するとグラフが表示されます。",
    recentTasks: "最近のタスク",
    noTasks: "タスクはまだありません。追加した文書の読み取り状況がここに表示されます。",
    emptyTitle: "ナレッジベースは空です",
    emptyHint:
      "「文書」ページにファイルをドロップするか、エージェントから knowledge-add を呼び出してください。",
    goDocuments: "文書を追加",
  },
);
