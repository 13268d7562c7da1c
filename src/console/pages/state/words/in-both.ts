/** English and Japanese side by side: a text that is missing in one fails to compile. */
export function inBoth<const Texts extends Record<string, string>>(
  en: Texts,
  ja: { readonly [Key in keyof Texts]: string },
): {
  readonly en: { readonly [Key in keyof Texts]: string };
  readonly ja: { readonly [Key in keyof Texts]: string };
} {
  return { en, ja };
}
