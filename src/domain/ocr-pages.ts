import type { PageReport } from "./document.ts";

/** True if one of these pages was read by OCR. Without page numbers, as in a picture, any report counts. */
export function isReadByOcr(reports: readonly PageReport[], first?: number, last = first): boolean {
  return reports.some(({ method, place: { page } }) => {
    if (method !== "ocr") return false;
    if (page === undefined || first === undefined || last === undefined) return true;
    return page >= first && page <= last;
  });
}
