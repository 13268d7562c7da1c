// Explains a failure to a person: the server's message in English, a text by its code in other languages.

import { isMessage } from "../../../../../domain/phrases/messages.ts";
import { type Language, textOf } from "../../translations.ts";
import { FAILURES_JA, SAME_AS } from "./failures.ts";
import { sayMessage } from "./phrases.ts";

/** What the server or the connection reported about a failure. */
export interface Failure {
  /** The server's code, or `network` if it was not reached. */
  readonly error?: unknown;
  readonly message?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

const TEXTS: ReadonlyMap<string, string> = new Map(Object.entries(FAILURES_JA));
/** The server's message contains an id, which means nothing to a person. */
const NOT_FOUND_EN = "This was not found. It may have been removed, or the link is old.";

export const NETWORK: Failure = { error: "network" };

export function explain({ error, message = "", details = {} }: Failure, language: Language) {
  if (error === "network") return textOf("unreachable", language);
  const code = codeOf(String(error), details);
  if (language === "en") return code === "resource_not_found" ? NOT_FOUND_EN : message;
  if (isMessage(details["reason"])) return sayMessage(details["reason"], language);
  const text = TEXTS.get(code);
  return text === undefined ? message : fill(text, details, language);
}

function codeOf(error: string, details: Readonly<Record<string, unknown>>): string {
  const known = SAME_AS.get(error);
  // A missing resource has no specific code, only its address.
  return known !== undefined && "uri" in details ? "resource_not_found" : (known ?? error);
}

/** A part in [ ] is left out if one of its details is missing. */
function fill(text: string, details: Readonly<Record<string, unknown>>, language: Language) {
  return text.replace(/\[([^\]]*)\]/g, (_, part: string) => {
    const names = [...part.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    if (names.some((name) => !isShown(details[name]))) return "";
    return part.replace(/\{(\w+)\}/g, (_place, name) => toText(details[name], language));
  });
}

function isShown(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== "";
}

function toText(value: unknown, language: Language): string {
  if (typeof value === "number") return value.toLocaleString(language);
  return Array.isArray(value) ? value.join("、") : String(value);
}
