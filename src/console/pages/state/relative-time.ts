// "2 min ago" rather than a date that has to be compared with the clock.
import { type Language, textOf } from "./translations.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

const STEPS = [
  ["minute", MINUTE_MS, 60 * MINUTE_MS],
  ["hour", 60 * MINUTE_MS, DAY_MS],
  ["day", DAY_MS, 7 * DAY_MS],
] as const;

/** Clocks of two machines differ, so a time in the future means just now. */
export function ago(at: number, now: number, language: Language): string {
  const passed = Math.max(0, now - at);
  if (passed < MINUTE_MS) return textOf("justNow", language);
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
  const step = STEPS.find(([, , below]) => passed < below);
  if (step) {
    const [unit, length] = step;
    return format.format(-Math.floor(passed / length), unit).replace(/\./g, "");
  }
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(language, {
    month: "short",
    day: "numeric",
    ...(isThisYear ? {} : { year: "numeric" }),
  }).format(at);
}
