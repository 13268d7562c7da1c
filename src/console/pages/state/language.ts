// The chosen language, and numbers, dates and times in it.
import type { WORDS } from "../../../domain/phrases/english.ts";
import { fillIn } from "../../../domain/phrases/phrases.ts";
import { keep, useKept } from "./kept.ts";
import { failureOf } from "./mcp.ts";
import {
  explain as explainIn,
  type Language,
  type SentMessage,
  sayMessage as sayIn,
  type Text,
  textOf,
} from "./texts.ts";

export type Translate = (text: Text, ...values: readonly (string | number)[]) => string;

export function i18n(language: Language) {
  const t: Translate = (text, ...values) => fillIn(textOf(text, language), values, language);
  return {
    language,
    t,
    /** Explains why something failed. */
    explain: (thrown: unknown) => explainIn(failureOf(thrown), language),
    /** Names the current step of an add. */
    sayStep: (step: readonly SentMessage[]) =>
      step.map((each) => sayIn(each, language)).join(" · "),
    /** Names a value of the contract. */
    sayWord: (code: keyof typeof WORDS) => sayIn({ code, values: [] }, language),
    sayMessage: (message: SentMessage) => sayIn(message, language),
  };
}

/** The page is in one language, which the document's root element says. */
export function languageNow(): Language {
  return document.documentElement.lang === "ja" ? "ja" : "en";
}

export const t: Translate = (...said) => i18n(languageNow()).t(...said);
export const explain = (thrown: unknown) => i18n(languageNow()).explain(thrown);
export const sayStep = (step: readonly SentMessage[]) => i18n(languageNow()).sayStep(step);
export const sayWord = (code: keyof typeof WORDS) => i18n(languageNow()).sayWord(code);
export const sayMessage = (message: SentMessage) => i18n(languageNow()).sayMessage(message);

/** Of the whole page: whoever calls it renders everything that is shown. Returns how to switch to the other language. */
export function useLanguage(): () => void {
  const language = firstOf([useKept("language"), ...navigator.languages]);
  document.documentElement.lang = language;
  return () => keep("language", language === "en" ? "ja" : "en");
}

/** The language chosen in this browser, or the first of the browser's own that there is. */
function firstOf(wanted: readonly string[]): Language {
  const found = wanted.map((tag) => tag.slice(0, 2)).find((tag) => tag === "en" || tag === "ja");
  return found === "ja" ? "ja" : "en";
}

export function formatDate(iso: string | undefined, language = languageNow()): string {
  if (!iso) return "";
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(iso),
  );
}

export function formatDay(
  at: number,
  more: Intl.DateTimeFormatOptions = {},
  language = languageNow(),
): string {
  const day = { month: "short", day: "numeric", ...more } as const;
  return new Intl.DateTimeFormat(language, day).format(at);
}

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

const STEPS = [
  ["minute", MINUTE_MS, 60 * MINUTE_MS],
  ["hour", 60 * MINUTE_MS, DAY_MS],
  ["day", DAY_MS, 7 * DAY_MS],
] as const;

/**
 * "2 min ago" rather than a date that has to be compared with the clock. Clocks of two machines differ, so a time in the future means just now.
 */
export function ago(at: number, now: number, language = languageNow()): string {
  const passed = Math.max(0, now - at);
  if (passed < MINUTE_MS) return textOf("just now", language);
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
  const step = STEPS.find(([, , below]) => passed < below);
  if (step) {
    const [unit, length] = step;
    return format.format(-Math.floor(passed / length), unit).replace(/\./g, "");
  }
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return formatDay(at, isThisYear ? {} : { year: "numeric" }, language);
}

export function formatBytes(bytes: number, language = languageNow()): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
  const step = bytes > 0 ? Math.min(3, Math.floor(Math.log10(bytes) / 3)) : 0;
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit: units[step] ?? "byte",
    unitDisplay: step === 0 ? "long" : "short",
    maximumFractionDigits: step === 0 ? 0 : 1,
  }).format(bytes / 1000 ** step);
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** Formats a duration in its largest unit, rounded up, because nobody minds if it takes less. */
export function formatDuration(ms: number, language = languageNow()): string {
  const [unit, length] = UNITS.find(([, each]) => ms >= each) ?? UNITS[2];
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: unit === "hour" || unit === "day" ? "long" : "short",
  }).format(Math.ceil(ms / length));
}
