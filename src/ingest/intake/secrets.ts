// Files that are never read, wherever they are: keys, credentials and the system's own views of processes.
import { openGlob } from "../../text/patterns/glob.ts";
import { HIDDEN_FOLDERS, SECRET_PLACES } from "./secret-places.ts";

// `stat` reports regular files here, but the kernel generates them: /proc/self/environ contains the server's own
// secrets. Windows device paths (\\?\, \\.\) are alternative spellings that would bypass checks by name.
const SYSTEM = /^\/(proc|sys|dev)(\/|$)|^[/\\]{2}[?.][/\\]/;
const IGNORABLE = /[\p{Cf}\p{DI}]/gu;
/** Endings that editors and copies append to a name. */
const COPIES = [".bak", ".old", ".orig", ".save", ".backup", ".copy", ".tmp", ".swp", "~", " copy"];
const MAX_COPIES = 8;

interface Rules {
  readonly exact: ReadonlyMap<string, string>;
  readonly patterns: readonly {
    readonly reason: string;
    /** One pattern per path segment. */
    readonly tail: readonly ReturnType<typeof openGlob>[];
  }[];
}

const FOLDERS = toRules(
  SECRET_PLACES.map(({ reason, folders = [] }) => ({ reason, names: folders })),
);
const FILES = toRules(SECRET_PLACES.map(({ reason, files = [] }) => ({ reason, names: files })));
const HIDDEN = toRules([{ reason: "hidden", names: HIDDEN_FOLDERS }]);

/** The kind of secret usually at this path, or undefined. */
export function secretKind(path: string): string | undefined {
  if (SYSTEM.test(path)) return "the system's own view of a process or device";
  const parts = segmentsOf(path).map(toComparable);
  const name = parts.at(-1) ?? "";
  for (let end = 1; end < parts.length; end += 1) {
    const found = matchTail(FOLDERS, parts, end);
    if (found !== undefined) return found;
  }
  // No rule has more segments than this.
  const near = parts.slice(-8, -1);
  for (const spelling of spellings(name)) {
    const found = matchTail(FILES, [...near, spelling], near.length + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function isSecret(path: string): boolean {
  return secretKind(path) !== undefined;
}

/** Whether a relative path contains a hidden file or folder. */
export function isHidden(path: string): boolean {
  const parts = segmentsOf(path);
  if (parts.some((part) => part.replace(IGNORABLE, "").startsWith("."))) return true;
  const plain = parts.map(toComparable);
  return plain.some((_, at) => matchTail(HIDDEN, plain, at + 1) !== undefined);
}

/** Folders that are skipped: they contain no documents. */
export function isSkippedFolder(name: string): boolean {
  return isHidden(name) || name === "node_modules" || isSecret(`${name}/x`);
}

// Splits at both separators, because a path may be written for another system.
function segmentsOf(path: string): readonly string[] {
  return path.split(/[/\\]/).filter((part) => part !== "");
}

/**
 * File systems that ignore case, forms of a letter, invisible characters (HFS+), trailing dots and spaces or a
 * stream's name after ":" (NTFS) open the same file under all of these spellings.
 */
function toComparable(segment: string): string {
  const [stem = ""] = segment.replace(IGNORABLE, "").normalize("NFKC").toLowerCase().split(":", 1);
  return withoutTail(stem);
}

function withoutTail(stem: string): string {
  let end = stem.length;
  while (end > 0 && (stem[end - 1] === "." || stem[end - 1] === " ")) end -= 1;
  return stem.slice(0, end);
}

function spellings(name: string): readonly string[] {
  const found = [name];
  for (let stem = name; found.length < MAX_COPIES; ) {
    const end = COPIES.find((each) => stem.endsWith(each) && stem.length > each.length);
    if (end === undefined) return found;
    stem = withoutTail(stem.slice(0, -end.length));
    found.push(stem);
  }
  return found;
}

function toRules(places: readonly { reason: string; names: readonly string[] }[]): Rules {
  const exact = new Map<string, string>();
  const patterns: Rules["patterns"][number][] = [];
  for (const { reason, names } of places) {
    for (const name of names) {
      if (!/[*/]/.test(name)) exact.set(name, reason);
      else patterns.push({ reason, tail: name.split("/").map((part) => openGlob(part)) });
    }
  }
  return { exact, patterns };
}

/** Whether the segments before `end` match a rule. */
function matchTail(
  { exact, patterns }: Rules,
  parts: readonly string[],
  end: number,
): string | undefined {
  const found = exact.get(parts[end - 1] ?? "");
  if (found !== undefined) return found;
  const rule = patterns.find(
    ({ tail }) =>
      tail.length <= end &&
      tail.every((matches, at) => matches(parts[end - tail.length + at] ?? "")),
  );
  return rule?.reason;
}
