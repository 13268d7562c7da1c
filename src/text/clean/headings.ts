/** The headings that a passage starts with, which are shown above it as its path. Later ones belong to its text. */
export function withoutLeadingHeadings(markdown: string): string {
  return markdown.replace(/^(?:#{1,6} .*\n+)+/, "");
}

const INNER = /^#{1,6} +(.*?)(?: +#+)?$/gm;

/** Replaces each heading inside a passage with `mark(heading)`. */
export function markHeadings(markdown: string, mark: (heading: string) => string): string {
  return markdown.replace(INNER, (_, heading: string) => mark(heading));
}
