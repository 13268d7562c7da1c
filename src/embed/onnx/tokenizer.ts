// A model's tokeniser. Ours reads BERT's uncased one, which most small models have, six times as fast.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type TextTokenizer, toWordPiece } from "./wordpiece.ts";

const TOKENIZER_FILE = "tokenizer.json";
const TOKENIZER_CONFIG_FILE = "tokenizer_config.json";

interface TokenizerFile {
  readonly model?: { readonly type?: string };
  readonly normalizer?: {
    readonly type?: string;
    readonly lowercase?: boolean;
    readonly strip_accents?: boolean | null;
  };
}

export async function loadTokenizer(modelDir: string): Promise<TextTokenizer> {
  const text = await readFile(join(modelDir, TOKENIZER_FILE), "utf8");
  const file = JSON.parse(text) as TokenizerFile;
  if (isUncasedBert(file)) return toWordPiece(text);
  const { Tokenizer } = await import("@huggingface/tokenizers");
  const config = JSON.parse(await readFile(join(modelDir, TOKENIZER_CONFIG_FILE), "utf8"));
  // These files often truncate and pad to the length of the batches that the model was trained with.
  const tokenizer = new Tokenizer({ ...file, truncation: null, padding: null }, config);
  return {
    encode(content, maxTokens) {
      const { ids } = tokenizer.encode(content);
      if (ids.length <= maxTokens) return ids;
      return [...ids.slice(0, maxTokens - 1), ids.at(-1) as number];
    },
  };
}

function isUncasedBert({ model, normalizer }: TokenizerFile): boolean {
  const { type, lowercase, strip_accents: strips } = normalizer ?? {};
  return (
    model?.type === "WordPiece" &&
    type === "BertNormalizer" &&
    lowercase === true &&
    strips !== false
  );
}
