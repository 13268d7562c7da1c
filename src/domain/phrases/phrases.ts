/** {0} is the first value. */
export function fillIn(text: string, values: readonly string[]): string {
  return text.replace(/\{(\d)\}/g, (_, index) => values[Number(index)] ?? "");
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
