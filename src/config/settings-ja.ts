// The settings in Japanese. A setting without its text fails to compile.
import type { SETTINGS } from "./settings.ts";

export const HELP_JA: Readonly<Record<keyof typeof SETTINGS, string>> = {
  configFile: "設定ファイル(JSON または YAML)。キーは、この表の名前をキャメルケースで書く",
  dataDir: "ナレッジベースを保存するフォルダー",
  kbFile: "`get_kb_info` と `get_kb_content` が返すテキストファイル",
  kbDescription: "上記ファイルの説明(1 行)",
  roots:
    "クライアントが文書を追加してよいフォルダー(複数指定可)。`knowledge-server add` は、秘密情報を除き、読めるファイルならどこからでも追加できる",
  sources:
    "同期するサイト、リポジトリなど。[同期元](../sources.md)を参照(設定ファイルでのみ指定可)",
  folders: "監視フォルダー。中の変更をナレッジベースに自動で反映する(設定ファイルでのみ指定可)",
  tools:
    "有効にするツールの種類。`scopes:read` のように書くと参照系のツールだけになる。`chatgpt` を加えると、ChatGPT が必要とする `search` と `fetch` も使える",
  topK: "`knowledge-search` の件数(呼び出し側で指定がない場合)",
  databaseUrl: "PostgreSQL の接続先。指定すると、内蔵ストアの代わりに使う",
  databaseReadUrls: "そのデータベースのストリーミングレプリカ。検索と一覧はここから読む",
  databaseBase: "データベース内のナレッジベース名",
  originalsBucket:
    "PostgreSQL と組み合わせて、元のファイルを保存するバケット(s3://BUCKET/FOLDER など)。指定しなければデータベースに保存する",
  allowUrls: "URL を指定した公開 Web ページの取得を許可する(`knowledge-add-url`)",
  maxFileMb: "文書の最大サイズ(MB)",
  refine:
    "追加した文書を埋め込みモデルで処理するタイミング。after: 検索できるようになったあと、before: タスクの完了前",
  ocrLanguages: "OCR の言語。よく使う順に指定する",
  ocrDataDir: "ほかの言語の OCR データ(LANGUAGE.traineddata)を置くフォルダー",
  modelDir: "別の埋め込みモデルのフォルダー(docs/models.md)",
  modelHub: "`models get` の取得元。このコマンドを使わないかぎり、何も取得しません",
  embedUrl: "同梱モデルの代わりに使う OpenAI 互換の埋め込みエンドポイント",
  embedModel: "そのエンドポイントでのモデル名",
  embedKey: "そのエンドポイントのキー",
  rerankUrl: "上位の結果を並べ替える `/rerank` エンドポイント(Cohere、Jina、TEI、vLLM、llama.cpp)",
  rerankModel: "そのエンドポイントでのモデル名",
  rerankKey: "そのエンドポイントのキー",
  rerankDir: "上位の結果を並べ替える ONNX 形式のクロスエンコーダーのフォルダー",
  rerankTimeoutMs: "並べ替えの制限時間(ミリ秒)。超えた場合は元の順序のまま返す",
  answer:
    "`kb_answer` の回答に使うもの。auto: Bedrock が設定されていれば Bedrock、なければ追加した文書",
  answerTimeoutSeconds: "回答の制限時間(秒)。多くのクライアントは 60 秒でタイムアウトする",
  llmUrl: "追加した文書をもとに回答文を書く、OpenAI 互換のエンドポイント",
  llmModel: "そのエンドポイントでのモデル名",
  llmKey: "そのエンドポイントのキー",
  awsRegion: "Bedrock ナレッジベースと S3 バケットのリージョン",
  s3Endpoint: "AWS の代わりに使う、S3 互換のサーバー",
  bedrockKbId: "Bedrock ナレッジベースの ID",
  bedrockModelArn: "回答を生成する Bedrock モデル",
  bedrockKbType: "Bedrock ナレッジベースの種類。auto: 最初の質問のときに自動で判別する",
  host: "`http` が待ち受けるアドレス",
  port: "`http` が待ち受けるポート。0 を指定すると空きポートを使う",
  token: "`http` のベアラートークン。ループバック以外で待ち受ける場合は必須",
  tokenFile:
    "トークンとその権限(`read`、`write`、`admin`、スコープを限る場合は `read:checkout-api`)を書いたファイル。変更すると自動で再読み込みする",
  oauthIssuer: "OAuth アクセストークンの発行者(issuer)",
  oauthResource: "このサーバーの公開 URL。トークンの audience と一致している必要がある",
  oauthJwksUrl: "発行者の公開鍵(JWKS)の URL",
  oauthGroupsClaim:
    "発行者のトークンの中で、利用者のグループを並べた項目の名前。各グループの権限はトークンファイルの `groups` に書く",
  auditFile: "監査ログのファイル。誰が、何を、いつ変更したかを 1 件 1 行で記録する",
  share:
    "同じユーザーが同じナレッジベースで `http` サーバーを動かしている場合、検索をそのサーバーに任せる",
  auditFailure:
    "監査ログに書き込めないときの動作。refuse: 変更を拒否する、degrade: 変更は行い、状態を「一部に問題あり」と報告する",
  hooks:
    "`knowledge-server hook` がコーディングエージェントに、プロンプトに関係する文書と、適用されるルールを知らせるかどうか",
  usage: "検索と回答の件数を日ごとに数え、コンソールの概要に表示する(件数のみをこのマシンに保存)",
  allowedHosts: "クライアントからの接続を許可するホスト名(追加分)",
  allowedOrigins: "呼び出しを許可する Web オリジン(追加分)",
  rateLimit: "クライアントごとの 1 分あたりのリクエスト数の上限",
  maxRequestMb: "HTTP 本文または WebSocket メッセージの最大サイズ(MB)",
  logLevel: "標準エラー出力に書き出すログの最低レベル",
  logFormat: "ログの形式。auto: ターミナルでは読みやすいテキスト、それ以外では JSON",
};
