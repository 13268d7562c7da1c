// Search and answers.
import { inBoth } from "./in-both.ts";

export const SEARCH = inBoth(
  {
    askOrSearch: "Search or ask",
    searchPlaceholder: "Type a question or a few words",
    ask: "Ask",
    asking: "Looking for an answer…",
    answer: "Answer",
    mayHelp: "Passages that may help",
    mayHelpText:
      "No sentence answers this directly. A language model reads better: set KNOWLEDGE_LLM_URL.",
    notInBase: "Not in the knowledge base",
    notInBaseText:
      "The documents do not hold the answer to this question. Try other words, or add a document that does.",
    sources: "Sources",
    results: "{0} results in {1} ms",
    noResults: "Nothing found. Try other words.",
    searchHint: "Results appear as you type. “Ask” gives an answer with its sources.",
    score: "Relevance",
    scoreLexical: "Words",
    scoreVector: "Meaning",
    whyScore: "Why this score",
    since: "Added since",
  },
  {
    askOrSearch: "検索・質問",
    searchPlaceholder: "質問やキーワードを入力",
    ask: "質問する",
    asking: "回答を探しています…",
    answer: "回答",
    mayHelp: "参考になりそうな箇所",
    mayHelpText:
      "直接の答えは見つかりませんでした。言語モデル(KNOWLEDGE_LLM_URL)を設定すると、より的確に答えられます。",
    notInBase: "ナレッジベースにありません",
    notInBaseText:
      "登録された文書にはこの質問の答えがありません。別の言葉で試すか、文書を追加してください。",
    sources: "出典",
    results: "{0} 件({1} ミリ秒)",
    noResults: "見つかりませんでした。別の言葉で試してください。",
    searchHint: "入力すると結果が表示されます。「質問する」で出典付きの回答が得られます。",
    score: "関連度",
    scoreLexical: "語の一致",
    scoreVector: "意味の近さ",
    whyScore: "関連度の内訳",
    since: "追加日(以降)",
  },
);
