// All texts of the console, each in English and Japanese, one file per area in words/. The server's messages are in
// domain/phrases/.
import { DOCUMENTS } from "./words/documents.ts";
import { SCOPES } from "./words/scopes.ts";
import { SEARCH } from "./words/search.ts";
import { SHELL } from "./words/shell.ts";

type InBoth = readonly [en: string, ja: string];

export const AREAS = [DOCUMENTS, SCOPES, SEARCH, SHELL] as const;
const TEXTS = { ...DOCUMENTS, ...SCOPES, ...SEARCH, ...SHELL } satisfies Record<string, InBoth>;
export type MessageKey = keyof typeof TEXTS;
export type Language = "en" | "ja";

export function textOf(key: MessageKey, language: Language): string {
  return TEXTS[key][language === "en" ? 0 : 1];
}
