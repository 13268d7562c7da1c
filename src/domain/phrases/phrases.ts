const PLACE = /\{(\d)(?:\|([^|}]*)\|([^}]*))?\}/g;

/** {0} is the first value; {0|file|files} is the first value, a number, followed by its noun. */
export function fillIn(
  text: string,
  values: readonly (string | number)[],
  language: "en" | "ja" = "en",
): string {
  return text.replace(PLACE, (_, index, one?: string, many?: string) => {
    const value = values[Number(index)] ?? "";
    const shown = typeof value === "number" ? formatNumber(value, language) : value;
    return one === undefined ? shown : `${shown} ${value === 1 ? one : many}`;
  });
}

/** The tables of a language take the runtime some milliseconds to load; small numbers need none. */
function formatNumber(value: number, language: string): string {
  const isSmall = Math.abs(value) < 1_000 && Number.isInteger(value);
  return isSmall ? String(value) : value.toLocaleString(language);
}

/** The name and values of the text that was filled in; undefined if it is none of these. */
export function recognise<Name extends string>(
  texts: Readonly<Record<Name, string>>,
  words: string,
): { readonly name: Name; readonly values: readonly string[] } | undefined {
  for (const name of Object.keys(texts) as Name[]) {
    const parts = texts[name].split(/\{\d\}/).map((part) => part.replace(/[.()%?*]/g, "\\$&"));
    const match = new RegExp(`^${parts.join("(.*)")}$`, "s").exec(words);
    if (match) return { name, values: match.slice(1) };
  }
  return undefined;
}
