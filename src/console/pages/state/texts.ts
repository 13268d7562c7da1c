// All texts of the console. English is written where it is shown, and is the key of the Japanese text in ja.json; the
// server's messages and failures have codes, whose texts are in domain/phrases/.
import { ENGLISH } from "../../../domain/phrases/english.ts";
import { failureInJapanese, SAME_AS } from "../../../domain/phrases/failures-ja.ts";
import { JAPANESE } from "../../../domain/phrases/japanese.ts";
import { isMessage, type MessageCode } from "../../../domain/phrases/messages.ts";
import { fillIn } from "../../../domain/phrases/phrases.ts";
import JA from "../ja.json" with { type: "json" };

/** An English text that has a Japanese one. */
export type Text = keyof typeof JA;
export type Language = "en" | "ja";

export function textOf(text: Text, language: Language): string {
  return language === "en" ? text : JA[text];
}

/** What the server or the connection reported about a failure. */
export interface Failure {
  /** The server's code, or `network` if it was not reached. */
  readonly error?: unknown;
  readonly message?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** By its reason or its code. The server's own sentence says more in English, but names ids and flags. */
export function explain(failure: Failure, language: Language): string {
  const { error, message = "", details = {} } = failure;
  const { reason } = details;
  if (error === "network")
    return textOf("The server could not be reached. Check that it is running.", language);
  if (isGone(failure) && language === "en")
    return "This was not found. It may have been removed, or the link is old.";
  const isOwn = isMessage(reason) && (language === "ja" || Object.hasOwn(ON_THE_PAGE, reason.code));
  if (isOwn) return sayMessage(reason, language);
  return (language === "ja" && failureInJapanese(codeOf(failure), details)) || message;
}

/** Trying again cannot help. */
export function isGone(failure: Failure): boolean {
  return codeOf(failure) === "resource_not_found";
}

function codeOf({ error, details = {} }: Failure): string {
  const known = SAME_AS.get(String(error));
  // A missing resource has no specific code, only its address.
  return known !== undefined && "uri" in details ? "resource_not_found" : (known ?? String(error));
}

type Said = Partial<Readonly<Record<MessageCode, Text>>>;

/** The server's message names a flag, but the page has a field for it, or the command line has. */
const ON_THE_PAGE: Said = {
  scopesNamed: "Scope files name their own scopes, so the choice above does not apply to them.",
  oneLeftOut: "1 Markdown file of the project is left out; tick the box above to import it too.",
  leftOut: "{0} Markdown files of the project are left out; tick the box above to import them too.",
  addressPortAllow:
    "The address's port is none of {0}. To allow it, add the source on the command line, with --allow-host {1}.",
};

/** As the server sent it, which may have a code that this page does not have. */
export interface SentMessage {
  readonly code: string;
  readonly values: readonly string[];
}

export function sayMessage({ code, values }: SentMessage, language: Language): string {
  const here: Readonly<Record<string, Text | undefined>> = ON_THE_PAGE;
  const own = Object.hasOwn(here, code) ? here[code] : undefined;
  const texts: Readonly<Record<string, string>> = language === "en" ? ENGLISH : JAPANESE;
  const known = Object.hasOwn(texts, code) ? texts[code] : undefined;
  return fillIn(own ? textOf(own, language) : (known ?? code), values);
}
