import type { Format, PageReport } from "./document.ts";

const PLAIN: ReadonlySet<Format> = new Set([
  ...(["md", "txt", "csv", "json", "html", "ipynb", "xml"] as const),
  ...(["yaml", "toml", "log", "code"] as const),
]);

/** Others have pictures, or parts of any format. */
export function hasTextOnly(format: Format): boolean {
  return PLAIN.has(format);
}

/** True if one of these pages was read by OCR. Without page numbers, as in a picture, any report counts. */
export function isReadByOcr(reports: readonly PageReport[], first?: number, last = first): boolean {
  return reports.some(({ method, place: { page } }) => {
    if (method !== "ocr") return false;
    if (page === undefined || first === undefined || last === undefined) return true;
    return page >= first && page <= last;
  });
}

// More of them say no more than that the text is bad.
const MAX_WORDS = 5;

/** The first words of a part of a document's text that OCR may have misread; `shown` is what a caller sees of it. */
export function uncertainWords(
  reports: readonly PageReport[],
  { text, start }: { readonly text: string; readonly start: number },
  shown = text,
): readonly string[] {
  const words = reports
    .flatMap(({ uncertain = [] }) => uncertain)
    .map(([from, to]) => (from < start ? "" : text.slice(from - start, to - start)))
    .filter((word) => word !== "" && shown.includes(word));
  return [...new Set(words)].slice(0, MAX_WORDS);
}
