// What adding a folder left out, for people and models.
import type { LeftOut } from "../../domain/task.ts";
import { count } from "./count.ts";

const MAX_NAMED = 3;

/** Undefined if nothing was. */
export function describeLeftOut(leftOut: LeftOut): string | undefined {
  const { archives, others, ignored, hidden, links, empty } = leftOut;
  const parts: string[] = [];
  if (archives.length > 0) {
    const named = archives.slice(0, MAX_NAMED).join(", ");
    const names = archives.length > MAX_NAMED ? `${named}, …` : named;
    const them = archives.length === 1 ? "it" : "them";
    parts.push(`${count(archives.length, "ZIP archive")} (add ${them} by name: ${names})`);
  }
  if (others > 0) parts.push(count(others, "file of another format", "files of other formats"));
  if (ignored > 0) parts.push(`${ignored} ignored (.gitignore, .knowledgeignore)`);
  if (hidden > 0) parts.push(`${hidden} hidden or private`);
  if (links > 0) parts.push(count(links, "symbolic link"));
  if (empty > 0) parts.push(count(empty, "empty file"));
  return parts.length === 0 ? undefined : `Left out: ${parts.join(", ")}`;
}
