// Inline Markdown as plain text.

// Takes the place of a code span while markup is stripped: `<PROJECT>` is not a tag.
const CODE_SPAN_PLACEHOLDER = "\uE000";

// Headings and first paragraphs are short, and some of the patterns below are slow on a line of a megabyte.
const MAX_CHARACTERS = 4_000;

export function toPlain(markdown: string): string {
  const code: string[] = [];
  const text = markdown
    .slice(0, MAX_CHARACTERS)
    .replaceAll(CODE_SPAN_PLACEHOLDER, "")
    .replace(/(`{1,9})([^`]{1,500})\1/g, (_, __, inside: string) => {
      code.push(inside.trim());
      return CODE_SPAN_PLACEHOLDER;
    })
    .replace(/!\[[^\]]{0,500}\]\([^)]{0,500}\)/g, "")
    .replace(/\[([^\]]{0,500})\]\((?:[^()]|\([^()]{0,200}\)){0,500}\)/g, "$1")
    .replace(/\[([^\]]{1,500})\](?!\()/g, "$1")
    .replace(/(?<![\w*])(\*\*|__|\*|_)(?=\S)(.{1,500}?)(?<=\S)\1(?![\w*])/g, "$2")
    .replace(/\\([\\`*_{}[\]()#+.!|-])/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
  return text.replaceAll(CODE_SPAN_PLACEHOLDER, () => code.shift() ?? "");
}

// Short names from headings: "3. Ownership & `Borrowing`" becomes "ownership-borrowing".

const MAX_SLUG_LENGTH = 48;

/** Splits text into words without Markdown, numbering and pictures; letters of any script are kept. */
export function words(text: string): readonly string[] {
  return (
    withoutUrls(toPlain(text))
      .replace(/^(?:\d+(?:\.\d+)*[.)]|§)\s+/, "")
      .normalize("NFC")
      .toLowerCase()
      .replace(/['’]/g, "")
      .replace(/c\+\+/g, "cpp")
      .replace(/\b([cf])#/g, "$1sharp")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

export function slug(text: string, most = MAX_SLUG_LENGTH): string {
  let made = "";
  for (const word of words(text)) {
    if (made !== "" && made.length + 1 + word.length > most) break;
    made = made === "" ? word.slice(0, most) : `${made}-${word}`;
  }
  return made;
}

/** If the slug left words out, the entry repeats its heading. */
export function slugKeepsAllWords(text: string, made: string): boolean {
  return slug(text, Number.POSITIVE_INFINITY) === made;
}

/** A heading that is an address gets its name from the address's last part. */
function withoutUrls(text: string): string {
  const only = /^https?:\/\/\S+$/.exec(text)?.[0];
  if (only === undefined) return text.replace(/https?:\/\/\S+/g, "");
  return only.split(/[/#?]+/).findLast((part) => part !== "") ?? "";
}

/**
 * `counts` remembers the last number tried for a name, so that a thousand equal names are not all
 * tried again.
 */
export function freeName(
  name: string,
  isFree: (name: string) => boolean,
  counts: Map<string, number>,
): string {
  if (isFree(name)) return name;
  for (let count = (counts.get(name) ?? 1) + 1; ; count++) {
    counts.set(name, count);
    if (isFree(`${name}-${count}`)) return `${name}-${count}`;
  }
}
