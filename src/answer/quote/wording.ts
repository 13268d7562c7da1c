// Formats a sentence for the answer; the citation stays verbatim.

import { isJapanese } from "../../text/scripts.ts";
import { cellsOf } from "../table/grid/table-lines.ts";
import type { Line, Source } from "./read-passage.ts";

export function toWording(source: Source, line: Line): string {
  const { sentence } = line;
  if (sentence.kind === "code") return `\n${sentence.text}\n`;
  if (sentence.kind !== "row") return unmark(unwrap(sentence.text));
  const head = headOf(source, line);
  const own = cellsOf(sentence.text);
  return head === undefined ? own.filter(Boolean).join("; ") : pairUp(cellsOf(head), own);
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

function headOf({ lines, passage }: Source, line: Line): string | undefined {
  const above = lines
    .slice(0, lines.indexOf(line))
    .findLast(({ sentence }) => sentence.kind === "head");
  return above?.sentence.text ?? passage.tableHeader?.split("\n").find((row) => row.includes("|"));
}

function pairUp(names: readonly string[], values: readonly string[]): string {
  return values
    .map((value, at) => [names[at] ?? "", value])
    .filter(([, value]) => value !== "")
    .map(([name, value]) => (name === "" ? value : `${name}: ${value}`))
    .join("; ");
}

/** Removes Markdown syntax, which would be noise in an answer. */
export function unmark(text: string): string {
  return text
    .replace(/^(?:\s*(?:>|#{1,6}(?=\s)|[-*+•・](?=\s)|\d{1,3}[.)](?=\s)))+\s*/u, "")
    .replace(/!?\[([^[\]]{0,300})\]\([^()\s]{0,500}\)/gu, "$1")
    .replace(/(\*\*|__)(?=\S)(.*?\S)\1/gu, "$2")
    .replace(/(?<![\p{L}\p{N}*])\*(?=\S)([^*]*\S)\*(?![\p{L}\p{N}*])/gu, "$1")
    .replace(/`([^`]+)`/gu, "$1")
    .replace(/\n>\s?/gu, "\n")
    .trim();
}
