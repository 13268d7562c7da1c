// The rules of .gitignore and .knowledgeignore, by gitignore(5), in any case of letters. Untrusted: whoever writes a
// folder writes its rules, so how much of them is read is limited.
import { openMatcher, type Steps, type Token } from "./glob.ts";

/** A rule that ignores the path, one that keeps it (`!`), or none. */
export type Verdict = "ignored" | "kept" | undefined;

export interface IgnoreRules {
  /** The last rule that matches decides. Rules that match a folder above the path are the caller's to ask for. */
  match(path: string, isFolder: boolean, steps?: Steps): Verdict;
  /** How many characters all rules have: what matching costs. */
  readonly characters: number;
  /** How many rules were left out because of their length, or because there are too many. */
  readonly leftOut: number;
}

interface Rule {
  readonly verdict: Verdict;
  readonly onlyFolders: boolean;
  /** It has no slash, so that it matches a name in any folder. */
  readonly isName: boolean;
  readonly matches: (text: string, steps?: Steps) => boolean;
}

export function splitRules(text: string): readonly string[] {
  return text.split(/\r?\n/);
}

/** In characters: of one rule, and of all together. */
export interface RuleLimits {
  readonly maxLength: number;
  readonly maxCharacters: number;
}

/** Without limits, all rules are read. */
export function openIgnoreRules(lines: readonly string[], limits?: RuleLimits): IgnoreRules {
  const { maxLength = Infinity, maxCharacters = Infinity } = limits ?? {};
  const rules: Rule[] = [];
  let characters = 0;
  let leftOut = 0;
  for (const line of lines) {
    const body = toBody(line);
    if (body.length > maxLength || characters + body.length > maxCharacters) {
      leftOut += 1;
      continue;
    }
    const rule = toRule(body);
    if (rule === undefined) continue;
    characters += body.length;
    rules.push(rule);
  }
  rules.reverse();
  return {
    characters,
    leftOut,
    match(path, isFolder, steps) {
      const whole = foldCase(path);
      const name = whole.slice(whole.lastIndexOf("/") + 1);
      const decides = rules.find(
        ({ onlyFolders, isName, matches }) =>
          (isFolder || !onlyFolders) && matches(isName ? name : whole, steps),
      );
      return decides?.verdict;
    },
  };
}

/** A line without its comment and the spaces at its end; a backslash keeps one of them. */
function toBody(line: string): string {
  const text = line.startsWith("\uFEFF") ? line.slice(1) : line;
  if (text.startsWith("#")) return "";
  let end = text.length;
  while (end > 0 && /[\r\n]/.test(text[end - 1] ?? "")) end -= 1;
  const lineEnd = end;
  while (end > 0 && text[end - 1] === " ") end -= 1;
  let slashes = 0;
  while (slashes < end && text[end - slashes - 1] === "\\") slashes += 1;
  return end < lineEnd && slashes % 2 === 1 ? `${text.slice(0, end)} ` : text.slice(0, end);
}

/** Undefined if it can never match. */
function toRule(line: string): Rule | undefined {
  const isKept = line.startsWith("!");
  const body = isKept ? line.slice(1) : line;
  const onlyFolders = body.endsWith("/");
  const pattern = onlyFolders ? body.slice(0, -1) : body;
  const tokens = toTokens(pattern.startsWith("/") ? pattern.slice(1) : pattern);
  if (tokens === undefined || tokens.length === 0) return undefined;
  return {
    verdict: isKept ? "kept" : "ignored",
    onlyFolders,
    isName: !pattern.includes("/"),
    matches: openMatcher(tokens),
  };
}

/** Undefined if a class or an escape is not complete: such a pattern matches nothing. */
function toTokens(pattern: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; ) {
    const read = pattern[at] === "*" ? readStars(pattern, at) : readOne(pattern, at);
    if (read === undefined) return undefined;
    tokens.push(...read.tokens);
    at = read.next;
  }
  return tokens;
}

interface TokenRun {
  readonly tokens: readonly Token[];
  readonly next: number;
}

/** Two stars that fill a part of the path match any number of folders; others are one star. */
function readStars(pattern: string, at: number): TokenRun {
  let end = at;
  while (pattern[end] === "*") end += 1;
  const isPart = [at - 1, end].every((place) => (pattern[place] ?? "/") === "/");
  if (end - at < 2 || !isPart) return { tokens: [{ kind: "star" }], next: end };
  // At the end they match everything inside a folder but not the folder.
  return end === pattern.length
    ? { tokens: [{ kind: "one" }, { kind: "deep" }], next: end }
    : { tokens: [{ kind: "folders" }, { kind: "inside" }], next: end + 1 };
}

function readOne(pattern: string, at: number): TokenRun | undefined {
  if (pattern[at] === "?") return { tokens: [{ kind: "one" }], next: at + 1 };
  if (pattern[at] === "[") {
    const read = readClass(pattern, at);
    return read && { tokens: [{ kind: "class", members: read.members }], next: read.end + 1 };
  }
  const place = pattern[at] === "\\" ? at + 1 : at;
  const letter = pattern[place];
  if (letter === undefined) return undefined;
  return { tokens: [{ kind: "letter", letter: foldCase(letter) }], next: place + 1 };
}

/** As in regular expressions that ignore case: code unit by code unit, and nothing becomes ASCII or longer. */
function foldCase(text: string): string {
  if (!/[\u0080-\uffff]/.test(text)) return text.toUpperCase();
  return text.replace(/[a-z\u0080-\uffff]/g, (unit) => {
    const upper = unit.toUpperCase();
    const isSameKind = upper.length === 1 && unit < "\x80" === upper < "\x80";
    return isSameKind ? upper : unit;
  });
}

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
function readClass(pattern: string, start: number): Class | undefined {
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
