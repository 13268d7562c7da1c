// Bullets as rules: the items of a list, named by their bold label or their first words.
import { trimEndOf } from "../../../text/clean/trim.ts";
import { toPlain } from "../formats/plain.ts";
import { slug, words } from "./slug.ts";

export interface Item {
  readonly text: string;
  readonly label: string;
  /** The number of lines below the text's first line. */
  readonly offset: number;
}

export interface SplitList {
  /** The text before and after the list. */
  readonly around: string;
  readonly items: readonly Item[];
}

const MAX_WORDS = 6;
const MIN_CHARACTERS = 100;

/** Collects the top-level bullets of a text. Numbered lists are steps of one rule, not rules. */
export function splitList(text: string): SplitList {
  const around: string[] = [];
  const items: { lines: string[]; offset: number }[] = [];
  let open = false;
  let fenced = false;
  for (const [offset, line] of text.split("\n").entries()) {
    const item = items.at(-1);
    if (/^\s*(?:`{3,}|~{3,})/.test(line)) fenced = !fenced;
    if (!fenced && /^[-*+]\s+\S/.test(line)) {
      items.push({ lines: [line.replace(/^[-*+]\s+/, "")], offset });
      open = true;
    } else if (
      open &&
      item !== undefined &&
      (line.trim() === "" || /^\s/.test(line) || isLazyContinuation(item, line))
    ) {
      item.lines.push(line.replace(/^ {1,4}/, ""));
    } else {
      open = false;
      around.push(line);
    }
  }
  return {
    around: around.join("\n").trim(),
    items: items.map(({ lines, offset }) => {
      const whole = lines.join("\n").trim();
      return { text: whole, label: labelOf(whole), offset };
    }),
  };
}

/**
 * True if every bullet has a bold label, because then the author named the rules. One-liners and
 * commands belong together.
 */
export function isLabelled({ items }: SplitList): boolean {
  const prose = (text: string) => text.replace(/`[^`]*`/g, "").length;
  const characters = items.reduce((sum, item) => sum + prose(item.text), 0);
  return (
    items.length >= 3 &&
    items.every((item) => item.label !== "") &&
    characters >= items.length * MIN_CHARACTERS
  );
}

export function itemKeyword({ label, text }: Item): string {
  if (label !== "") return slug(label);
  const clause =
    toPlain(text.split("\n")[0] ?? "").split(/[.:;!?](?:\s|$)|\s[—–-]\s|\s\(/)[0] ?? "";
  return slug(words(clause).slice(0, MAX_WORDS).join(" "));
}

function labelOf(text: string): string {
  const label = /^(?:\*\*|__)(.+?)(?:\*\*|__)/.exec(text)?.[1] ?? "";
  return trimEndOf(toPlain(label), ":.");
}

// A paragraph's next line belongs to its item even without indentation.
function isLazyContinuation(item: { lines: readonly string[] }, line: string): boolean {
  return item.lines.at(-1)?.trim() !== "" && /^[^\s#>|`~]/.test(line);
}
