// Excel's format codes: the built-in ones that files refer to by number, and the tokens of a code.

const ISO = "yyyy-mm-dd";
const BUILT_IN: Readonly<Record<number, string>> = {
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  9: "0%",
  10: "0.00%",
  11: "0.00E+00",
  12: "# ?/?",
  13: "# ??/??",
  14: ISO,
  15: "d-mmm-yy",
  16: "d-mmm",
  17: "mmm-yy",
  18: "h:mm AM/PM",
  19: "h:mm:ss AM/PM",
  20: "h:mm",
  21: "h:mm:ss",
  22: `${ISO} h:mm`,
  32: "h:mm",
  33: "h:mm:ss",
  37: "#,##0",
  38: "#,##0",
  39: "#,##0.00",
  40: "#,##0.00",
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mm:ss.0",
  48: "##0.0E+0",
  49: "@",
};

/** The code of a number format id that the file does not define itself. */
export function builtInFormat(id: number): string {
  // Dates of East Asian languages.
  const isDate = (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58);
  return isDate ? ISO : (BUILT_IN[id] ?? "General");
}

export interface Token {
  readonly kind: "text" | "digits" | "date";
  readonly text: string;
}

export function splitSections(code: string): readonly string[] {
  return code.match(/(?:"[^"]*"|\\.|\[[^\]]*\]|[^;"\\])+/g) ?? [code];
}

const TOKEN =
  /"([^"]*)"|\\(.)|_.|\*.|\[\$([^\]-]*)(?:-[^\]]*)?\]|\[(h+|m+|s+)\]|\[[^\]]*\]|(AM\/PM|A\/P|午前\/午後)|(e+(?![+-])|g+|y+|m+|d+|h+|s+(?:\.0+)?|a{3,4})|([#0?](?:[#0?.,/]| (?=[#0?]))*(?:E[+-]0+)?|\.0+|%)|([\s\S])/gi;

export function tokenize(code: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const found of code.matchAll(TOKEN)) {
    const [, quoted, escaped, currency, elapsed, half, date, digits, other] = found;
    const text = quoted ?? escaped ?? currency ?? other;
    if (text !== undefined) tokens.push({ kind: "text", text });
    else if (elapsed !== undefined)
      tokens.push({ kind: "date", text: `[${elapsed.toLowerCase()}]` });
    else if (half !== undefined) tokens.push({ kind: "date", text: "am/pm" });
    else if (date !== undefined) tokens.push({ kind: "date", text: date.toLowerCase() });
    else if (digits !== undefined) tokens.push({ kind: "digits", text: digits });
  }
  return tokens;
}
