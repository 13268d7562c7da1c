// The chosen language, and numbers and dates in it.
import { createContext } from "preact";
import { useContext, useEffect, useMemo, useState } from "preact/hooks";
import { failureOf } from "./mcp.ts";
import { type Language, WORDS, type Word } from "./translations.ts";
import { explain } from "./words/server/explain.ts";
import { sayNotice, sayStep, sayWarning } from "./words/server/phrases.ts";
import { TOOLS_JA } from "./words/server/tools.ts";

export type Say = (word: Word, ...values: readonly (string | number)[]) => string;

export interface Speech {
  readonly language: Language;
  readonly say: Say;
  /** Explains why something failed. */
  readonly explain: (thrown: unknown) => string;
  /** Names the current step of an add. */
  readonly sayStep: (step: string) => string;
  /** Translates a reader's warning. */
  readonly sayWarning: (warning: string) => string;
  /** Translates the server's notice about its health, an answer or an import. */
  readonly sayNotice: (notice: string) => string;
  /** Describes what a tool does. */
  readonly sayTool: (tool: { readonly name: string; readonly description?: string }) => string;
}

// {0} is the first value; {0|file|files} is the first value, a number, followed by its noun.
const PLACE = /\{(\d)(?:\|([^|}]*)\|([^}]*))?\}/g;

export function speech(language: Language): Speech {
  const numbers = new Intl.NumberFormat(language);
  return {
    language,
    say: (word, ...values) =>
      WORDS[language][word].replace(PLACE, (_, index, one, many) => {
        const value = values[Number(index)] ?? "";
        const text = typeof value === "number" ? numbers.format(value) : value;
        if (one === undefined) return text;
        return `${text} ${value === 1 ? one : many}`;
      }),
    explain: (thrown) => explain(failureOf(thrown), language),
    sayStep: (step) => sayStep(step, language),
    sayWarning: (warning) => sayWarning(warning, language),
    sayNotice: (notice) => sayNotice(notice, language),
    sayTool: ({ name, description = "" }) =>
      (language === "ja" && Object.hasOwn(TOOLS_JA, name) && TOOLS_JA[name]) || description,
  };
}

export const SpeechContext = createContext<Speech>(speech("en"));

export function useSpeech(): Speech {
  return useContext(SpeechContext);
}

const KEY = "knowledge-server.language";

interface Spoken {
  readonly words: Speech;
  /** Switches to the other language and remembers it for the next visit. */
  readonly other: () => void;
}

export function useLanguage(): Spoken {
  const [language, setLanguage] = useState(firstLanguage);
  const words = useMemo(() => speech(language), [language]);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const other = () => {
    const next = language === "en" ? "ja" : "en";
    localStorage.setItem(KEY, next);
    setLanguage(next);
  };
  return { words, other };
}

/** The language chosen earlier in this browser, or the one that the server read from Accept-Language. */
function firstLanguage(): Language {
  const kept = localStorage.getItem(KEY);
  if (kept === "en" || kept === "ja") return kept;
  return document.documentElement.lang === "ja" ? "ja" : "en";
}

export function formatDate(iso: string | undefined, language: Language): string {
  if (!iso) return "";
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(iso),
  );
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
    unitDisplay: unit === "hour" ? "long" : "short",
  }).format(Math.ceil(ms / length));
}
