// A model's tokeniser: text, or a pair of texts → ids of word pieces.
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export interface TextTokenizer {
  /** At most `maxTokens` ids; longer text is cut before the end mark. */
  encode(text: string, maxTokens: number): readonly number[];
  /** Of both texts together, and for each id which of them it is from: 0 or 1. */
  encodePair(
    text: string,
    other: string,
    maxTokens: number,
  ): { readonly ids: readonly number[]; readonly types: readonly number[] };
}

interface AddedToken {
  readonly content: string;
  readonly special?: boolean;
}

export async function loadTokenizer(modelDir: string): Promise<TextTokenizer> {
  const { Tokenizer } = await import("@huggingface/tokenizers");
  const read = async (name: string) => JSON.parse(await readFile(join(modelDir, name), "utf8"));
  const [file, config] = [await read("tokenizer.json"), await read("tokenizer_config.json")];
  // A text may have the model's own marks in it, such as [SEP]: there they are plain text.
  const isMark = ({ content, special }: AddedToken) =>
    special === true && Object.hasOwn(file.model?.vocab ?? {}, content);
  const added = (file.added_tokens ?? []).filter((each: AddedToken) => !isMark(each));
  // These files often truncate and pad to the length of the batches that the model was trained with.
  const plain = { ...file, added_tokens: added, truncation: null, padding: null };
  const tokenizer = new Tokenizer(plain, config);
  return {
    encode: (text, maxTokens) => cut(tokenizer.encode(text).ids, maxTokens),
    encodePair(text, other, maxTokens) {
      const how = { text_pair: other, return_token_type_ids: true } as const;
      const { ids, token_type_ids: types } = tokenizer.encode(text, how);
      return { ids: cut(ids, maxTokens), types: cut(types, maxTokens) };
    },
  };
}

/** Keeps the end mark. */
function cut(ids: readonly number[], most: number): readonly number[] {
  return ids.length <= most ? ids : [...ids.slice(0, most - 1), ids.at(-1) as number];
}
