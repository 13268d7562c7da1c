// Short names from headings: "3. Ownership & `Borrowing`" becomes "ownership-borrowing".

const MOST_CHARACTERS = 48;

/** Words of the text without Markdown, numbering and pictures; any script's letters are kept. */
export function words(text: string): readonly string[] {
  return (
    toPlain(text)
      .normalize("NFC")
      .toLowerCase()
      .replace(/['’]/g, "")
      .replace(/c\+\+/g, "cpp")
      .replace(/([a-z])#/g, "$1sharp")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

export function slug(text: string, most = MOST_CHARACTERS): string {
  let made = "";
  for (const word of words(text.replace(/^\s*(?:\d+[.)]|§)\s+/, ""))) {
    if (made !== "" && made.length + 1 + word.length > most) break;
    made = made === "" ? word.slice(0, most) : `${made}-${word}`;
  }
  return made;
}

/** Did the slug lose words? Then an entry repeats its heading. */
export function slugIsWhole(text: string, made: string): boolean {
  return slug(text, Number.POSITIVE_INFINITY) === made;
}

/** Inline Markdown as plain text. */
export function toPlain(markdown: string): string {
  return markdown
    .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replace(/\[([^\]]*)\]\((?:[^()]|\([^)]*\))*\)/g, "$1")
    .replace(/\[([^\]]+)\]\[[^\]]*\]/g, "$1")
    .replace(/\s\[(?:#\d+|[0-9a-f]{7,12})\](?!\()/g, "")
    .replace(/\[([^\]]+)\](?!\()/g, "$1")
    .replace(/<\/?[a-z][^>]*>/gi, "")
    .replace(/(?<![\w*])(\*\*|__|\*|_)(?=\S)(.+?)(?<=\S)\1(?![\w*])/g, "$2")
    .replace(/`+([^`]*)`+/g, "$1")
    .replace(/\\([\\`*_{}[\]()#+.!|-])/g, "$1")
    .replace(/\p{Extended_Pictographic}\uFE0F?/gu, (sign) => (/[\d#*©®™]/.test(sign) ? sign : ""))
    .replace(/\s+/g, " ")
    .trim();
}
