// The access page, and seeing the console as another caller.
export const ACCESS = {
  access: ["Access", "権限"],
  accessIntro: [
    "Who may read, write and administrate, and in which scopes. A right to read a scope includes what it inherits.",
    "誰がどのスコープで閲覧・編集・管理できるかを示します。スコープを閲覧できる人は、その継承元も閲覧できます。",
  ],
  noTokens: ["No tokens yet", "トークンがまだありません"],
  noTokensHint: [
    "Start the server with --token-file, then run: knowledge-server tokens create NAME --rights read",
    "--token-file を指定してサーバーを起動し、「knowledge-server tokens create 名前 --rights read」を実行してください。",
  ],
  tokens: ["Tokens", "トークン"],
  group: ["group", "グループ"],
  read: ["read", "閲覧"],
  write: ["write", "編集"],
  admin: ["admin", "管理"],
  validUntil: ["Valid until {0}", "有効期限: {0}"],
  viewAs: ["View as", "この権限で表示"],
  viewingAs: ["You see what {0} sees.", "{0} の権限で表示しています。"],
  stopViewing: ["Stop", "元に戻す"],
} as const;
