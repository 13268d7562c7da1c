// BERT's uncased tokeniser: text → ids of word pieces, with [CLS] before and [SEP] behind.

export interface TextTokenizer {
  /** At most `maxTokens` ids; longer text is cut before the final [SEP]. */
  encode(text: string, maxTokens: number): readonly number[];
}

interface TokenizerFile {
  readonly model: { readonly vocab: Readonly<Record<string, number>> };
}

const MAX_WORD_CHARACTERS = 100; // longer ones are [UNK], as the model was trained
const REMOVED = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]/gu;
const WORD =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]|[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]+/gu;
const ASCII = /^[\x20-\x7e\s]*$/;

export function toWordPiece(tokenizerJson: string): TextTokenizer {
  const { vocab } = (JSON.parse(tokenizerJson) as TokenizerFile).model;
  const ids = new Map(Object.entries(vocab));
  const special = (token: string) => {
    const id = ids.get(token);
    if (id === undefined) throw new Error(`The tokeniser's vocabulary lacks ${token}`);
    return id;
  };
  const [start, end, unknown] = [special("[CLS]"), special("[SEP]"), special("[UNK]")];

  const split = (word: string): readonly number[] => {
    const whole = ids.get(word);
    if (whole !== undefined) return [whole];
    const isLong = word.length > MAX_WORD_CHARACTERS && [...word].length > MAX_WORD_CHARACTERS;
    return (isLong ? undefined : piecesOf(word, ids)) ?? [unknown];
  };

  return {
    encode(text, maxTokens) {
      const encoded = [start];
      for (const [word] of normalise(text).matchAll(WORD)) {
        for (const id of split(word)) encoded.push(id);
        if (encoded.length >= maxTokens) break;
      }
      encoded.length = Math.min(encoded.length, maxTokens - 1);
      encoded.push(end);
      return encoded;
    },
  };
}

function normalise(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .replace(REMOVED, "")
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
}

/** Takes the longest matching piece each time; undefined if a part is not a known piece. */
function piecesOf(word: string, ids: ReadonlyMap<string, number>): readonly number[] | undefined {
  const pieces: number[] = [];
  for (let from = 0; from < word.length; ) {
    let to = word.length;
    let id: number | undefined;
    for (; to > from && id === undefined; to--) {
      const piece = word.slice(from, to);
      id = ids.get(from === 0 ? piece : `##${piece}`);
    }
    if (id === undefined) return undefined;
    pieces.push(id);
    from = to + 1;
  }
  return pieces;
}
