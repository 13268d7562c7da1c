// The server's messages and failures in the language of the page.

import { ENGLISH } from "../../../../domain/phrases/english.ts";
import { failureInJapanese, SAME_AS } from "../../../../domain/phrases/failures-ja.ts";
import { JAPANESE } from "../../../../domain/phrases/japanese.ts";
import type { MessageCode } from "../../../../domain/phrases/messages.ts";
import { fillIn } from "../../../../domain/phrases/phrases.ts";
import { type Language, textOf } from "../translations.ts";

/** What the server or the connection reported about a failure. */
export interface Failure {
  /** The server's code, or `network` if it was not reached. */
  readonly error?: unknown;
  readonly message?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The server's message contains an id, which means nothing to a person. */
const NOT_FOUND_EN = "This was not found. It may have been removed, or the link is old.";

export const NETWORK: Failure = { error: "network" };

/** The server's message in English, a text by its code in Japanese. */
export function explain({ error, message = "", details = {} }: Failure, language: Language) {
  if (error === "network") return textOf("unreachable", language);
  const code = codeOf(String(error), details);
  if (language === "en") return code === "resource_not_found" ? NOT_FOUND_EN : message;
  return failureInJapanese(code, details) ?? message;
}

function codeOf(error: string, details: Readonly<Record<string, unknown>>): string {
  const known = SAME_AS.get(error);
  // A missing resource has no specific code, only its address.
  return known !== undefined && "uri" in details ? "resource_not_found" : (known ?? error);
}

/** The server's message names a flag, but the page has a field for it. */
const ON_THE_PAGE: Partial<Readonly<Record<MessageCode, string>>> = {
  scopesNamed: "Scope files name their own scopes, so the choice above does not apply to them.",
  oneLeftOut: "1 Markdown file of the project is left out; tick the box above to import it too.",
  leftOut: "{0} Markdown files of the project are left out; tick the box above to import them too.",
};

const TEXTS: Readonly<Record<Language, ReadonlyMap<string, string>>> = {
  en: new Map(Object.entries({ ...ENGLISH, ...ON_THE_PAGE })),
  ja: new Map(Object.entries(JAPANESE)),
};

/** As the server sent it, which may have a code that this page does not have. */
export interface SentMessage {
  readonly code: string;
  readonly values: readonly string[];
}

export function sayMessage({ code, values }: SentMessage, language: Language): string {
  return fillIn(TEXTS[language].get(code) ?? code, values);
}
