// Formats a sentence for the answer; the citation stays verbatim.
import { isJapanese } from "../../text/scripts.ts";
import type { Sentence } from "../../text/sentences.ts";

export function toWording({ kind, text }: Sentence): string {
  return kind === "code" ? `\n${text}\n` : unmark(unwrap(text));
}

/** Joins wrapped lines; in Japanese without a space, except after a label. */
function unwrap(text: string): string {
  const joint = isJapanese(text) ? "" : " ";
  const lines = (paragraph: string) =>
    paragraph.split("\n").map((line) => line.replace(/^\s*>\s?/, "").trim());
  return (
    text
      // A Markdown definition has the term on one line and its meaning on the next.
      .replace(/(?<=\S)\n[ \t]*:[ \t]+/gu, ": ")
      .split(/\n\s*\n/)
      .map((paragraph) => lines(paragraph).join(joint))
      .join(" ")
  );
}

/** Removes Markdown syntax, which would be noise in an answer. */
function unmark(text: string): string {
  return text
    .replace(/^(?:\s*(?:>|#{1,6}(?=\s)|[-*+•・](?=\s)|\d{1,3}[.)](?=\s)))+\s*/u, "")
    .replace(/!?\[([^[\]]{0,300})\]\([^()\s]{0,500}\)/gu, "$1")
    .replace(/(\*\*|__)(?=\S)(.*?\S)\1/gu, "$2")
    .replace(/(?<![\p{L}\p{N}*])\*(?=\S)([^*]*\S)\*(?![\p{L}\p{N}*])/gu, "$1")
    .replace(/`([^`]+)`/gu, "$1")
    .replace(/\n>\s?/gu, "\n")
    .trim();
}
