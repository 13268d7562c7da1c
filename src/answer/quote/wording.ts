// A sentence as it reads in an answer; what it is cited from stays word for word.

import { isJapanese } from "../../text/scripts.ts";
import type { Line, Source } from "./evidence.ts";

export function toWording(source: Source, line: Line): string {
  const { sentence } = line;
  if (sentence.kind !== "row") return unwrap(sentence.text);
  const head = headOf(source, line);
  return head === undefined ? unwrap(sentence.text) : pairUp(cells(head), cells(sentence.text));
}

/** Lines of a paragraph that were only wrapped; Japanese has no blank between words, but a label is set apart. */
function unwrap(text: string): string {
  const joint = isJapanese(text) ? "" : " ";
  const lines = (paragraph: string) => paragraph.split("\n").map((line) => line.trim());
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => lines(paragraph).join(joint))
    .join(" ");
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

function cells(row: string): readonly string[] {
  const inner = row.trim().replace(/^\|/, "").replace(/\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|").trim());
}
