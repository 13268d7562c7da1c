// What people read. English is written where it is said, and is the key of the Japanese text in ja.json. The locale
// decides.
import { isJsonObject } from "../domain/call/json-object.ts";
import { type ErrorCode, KnowledgeError } from "../domain/errors.ts";
import { isMessage, type Message, toEnglish } from "../domain/phrases/messages.ts";
import { fillIn } from "../domain/phrases/phrases.ts";
import type JA from "./ja.json";

/** An English text that has a Japanese one. */
export type Text = keyof typeof JA;
type Language = "en" | "ja";

/** A text that is made when its language is known. */
export interface Said {
  readonly text: Text;
  readonly values: readonly Value[];
}

type Value = string | number | Said;

export function said(text: Text, ...values: readonly Value[]): Said {
  return { text, values };
}

/** Of an error's details. */
export function isSaid(detail: unknown): detail is Said {
  return isJsonObject(detail) && Array.isArray(detail["values"]) && "text" in detail;
}

interface Failed {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface Speech {
  readonly language: Language;
  readonly t: (text: Text, ...values: readonly Value[]) => string;
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

function translator(translate: (text: Text) => string, language: Language): Speech["t"] {
  const t: Speech["t"] = (text, ...values) => {
    const made = values.map((each) =>
      typeof each === "object" ? t(each.text, ...each.values) : each,
    );
    return fillIn(translate(text), made, language);
  };
  return t;
}

export const IN_ENGLISH: Speech = {
  language: "en",
  t: translator((text) => text, "en"),
  say: toEnglish,
  explain: ({ message }) => message,
};

export async function openSpeech(language: Language): Promise<Speech> {
  if (language === "en") return IN_ENGLISH;
  const [{ default: texts }, { JAPANESE }, { failureInJapanese }] = await Promise.all([
    import("./ja.json", { with: { type: "json" } }),
    import("../domain/phrases/japanese.ts"),
    import("../domain/phrases/failures-ja.ts"),
  ]);
  const t = translator((text) => texts[text], language);
  const say: Speech["say"] = ({ code, values }) => fillIn(JAPANESE[code], values, language);
  return {
    language,
    t,
    say,
    explain({ code, message, details }) {
      const { said: own, reason, problems } = details;
      if (isSaid(own)) return t(own.text, ...own.values);
      if (Array.isArray(problems)) {
        const list = problems.map(
          ({ where, what }) => `\n  - ${where ? `${where}: ` : ""}${say(what)}`,
        );
        return t("A setting is wrong.") + list.join("");
      }
      // Whoever runs a command is the one who can correct a setting.
      const isOwn = code === "CONFIG_INVALID" && !isMessage(reason);
      const general = isOwn
        ? t("A setting is wrong.")
        : failureInJapanese(code.toLowerCase(), details);
      if (general === undefined || isMessage(reason)) return general ?? message;
      // The server's sentence knows more than the code.
      return `${general}\n(${message})`;
    },
  };
}

/** A failure of a command, explained in the person's language where it is printed. */
export function refusal(code: ErrorCode, text: Text, ...values: readonly Value[]) {
  const message = IN_ENGLISH.t(text, ...values);
  return new KnowledgeError(code, message, { details: { said: said(text, ...values) } });
}
