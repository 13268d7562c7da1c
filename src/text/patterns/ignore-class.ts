// A class of characters in an ignore rule: `[a-z]`, `[!a]`, `[[:digit:]]`, `[]a]`, as git reads it.

type Range = readonly [from: string, to: string];

// By git's own table, which knows only ASCII.
const NAMED: ReadonlyMap<string, readonly Range[]> = new Map(
  Object.entries({
    alnum: ["09", "AZ", "az"],
    alpha: ["AZ", "az"],
    blank: ["  ", "\t\t"],
    cntrl: ["\x00\x1f", "\x7f\x7f"],
    digit: ["09"],
    graph: ["!~"],
    lower: ["az"],
    print: [" ~"],
    punct: ["!/", ":@", "[`", "{~"],
    space: ["  ", "\t\n", "\r\r"],
    upper: ["AZ"],
    xdigit: ["09", "AF", "af"],
  }).map(([name, ends]) => [name, ends.map(([from = "", to = ""]) => [from, to] as const)]),
);

interface Class {
  readonly members: RegExp;
  /** The place of its last bracket. */
  readonly end: number;
}

/** Undefined if the class does not end or contains the name of an unknown one. */
export function readClass(pattern: string, start: number): Class | undefined {
  const isNegated = /[!^]/.test(pattern[start + 1] ?? "");
  const ranges: Range[] = [];
  let at = start + (isNegated ? 2 : 1);
  // The first member is read in any case, so that a bracket there is not the end.
  do {
    const read = readMember(pattern, at);
    if (read === undefined) return undefined;
    ranges.push(...read.ranges);
    at = read.next;
  } while (at < pattern.length && pattern[at] !== "]");
  return at < pattern.length ? { members: toRegex(ranges, isNegated), end: at } : undefined;
}

interface Member {
  readonly ranges: readonly Range[];
  readonly next: number;
}

function readMember(pattern: string, at: number): Member | undefined {
  if (pattern.startsWith("[:", at)) {
    const end = pattern.indexOf("]", at + 2);
    if (end < 0) return undefined;
    if (end > at + 2 && pattern[end - 1] === ":") {
      const ranges = NAMED.get(pattern.slice(at + 2, end - 1));
      return ranges && { ranges, next: end + 1 };
    }
  }
  const from = readLetter(pattern, at);
  if (from === undefined) return undefined;
  const isRange = pattern[from.next] === "-" && pattern[from.next + 1] !== "]";
  const to = isRange ? readLetter(pattern, from.next + 1) : from;
  if (to === undefined) return undefined;
  // A range in the wrong order matches its first letter.
  const isOrdered = from.letter <= to.letter;
  return { ranges: [[from.letter, (isOrdered ? to : from).letter]], next: to.next };
}

function readLetter(pattern: string, at: number) {
  const place = pattern[at] === "\\" ? at + 1 : at;
  const letter = pattern[place];
  return letter === undefined ? undefined : { letter, next: place + 1 };
}

/** For one code unit, so that nothing can be tried twice. */
function toRegex(ranges: readonly Range[], isNegated: boolean): RegExp {
  const body = ranges.map((ends) => ends.map(toEscape).join("-")).join("");
  return new RegExp(`[${isNegated ? "^" : ""}${body}]`, "i");
}

function toEscape(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
