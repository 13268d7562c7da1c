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
    return one === undefined ? shown : `${shown} ${String(value) === "1" ? one : many}`;
  });
}

/** The tables of a language take the runtime some milliseconds to load; small numbers need none. */
function formatNumber(value: number, language: string): string {
  const isSmall = Math.abs(value) < 1_000 && Number.isInteger(value);
  return isSmall ? String(value) : value.toLocaleString(language);
}
