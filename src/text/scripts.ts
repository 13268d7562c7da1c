/** Kana, ideographs, Hangul and full-width forms: written without spaces between words. */
export function isWide(code: number): boolean {
  return (
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xff00 && code <= 0xffef)
  );
}
