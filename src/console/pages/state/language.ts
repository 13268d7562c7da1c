import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { type Language, WORDS, type Word } from "./translations.ts";

export type Say = (word: Word, ...values: readonly (string | number)[]) => string;

export interface Speech {
  readonly language: Language;
  readonly say: Say;
}

export function speech(language: Language): Speech {
  return {
    language,
    say: (word, ...values) =>
      WORDS[language][word].replace(/\{(\d)\}/g, (_, index) => String(values[Number(index)] ?? "")),
  };
}

export const SpeechContext = createContext<Speech>(speech("en"));

export function useSpeech(): Speech {
  return useContext(SpeechContext);
}

export function preferredLanguage(): Language {
  const kept = localStorage.getItem("knowledge-server.language");
  if (kept === "en" || kept === "ja") return kept;
  return navigator.language.startsWith("ja") ? "ja" : "en";
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
