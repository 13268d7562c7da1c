// Trims runs from the ends of a text in one pass. A pattern that ends in `$` would try every run in the text.

export function trimEndOf(text: string, letters: string): string {
  let end = text.length;
  while (end > 0 && letters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

export function trimStartOf(text: string, letters: string): string {
  let start = 0;
  while (start < text.length && letters.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}
