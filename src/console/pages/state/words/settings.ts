// The settings page.
export const SETTINGS = {
  settings: ["Settings", "設定"],
  languageModel: ["Language model", "言語モデル"],
  languageModelText: [
    "Without a model, answers quote your documents. A language model on this machine can put them into its own words; every statement is still checked against a quotation. Nothing leaves this machine.",
    "モデルがない場合、回答は文書からの引用です。このマシンの言語モデルを使うと、文章にまとめて答えます。どの文も引用と照合され、データがこのマシンの外に出ることはありません。",
  ],
  modelConfigured: [
    "A model is set by KNOWLEDGE_LLM_URL. Change it where the server is started.",
    "モデルは KNOWLEDGE_LLM_URL で設定されています。変更はサーバーの起動設定で行ってください。",
  ],
  modelInUse: ["In use: {0} ({1})", "使用中: {0}({1})"],
  modelOff: ["Stop using it", "使用をやめる"],
  modelFind: ["Look for a model on this machine", "このマシンのモデルを探す"],
  modelLooking: ["Looking…", "探しています…"],
  modelNone: [
    "No model was found. Start Ollama, LM Studio or llama.cpp's server on their usual ports, load a model, and look again.",
    "モデルが見つかりません。Ollama、LM Studio、llama.cpp のサーバーを標準のポートで起動し、モデルを読み込んでから、もう一度探してください。",
  ],
  modelFound: ["{0|model|models} found", "{0} 個のモデルが見つかりました"],
  modelTest: ["Compare on three questions", "3 つの質問で比べる"],
  modelTesting: ["Asking…", "質問しています…"],
  modelUse: ["Use this model", "このモデルを使う"],
  modelWithout: ["Without a model", "モデルなし"],
  modelWith: ["With this model", "このモデルを使用"],
} as const;
