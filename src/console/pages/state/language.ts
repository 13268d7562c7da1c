// The chosen language, and numbers, dates and times in it.
import { createContext } from "preact";
import { useContext, useEffect, useMemo } from "preact/hooks";
import type { WORDS } from "../../../domain/phrases/english.ts";
import { fillIn } from "../../../domain/phrases/phrases.ts";
import { keep, useKept } from "./kept.ts";
import { failureOf } from "./mcp.ts";
import { type Language, type MessageKey, textOf } from "./translations.ts";
import { explain, type SentMessage, sayMessage } from "./words/server.ts";
import { TOOLS_JA } from "./words/tools.ts";

export type Translate = (word: MessageKey, ...values: readonly (string | number)[]) => string;

export type I18n = ReturnType<typeof i18n>;

export function i18n(language: Language) {
  const t: Translate = (word, ...values) => fillIn(textOf(word, language), values, language);
  return {
    language,
    t,
    /** Explains why something failed. */
    explain: (thrown: unknown) => explain(failureOf(thrown), language),
    /** Names the current step of an add. */
    sayStep: (step: readonly SentMessage[]) =>
      step.map((each) => sayMessage(each, language)).join(" · "),
    /** Names a value of the contract. */
    sayWord: (code: keyof typeof WORDS) => sayMessage({ code, values: [] }, language),
    sayMessage: (message: SentMessage) => sayMessage(message, language),
    /** Describes what a tool does. */
    sayTool: ({ name, description = "" }: { name: string; description?: string }) =>
      (language === "ja" && TOOLS_JA.get(name)) || description,
  };
}

export const I18nContext = createContext<I18n>(i18n("en"));

export function useI18n(): I18n {
  return useContext(I18nContext);
}

export function useLanguage() {
  const language = firstOf([useKept("language"), ...navigator.languages]);
  const words = useMemo(() => i18n(language), [language]);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return { words, other: () => keep("language", language === "en" ? "ja" : "en") };
}

/** The language chosen in this browser, or the first of the browser's own that there is. */
function firstOf(wanted: readonly string[]): Language {
  const found = wanted.map((tag) => tag.slice(0, 2)).find((tag) => tag === "en" || tag === "ja");
  return found === "ja" ? "ja" : "en";
}

export function formatDate(iso: string | undefined, language: Language): string {
  if (!iso) return "";
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(iso),
  );
}

export function formatDay(
  at: number,
  language: Language,
  more: Intl.DateTimeFormatOptions = {},
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
  return formatDay(at, language, isThisYear ? {} : { year: "numeric" });
}

export function formatBytes(bytes: number, language: Language): string {
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
export function formatDuration(ms: number, language: Language): string {
  const [unit, length] = UNITS.find(([, each]) => ms >= each) ?? UNITS[2];
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: unit === "hour" || unit === "day" ? "long" : "short",
  }).format(Math.ceil(ms / length));
}
