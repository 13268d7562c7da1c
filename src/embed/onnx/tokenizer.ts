// A model's tokeniser: text → ids of word pieces.
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export interface TextTokenizer {
  /** At most `maxTokens` ids; longer text is cut before the end mark. */
  encode(text: string, maxTokens: number): readonly number[];
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
    encode(text, maxTokens) {
      const { ids } = tokenizer.encode(text);
      if (ids.length <= maxTokens) return ids;
      return [...ids.slice(0, maxTokens - 1), ids.at(-1) as number];
    },
  };
}
