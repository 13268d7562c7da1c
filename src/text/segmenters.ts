// Making a segmenter loads the runtime's tables of that kind, some milliseconds each: at first need, not at every start.

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
