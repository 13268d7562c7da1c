// Reads the ignore files of a folder. Whoever writes the folder writes them, so they are opened like any other file.
import { join } from "node:path";
import { type NotRead, openRegular, readWhole } from "../../files/regular-file.ts";
import { type IgnoreRules, openIgnoreRules, splitRules } from "../../text/patterns/ignore-rules.ts";

export interface Rules extends IgnoreRules {
  readonly folder: string;
}

const IGNORE_FILES = [".gitignore", ".knowledgeignore"];
/** Far more than the largest that projects have, which is 31 KB. */
const MAX_BYTES = 256 * 1024;
/** A rule of this length could name any path of a project. */
const MAX_RULE_LENGTH = 500;
/** Of all rules for a file, those of the folders above it included: each may be matched at every character of a path. */
const MAX_RULE_CHARACTERS = 64 * 1024;

const NOT_USED: Readonly<Record<NotRead, string>> = {
  folder: "it is a folder",
  link: "it is a link",
  special: "it is not a regular file",
  "too-large": `it is larger than ${MAX_BYTES / 1024} KB`,
};

interface Around {
  /** The rules of the folders above. */
  readonly outer: readonly Rules[];
  readonly onUnread: (path: string, reason?: string) => void;
}

/** A file that cannot be read has no rules, and is reported. */
export async function readRules(
  folder: string,
  names: ReadonlySet<string>,
  { outer, onUnread }: Around,
): Promise<readonly Rules[]> {
  const present = IGNORE_FILES.filter((name) => names.has(name));
  const read: (readonly string[])[] = [];
  for (const name of present) {
    const text = await readText(join(folder, name)).catch(toProblem);
    if (typeof text === "string") read.push(splitRules(text));
    else onUnread(join(folder, name), `This ignore file is not used: ${text.problem}.`);
  }
  if (read.length === 0) return [];
  const used = outer.reduce((sum, { characters }) => sum + characters, 0);
  const maxCharacters = MAX_RULE_CHARACTERS - used;
  const rules = openIgnoreRules(read.flat(), { maxLength: MAX_RULE_LENGTH, maxCharacters });
  if (rules.leftOut > 0) onUnread(join(folder, present.at(-1) ?? ""), tooMany(rules.leftOut));
  return [{ folder, ...rules }];
}

interface Unused {
  readonly problem: string;
}

function toProblem({ code }: NodeJS.ErrnoException): string | Unused {
  return code === "ENOENT" ? "" : { problem: "it cannot be read" };
}

async function readText(path: string): Promise<string | Unused> {
  const opened = await openRegular(path, MAX_BYTES);
  if (opened.kind !== "open") return { problem: NOT_USED[opened.kind] };
  try {
    const bytes = await readWhole(opened.handle, MAX_BYTES);
    return bytes?.toString() ?? { problem: NOT_USED["too-large"] };
  } finally {
    await opened.handle.close();
  }
}

function tooMany(leftOut: number): string {
  return `${leftOut} of the folder's ignore rules are not used: a rule has at most ${MAX_RULE_LENGTH} characters, and all rules for a file at most ${MAX_RULE_CHARACTERS}.`;
}
