// The page that checks whether searches still find what they found.
export const CHECK = {
  check: ["Check", "検索チェック"],
  checkIntro: [
    "Questions that a search should find something for. Run them before and after an upgrade or a change of model: the page shows what was lost, and why.",
    "検索で見つかるべき質問の一覧です。更新やモデル変更の前後に実行すると、見つからなくなったものとその理由がわかります。",
  ],
  checkRun: ["Run the check", "チェックを実行"],
  checkRunning: ["Searching…", "検索しています…"],
  checkMake: ["Make questions from the documents", "文書から質問を作る"],
  checkMade: ["{0|question was|questions were} made.", "質問を {0} 件作りました。"],
  checkAccept: ["Accept as it is", "現状を基準にする"],
  checkNone: ["No questions yet", "質問はまだありません"],
  checkNoneText: [
    "Make some from your documents, or pin a search result: open a search and press “Check this”.",
    "文書から作るか、検索結果の「確認に追加」ボタンで追加してください。",
  ],
  checkFound: ["Found", "見つかった質問"],
  checkScore: ["Score", "スコア"],
  checkBefore: ["{0} (before: {1})", "{0}(前回: {1})"],
  checkOf: ["{0} of {1}", "{1} 件中 {0} 件"],
  checkLast: ["Last run", "前回の実行"],
  checkLost: ["Lost", "見つからなくなったもの"],
  checkNothingLost: ["Nothing was lost.", "見つからなくなったものはありません。"],
  checkNever: ["Never found ({0})", "一度も見つかっていないもの({0})"],
  checkPinned: ["Pinned ({0})", "固定した質問({0})"],
  checkExpects: ["expects {0}", "期待する文書: {0}"],
  pinCheck: ["Check this", "確認に追加"],
  pinned: ["Pinned", "固定しました"],
  pinTitle: [
    "Check in future that this question finds this passage",
    "今後、この質問でこの箇所が見つかるかをチェックします",
  ],
} as const;
