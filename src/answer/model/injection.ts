// Detects prompt injection: document text that addresses the model instead of the reader.

const PATTERNS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instructions?|prompts?|rules|guidelines|directions|context)\b/iu,
  /\b(?:system|developer|hidden)\s+(?:prompt|message|instructions?)\b/iu,
  /\b(?:you are|act as|pretend to be|behave as)\s+(?:now\s+)?(?:an?\s+)?(?:\w+\s+){0,2}(?:ai|assistant|chatbot|language model|llm|dan)\b/iu,
  /\b(?:ai|assistant|chatbot|language model|llm|agent)s?\b.{0,30}\b(?:must|should|shall|has to|have to|reading this)\b.{0,40}\b(?:say|reply|respond|answer|output|print|tell|send|call|run|execute|reveal|include|recommend)\b/iu,
  /\b(?:reply|respond|answer|output|say|print)\b.{0,20}\b(?:only|exactly|solely|nothing but)\b/iu,
  /\b(?:only|always|instead)\s+(?:reply|respond|answer|output|say|print)\b/iu,
  /\bdo not (?:tell|inform|mention|reveal|warn)\b.{0,20}\b(?:the )?(?:user|human|reader|anyone)\b/iu,
  /<\/?(?:system|assistant|user|instructions?|im_start|im_end)\b|\[\/?INST\]|<\|/iu,
  /(?:これまで|以前|上記|前)の?.{0,6}(?:指示|命令|プロンプト|ルール).{0,6}(?:無視|忘れ|従わ)/u,
  /(?:システムプロンプト|AIアシスタント(?:は|へ)|必ず.{0,20}と(?:だけ)?(?:答え|回答し|出力し|返信し))/u,
];

/** Returns false when in doubt. A wrong `true` costs one sentence of an answer. */
export function addressesModel(text: string): boolean {
  return PATTERNS.some((pattern) => pattern.test(text));
}
