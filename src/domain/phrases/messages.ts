// What rooms tell each other is a code with values; a text is made of it where a person or a model reads it.
import { isJsonObject } from "../call/json-object.ts";
import { ENGLISH } from "./english.ts";
import { fillIn } from "./phrases.ts";

export type MessageCode = keyof typeof ENGLISH;

export interface Message {
  readonly code: MessageCode;
  readonly values: readonly string[];
}

export function toMessage(code: MessageCode, ...values: readonly (string | number)[]): Message {
  return { code, values: values.map(String) };
}

/** For what a file's reader sent or what was stored. */
export function isMessage(value: unknown): value is Message {
  if (!isJsonObject(value) || !Array.isArray(value["values"])) return false;
  const isText = value["values"].every((each) => typeof each === "string");
  return isText && Object.hasOwn(ENGLISH, String(value["code"]));
}

export function toEnglish({ code, values }: Message): string {
  return fillIn(ENGLISH[code], values);
}

/** As `current_step` shows them. */
export function stepsToEnglish(steps: readonly Message[]): string {
  return steps.map(toEnglish).join(" · ");
}

/** The given messages without those that are absent or repeat another. */
export function distinct(messages: readonly (Message | undefined)[]): readonly Message[] {
  const given = messages.filter((each) => each !== undefined);
  return [...new Map(given.map((each) => [toEnglish(each), each])).values()];
}
