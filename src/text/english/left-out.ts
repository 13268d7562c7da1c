// What an add of a folder did not take, for people and models.
import { count } from "./count.ts";

export interface LeftOut {
  /** ZIP archives, which are added only by name: one may hold thousands of files. */
  readonly archives: readonly string[];
  /** How many files have a format that is not read. */
  readonly others: number;
}

const MOST_NAMED = 3;

/** Undefined if nothing was. */
export function describeLeftOut({ archives, others }: LeftOut): string | undefined {
  const parts: string[] = [];
  if (archives.length > 0) {
    const named = archives.slice(0, MOST_NAMED).join(", ");
    const names = archives.length > MOST_NAMED ? `${named}, …` : named;
    const them = archives.length === 1 ? "it" : "them";
    parts.push(`${count(archives.length, "ZIP archive")} (add ${them} by name: ${names})`);
  }
  if (others > 0) parts.push(count(others, "file of another format", "files of other formats"));
  return parts.length === 0 ? undefined : `Left out: ${parts.join(", ")}`;
}
