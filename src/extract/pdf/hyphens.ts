// The layout joins words that were hyphenated at line ends, and wrongly joins words like "open-domain" too. If the
// document writes the compound with its hyphen elsewhere, and never without, the hyphen is restored.
import type { Piece } from "../writer.ts";

const COMPOUND = /(?<![\p{L}-])(\p{L}{2,})-(\p{L}{2,})(?![\p{L}-])/gu;
const WORD = /\p{L}{4,}/gu;

/** `drawn` is the pages' text as drawn, line by line. */
export function hyphenRestorer(drawn: readonly string[]): (piece: Piece) => Piece {
  const heads = new Map<string, string>();
  for (const page of drawn)
    for (const [, head = "", tail = ""] of page.matchAll(COMPOUND))
      heads.set((head + tail).toLowerCase(), head);
  if (heads.size > 0)
    for (const page of drawn)
      for (const [word] of page.matchAll(WORD)) heads.delete(word.toLowerCase());
  if (heads.size === 0) return (piece) => piece;

  const restore = (text: string) =>
    text.replace(WORD, (word) => {
      const at = heads.get(word.toLowerCase())?.length;
      return at === undefined ? word : `${word.slice(0, at)}-${word.slice(at)}`;
    });
  return (piece) => {
    if (piece.kind === "list")
      return {
        ...piece,
        items: piece.items.map((item) => ({ ...item, text: restore(item.text) })),
      };
    if (piece.kind === "table" || piece.kind === "code") return piece;
    return { ...piece, text: restore(piece.text) };
  };
}
