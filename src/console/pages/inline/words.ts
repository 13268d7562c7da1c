// The few texts of the inline view, in the host's language.

const EN = {
  results: "Results",
  nothing: "Nothing was found.",
  unread: "The document could not be read.",
  waiting: "Waiting for the result …",
  page: "p. {0}",
};

export type Words = typeof EN;

const JA: Words = {
  results: "検索結果",
  nothing: "見つかりませんでした。",
  unread: "文書を読み込めませんでした。",
  waiting: "結果を待っています…",
  page: "{0} ページ",
};

/** `locale` is a BCP 47 tag. */
export function wordsOf(locale: string): Words {
  return /^ja\b/i.test(locale) ? JA : EN;
}
