// Named messages: the server writes the English text, and the console recognises it to show a translation.

interface NamedPhrase<Name extends string> {
  readonly name: Name;
  readonly values: readonly string[];
}

interface Phrases<Name extends string> {
  readonly describe: (name: Name, ...values: readonly (string | number)[]) => string;
  /** Undefined for text that matches no phrase, such as another version's. */
  readonly read: (words: string) => NamedPhrase<Name> | undefined;
}

export function openPhrases<Name extends string>(
  texts: Readonly<Record<Name, string>>,
  /** Read, but no longer written. */
  former: readonly (readonly [Name, string])[] = [],
): Phrases<Name> {
  const names = Object.keys(texts) as Name[];
  const written = names.map((name) => [name, texts[name]] as const);
  const patterns = [...former, ...written].map(([name, text]) => ({
    name,
    pattern: toPattern(text),
  }));
  return {
    describe: (name, ...values) => fillIn(texts[name], values.map(String)),
    read(words) {
      for (const { name, pattern } of patterns) {
        const match = pattern.exec(words);
        if (match) return { name, values: match.slice(1) };
      }
      return undefined;
    },
  };
}

export function fillIn(text: string, values: readonly string[]): string {
  return text.replace(/\{(\d)\}/g, (_, index) => values[Number(index)] ?? "");
}

function toPattern(text: string): RegExp {
  const parts = text.split(/\{\d\}/).map((part) => part.replace(/[.()%?*]/g, "\\$&"));
  return new RegExp(`^${parts.join("(.*)")}$`, "s");
}
