// Segmenters are made on first use: each loads tables of the runtime, which takes milliseconds. Kept for the whole
// process, because they are constants that depend on nothing: ARCHITECTURE.md names them as the exception to its rule.

type Granularity = "grapheme" | "word" | "sentence";

const made = new Map<Granularity, Intl.Segmenter>();

export function segmenter(granularity: Granularity): Intl.Segmenter {
  const known = made.get(granularity);
  if (known) return known;
  // Words are cut by dictionary where a script has no spaces; Japanese is the language with the best one.
  const fresh = new Intl.Segmenter(granularity === "word" ? "ja" : "en", { granularity });
  made.set(granularity, fresh);
  return fresh;
}
