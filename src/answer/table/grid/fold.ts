const ASCII = /^[\0-\x7f]*$/;

/** Lower case and half width, character by character. */
export function foldInPlace(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return [...text]
    .map((char) => {
      const folded = char.normalize("NFKC").toLowerCase();
      return folded.length === char.length ? folded : char;
    })
    .join("");
}
