// Inline Markdown as plain text.

const HTML =
  /<\/?(?:a|b|br|center|code|details|div|em|h[1-6]|hr|i|img|kbd|li|ol|p|pre|span|strong|sub|summary|sup|table|td|th|tr|ul)\b[^>]{0,500}>/gi;
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
    .replace(/\[([^\]]{1,500})\]\[[^\]]{0,200}\]/g, "$1")
    // Guides cite pull requests and commits by number.
    .replace(/\s\[(?:#\d+|[0-9a-f]{7,12})\](?!\()/g, "")
    .replace(/\[([^\]]{1,500})\](?!\()/g, "$1")
    .replace(HTML, "")
    .replace(/(?<![\w*])(\*\*|__|\*|_)(?=\S)(.{1,500}?)(?<=\S)\1(?![\w*])/g, "$2")
    .replace(/\\([\\`*_{}[\]()#+.!|-])/g, "$1")
    .replace(/\p{Extended_Pictographic}\uFE0F?/gu, (sign) => (/[©®™]/.test(sign) ? sign : ""))
    .replace(/\s+/g, " ")
    .trim();
  return text.replaceAll(CODE_SPAN_PLACEHOLDER, () => code.shift() ?? "");
}
