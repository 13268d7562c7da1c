// Formats sizes and times for people.
import type { SearchResult } from "../../tools/documents/contract.ts";
import type { Speech } from "../texts.ts";

const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

export function describeSize(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 1000 && unit < UNITS.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  const shown = unit === 0 || amount >= 100 ? Math.round(amount) : Math.round(amount * 10) / 10;
  return `${shown} ${UNITS[unit]}`;
}

/** Converts the contract's units of 1024² to the unit of all other sizes. */
export function describeMebibytes(amount: number): string {
  return `${Math.round(amount * 1.048576 * 10) / 10} MB`;
}

export function describeSeconds(seconds: number, { t }: Pick<Speech, "t">): string {
  if (seconds < 60) return t("{0} s", String(Math.round(seconds * 10) / 10));
  return t("{0} min {1} s", Math.floor(seconds / 60), Math.round(seconds % 60));
}

/** Local time of day, to the second. */
export function describeClock(iso: string): string {
  const date = new Date(iso);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join(":");
}

/** Local time, to the minute. */
export function describeTime(iso: string): string {
  const date = new Date(iso);
  const day = [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join("-");
  return `${day} ${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

function pad(part: number): string {
  return String(part).padStart(2, "0");
}

type PlacedIn = Pick<SearchResult["metadata"], "page_num" | "slide_num" | "sheet">;

/** Says where in its document a passage is. */
export function describePlace(
  { page_num, slide_num, sheet }: PlacedIn,
  { t }: Pick<Speech, "t">,
): string {
  if (slide_num !== undefined) return t("slide {0}", slide_num);
  if (page_num !== undefined) return t("page {0}", page_num);
  // "Sheet1" says itself that it is one.
  return sheet === undefined || /^(?:sheet|シート)/i.test(sheet)
    ? (sheet ?? "")
    : t("sheet {0}", sheet);
}
