// Words of a page whose lines run from top to bottom → its text, the line at the right first.
import { isPlausible, type OcrWord } from "./lines.ts";

interface Column {
  readonly centre: number;
  readonly words: OcrWord[];
}

/** One paragraph: where one ends is not to be seen from the lines' ends alone. */
export function toVerticalParagraphs(words: readonly OcrWord[]): readonly string[] {
  const kept = words.filter(isPlausible);
  const text = toColumns(kept)
    .map((column) => column.words.toSorted((a, b) => a.y - b.y))
    .map((column) => column.map((word) => word.text).join(""))
    .join("");
  return text === "" ? [] : [text];
}

function toColumns(words: readonly OcrWord[]): readonly Column[] {
  const pitch = usualWidth(words) * 0.75;
  const columns: Column[] = [];
  for (const word of words.toSorted((a, b) => centreOf(b) - centreOf(a))) {
    const open = columns.at(-1);
    if (open !== undefined && open.centre - centreOf(word) <= pitch) open.words.push(word);
    else columns.push({ centre: centreOf(word), words: [word] });
  }
  return columns;
}

function usualWidth(words: readonly OcrWord[]): number {
  const widths = words.map((word) => word.width).sort((a, b) => a - b);
  return widths[Math.floor(widths.length / 2)] ?? 0;
}

function centreOf({ x, width }: OcrWord): number {
  return x + width / 2;
}
