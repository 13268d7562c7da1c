// The connect page.
import { inBoth } from "./in-both.ts";

export const CONNECT = inBoth(
  {
    connectIntro:
      "Connect your AI client to this knowledge base: choose the client, copy the settings, restart the client.",
    addTo: "Add to {0}",
    connectedClients: "Connected clients",
    noClients:
      "No client has connected to this server yet. Clients appear here within seconds after they connect, except those that start their own process.",
    viaHttp: "Over HTTP, to this running server",
    viaStdio: "As a local process",
    putInto: "Put this into {0}",
    runThis: "Run this in a terminal",
    tryIt: "Try a call",
    tool: "Tool",
    arguments: "Arguments (JSON)",
    callTool: "Call",
    result: "Result",
    badJson: "That is not valid JSON.",
  },
  {
    connectIntro:
      "AI クライアントからこのナレッジベースを使うには、クライアントを選び、設定をコピーしてから、クライアントを再起動してください。",
    addTo: "{0} に追加",
    connectedClients: "接続したクライアント",
    noClients:
      "このサーバーに接続したクライアントはまだありません。接続すると数秒で表示されます(自分でプロセスを起動するクライアントは表示されません)。",
    viaHttp: "起動中のこのサーバーに HTTP で接続",
    viaStdio: "ローカルプロセスとして起動",
    putInto: "{0} に記述",
    runThis: "ターミナルで実行",
    tryIt: "実際に呼び出してみる",
    tool: "ツール",
    arguments: "引数(JSON)",
    callTool: "呼び出す",
    result: "結果",
    badJson: "正しい JSON ではありません。",
  },
);
