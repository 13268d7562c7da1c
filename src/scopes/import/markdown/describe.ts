// One or two sentences that let an agent judge whether a category is worth opening.
import { trimEndOf } from "../../../text/clean/trim.ts";
import { toPlain } from "./plain.ts";

const MOST = 240;
/** Shorter sentences rarely say enough to choose by. */
const ENOUGH = 80;
/** A description is near the top, or there is no description. */
const LOOKED_AT = 4_000;

export interface Hints {
  /** Written by the author and used unchanged. */
  readonly stated?: string;
  /** The text that introduces the rules. A text that is itself a rule describes nothing. */
  readonly lead: string;
  /** The names of the rules. */
  readonly headings: readonly string[];
  /** Files that the rules apply to. */
  readonly appliesTo?: string;
}

/** Returns "" if only the rules themselves say what they are about: repeating them would not help an agent. */
export function describe({ stated = "", lead, headings, appliesTo = "" }: Hints): string {
  const said = stated === "" ? firstWords(lead) : toPlain(stated);
  const parts = [ended(cut(said, MOST))];
  const covered = list(headings.map(toHeading), MOST - said.length);
  if (stated === "" && said.length < ENOUGH && covered !== "") {
    parts.push(ended(`Covers: ${covered}`));
  }
  if (appliesTo !== "" && !/^\*\*(?:\/\*)?$/.test(appliesTo)) {
    parts.push(ended(`Applies to ${cut(appliesTo, 160)}`));
  }
  return parts.filter((part) => part !== "").join(" ");
}

/** Finds the first paragraph of prose. */
function firstWords(text: string): string {
  const paragraphs = text
    .slice(0, LOOKED_AT)
    .replace(/^[ \t]*(`{3,}|~{3,})[\s\S]*?^[ \t]*\1[ \t]*$/gm, "")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "" && !/^(?:[|>#<]|-{3,}|\*{3,})/.test(paragraph));
  return toPlain(paragraphs.find((paragraph) => !isList(paragraph)) ?? "").replace(/:$/, ".");
}

function isList(paragraph: string): boolean {
  return /^(?:[-*+]|\d+[.)])\s/.test(paragraph);
}

/** Keeps whole sentences while they fit, otherwise whole words. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most);
  const sentence = /^[\s\S]*(?:[.!?](?=\s|$)|[。！？])/.exec(head)?.[0] ?? "";
  if (sentence.length >= most / 3) return sentence;
  return `${head.slice(0, most - 1).replace(/\s+\S*$/, "")}…`;
}

function ended(text: string): string {
  return text === "" || /[.!?…。！？:]$/.test(text) ? text : `${text}.`;
}

function toHeading(text: string): string {
  return trimEndOf(toPlain(text).replace(/^\d+(?:\.\d+)*[.)]\s+/, ""), ":.");
}

function list(names: readonly string[], room: number): string {
  let made = "";
  for (const name of new Set(names)) {
    if (name === "" || /^https?:/.test(name)) continue;
    if (made !== "" && made.length + name.length + 2 > room) return `${made}, …`;
    made = made === "" ? name : `${made}, ${name}`;
  }
  return made;
}
