const ASCII = /^[\0-\x7f]*$/;

/** Converts to lower case and half width without changing any position. */
export function foldInPlace(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return [...text]
    .map((char) => {
      const folded = char.normalize("NFKC").toLowerCase();
      return folded.length === char.length ? folded : char;
    })
    .join("");
}
