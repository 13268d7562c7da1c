// The connect page.
export const CONNECT = {
  connectIntro: [
    "Connect your AI client to this knowledge base: choose the client, copy the settings, restart the client.",
    "AI クライアントからこのナレッジベースを使うには、クライアントを選び、設定をコピーしてから、クライアントを再起動してください。",
  ],
  addTo: ["Add to {0}", "{0} に追加"],
  connectedClients: ["Connected clients", "接続したクライアント"],
  noClients: [
    "No client has connected to this server yet. Clients appear here within seconds after they connect, except those that start their own process.",
    "このサーバーに接続したクライアントはまだありません。接続すると数秒で表示されます(自分でプロセスを起動するクライアントは表示されません)。",
  ],
  viaHttp: ["Over HTTP, to this running server", "起動中のこのサーバーに HTTP で接続"],
  viaStdio: ["As a local process", "ローカルプロセスとして起動"],
  putInto: ["Put this into {0}", "{0} に記述"],
  runThis: ["Run this in a terminal", "ターミナルで実行"],
  tryIt: ["Try a call", "実際に呼び出してみる"],
  tool: ["Tool", "ツール"],
  arguments: ["Arguments (JSON)", "引数(JSON)"],
  callTool: ["Call", "呼び出す"],
  result: ["Result", "結果"],
  badJson: ["That is not valid JSON.", "正しい JSON ではありません。"],
} as const;
