// Marks the query's words in a text. Matching is by word start, so that plurals and endings are marked too.

export function queryWords(query: string): readonly string[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
  const words = [...segmenter.segment(query.normalize("NFKC").toLowerCase())]
    .filter(
      (part) =>
        part.isWordLike &&
        (part.segment.length > 3 || /[\p{Script=Han}\p{Script=Katakana}]/u.test(part.segment)),
    )
    .map((part) =>
      part.segment.replace(/(?:ing|ed|es|s)$/, (ending) =>
        part.segment.length > ending.length + 3 ? "" : ending,
      ),
    );
  return [...new Set(words)];
}

export function Highlighted({ text, query }: { text: string; query: string }) {
  const words = queryWords(query);
  if (words.length === 0) return <>{text}</>;
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(
    `((?:^|(?<=[^\\p{L}\\p{N}])|(?=\\p{Script=Han}|\\p{Script=Katakana}))(?:${escaped.join("|")})[a-z]{0,4})`,
    "giu",
  );
  const pieces: { readonly at: number; readonly text: string; readonly hit: boolean }[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > at) pieces.push({ at, text: text.slice(at, match.index), hit: false });
    pieces.push({ at: match.index, text: match[0], hit: true });
    at = match.index + match[0].length;
  }
  pieces.push({ at, text: text.slice(at), hit: false });
  return (
    <>
      {pieces.map((piece) => (piece.hit ? <mark key={piece.at}>{piece.text}</mark> : piece.text))}
    </>
  );
}
