// One or two sentences by which an agent can tell whether a category is worth opening.
import { toPlain } from "./slug.ts";

const MOST = 240;
/** Below it, a sentence rarely says enough to choose by. */
const ENOUGH = 80;

export interface Hints {
  /** What the author said; taken as it is. */
  readonly stated?: string;
  readonly text: string;
  readonly headings: readonly string[];
  /** Files that the rules are for. */
  readonly appliesTo?: string;
}

export function describe({ stated = "", text, headings, appliesTo = "" }: Hints): string {
  const said = stated === "" ? firstParagraph(text) : toPlain(stated);
  const parts = [cut(said, MOST)];
  if (stated === "" && said.length < ENOUGH && headings.length > 0) {
    parts.push(`Covers: ${list(headings.map(toPlain), MOST - said.length)}.`);
  }
  if (appliesTo !== "" && appliesTo !== "**/*" && appliesTo !== "**") {
    parts.push(`Applies to ${cut(appliesTo, 160)}.`);
  }
  return parts.filter((part) => part !== "").join(" ");
}

/** The first paragraph of prose; where there is none, the first words of the first list. */
function firstParagraph(text: string): string {
  const paragraphs = text
    .replace(/^\s*(`{3,}|~{3,})[\s\S]*?^\s*\1\s*$/gm, "")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "");
  const prose = paragraphs.find((paragraph) =>
    /^(?![-*+|>#<]\s?[^*]|\d+[.)]\s|<|\||>)/.test(paragraph),
  );
  if (prose !== undefined && toPlain(prose) !== "") return toPlain(prose);
  const bullets = paragraphs.filter((paragraph) => /^(?:[-*+]|\d+[.)])\s/.test(paragraph));
  return toPlain((bullets[0] ?? "").replace(/^(?:[-*+]|\d+[.)])\s+/gm, " "));
}

/** Whole sentences while they fit, else whole words. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most);
  const sentence = /^[\s\S]*(?:[.!?](?=\s|$)|[。！？])/.exec(head)?.[0] ?? "";
  if (sentence.length >= most / 3) return sentence;
  const word = head.slice(0, most - 1).replace(/\s+\S*$/, "");
  return `${word}…`;
}

function list(names: readonly string[], room: number): string {
  let made = "";
  for (const name of names) {
    if (name === "") continue;
    if (made !== "" && made.length + name.length + 2 > room) return `${made}, …`;
    made = made === "" ? name : `${made}, ${name}`;
  }
  return made;
}
