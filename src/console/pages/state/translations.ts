// All texts of the console in English and Japanese, one file per area in words/. The server's texts are English;
// words/server/ has their Japanese.
import { CONNECT } from "./words/connect.ts";
import { DOCUMENT } from "./words/document.ts";
import { DOCUMENTS } from "./words/documents.ts";
import { OVERVIEW } from "./words/overview.ts";
import { SCOPES } from "./words/scopes.ts";
import { SEARCH } from "./words/search.ts";
import { SHELL } from "./words/shell.ts";
import { UPLOADS } from "./words/uploads.ts";

export const AREAS = [
  CONNECT,
  DOCUMENT,
  DOCUMENTS,
  OVERVIEW,
  SCOPES,
  SEARCH,
  SHELL,
  UPLOADS,
] as const;

type KeysOf<Area> = Area extends { readonly en: infer Texts } ? keyof Texts & string : never;
export type MessageKey = KeysOf<(typeof AREAS)[number]>;
export type Language = "en" | "ja";

const gather = (language: Language): Readonly<Record<MessageKey, string>> =>
  Object.assign({}, ...AREAS.map((area) => area[language]));

export const MESSAGES: Readonly<Record<Language, Readonly<Record<MessageKey, string>>>> = {
  en: gather("en"),
  ja: gather("ja"),
};
