// What people read, by code: one file per language in texts/. The locale decides which.
import { isJsonObject } from "../domain/call/json-object.ts";
import { type ErrorCode, KnowledgeError } from "../domain/errors.ts";
import { isMessage, type Message, toEnglish } from "../domain/phrases/messages.ts";
import { fillIn } from "../domain/phrases/phrases.ts";
import EN from "./texts/en.json" with { type: "json" };

export type TextKey = keyof typeof EN;
type Language = "en" | "ja";

/** A text that is made when its language is known. */
export interface Said {
  readonly key: TextKey;
  readonly values: readonly Value[];
}

type Value = string | number | Said;

export function said(key: TextKey, ...values: readonly Value[]): Said {
  return { key, values };
}

export function isTextKey(name: string): name is TextKey {
  return Object.hasOwn(EN, name);
}

/** Of an error's details. */
export function isSaid(detail: unknown): detail is Said {
  return isJsonObject(detail) && Array.isArray(detail["values"]) && "key" in detail;
}

interface Failed {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface Speech {
  readonly language: Language;
  readonly t: (key: TextKey, ...values: readonly Value[]) => string;
  /** The text of another room's message. */
  readonly say: (message: Message) => string;
  /** Why something failed. */
  readonly explain: (failure: Failed) => string;
}

/** As other programs choose it: the first variable that is set. */
export function languageOf(env: Readonly<Record<string, string | undefined>>): Language {
  const locale = env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
  return /^ja(?![a-z])/i.test(locale) ? "ja" : "en";
}

function translator(texts: Readonly<Record<TextKey, string>>, language: Language): Speech["t"] {
  const t: Speech["t"] = (key, ...values) => {
    const made = values.map((each) =>
      typeof each === "object" ? t(each.key, ...each.values) : each,
    );
    return fillIn(texts[key], made, language);
  };
  return t;
}

export const IN_ENGLISH: Speech = {
  language: "en",
  t: translator(EN, "en"),
  say: toEnglish,
  explain: ({ message }) => message,
};

export async function openSpeech(language: Language): Promise<Speech> {
  if (language === "en") return IN_ENGLISH;
  const [{ default: texts }, { JAPANESE }, { failureInJapanese }] = await Promise.all([
    import("./texts/ja.json", { with: { type: "json" } }),
    import("../domain/phrases/japanese.ts"),
    import("../domain/phrases/failures-ja.ts"),
  ]);
  const t = translator(texts, language);
  return {
    language,
    t,
    say: ({ code, values }) => fillIn(JAPANESE[code], values, language),
    explain({ code, message, details }) {
      const { said: own, reason } = details;
      if (isSaid(own)) return t(own.key, ...own.values);
      // Whoever runs a command is the one who can correct a setting.
      const isOwn = code === "CONFIG_INVALID" && !isMessage(reason);
      const general = isOwn ? t("configInvalid") : failureInJapanese(code.toLowerCase(), details);
      if (general === undefined || isMessage(reason)) return general ?? message;
      // The server's sentence knows more than the code.
      return `${general}\n(${message})`;
    },
  };
}

/** A failure of a command, explained in the person's language where it is printed. */
export function refusal(code: ErrorCode, key: TextKey, ...values: readonly Value[]) {
  const message = IN_ENGLISH.t(key, ...values);
  return new KnowledgeError(code, message, { details: { said: said(key, ...values) } });
}

/** The help of a command's option, which several commands may share. */
export function optionHelp(t: Speech["t"], command: string, option: string): string {
  const own = `${command}.${option}`;
  const shared = `.${option}`;
  const key = [own, shared].find(isTextKey);
  return key === undefined ? "" : t(key);
}
