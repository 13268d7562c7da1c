// Why something failed, for a person: by its code where the language is not the server's own.
import { type Language, WORDS } from "../../translations.ts";
import { FAILURES_JA, SAME_AS } from "./failures.ts";

/** What the server, or the way to it, said of a failure. */
export interface Failure {
  /** The server's code, or `network` where it was not reached. */
  readonly error?: unknown;
  readonly message?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

const TEXTS: ReadonlyMap<string, string> = new Map(Object.entries(FAILURES_JA));

export const NETWORK: Failure = { error: "network" };

export function explain({ error, message = "", details = {} }: Failure, language: Language) {
  if (error === "network") return WORDS[language].unreachable;
  const text = language === "ja" ? textOf(error, details) : undefined;
  return text === undefined ? message : fill(text, details, language);
}

function textOf(error: unknown, details: Readonly<Record<string, unknown>>): string | undefined {
  const code = String(error);
  // A resource that is gone has no code of its own, only its address.
  if (SAME_AS.has(code) && "uri" in details) return FAILURES_JA.resource_not_found;
  return TEXTS.get(SAME_AS.get(code) ?? code);
}

/** [ ] is left out where one of its details is missing. */
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
