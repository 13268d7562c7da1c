const SPOKEN = ["en", "ja"] as const;
export type SpokenLanguage = (typeof SPOKEN)[number];

/** Picks the first of the browser's languages that the console supports, or English. */
export function languageFor(accepted: string | undefined): SpokenLanguage {
  const wishes = (accepted ?? "")
    .slice(0, 500)
    .split(",")
    .map((part) => {
      const [tag = "", quality = "q=1"] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      return { language: tag.split("-")[0], weight: Number(quality.replace("q=", "")) || 0 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { language } of wishes) {
    const spoken = SPOKEN.find((each) => each === language);
    if (spoken) return spoken;
  }
  return "en";
}
