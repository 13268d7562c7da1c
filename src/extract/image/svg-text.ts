// The text in a drawing: titles, descriptions and labels, in the order of the file.
import { parseDocument } from "htmlparser2";
import type { HiddenKind } from "../../domain/document.ts";
import { oneLine } from "../../text/clean/clean.ts";
import { overLimit } from "../failures.ts";
import type { Attributes } from "../html/style-sheets.ts";
import { openSheet, type Sight, unseenBy } from "./svg-unseen.ts";

const UNSEEN = new Set("script style defs metadata clippath mask filter symbol".split(" "));
const BREAKS = new Set("div p br li tr h1 h2 h3 h4 foreignobject text".split(" "));
const WRITTEN = new Set(["text", "foreignobject"]);
const NOTES = new Set(["title", "desc"]);

export interface SvgText {
  readonly title: string;
  readonly descriptions: readonly string[];
  readonly texts: readonly string[];
  readonly unseen: readonly { readonly kind: HiddenKind; readonly text: string }[];
}

type Node = ReturnType<typeof parseDocument>["children"][number];
export type Element = Extract<Node, { attribs: unknown }>;

export function isElement(node: Node): node is Element {
  return "attribs" in node;
}

/** Without its namespace, in small letters. */
export function nameOf({ name }: Element): string {
  return name.slice(name.indexOf(":") + 1).toLowerCase();
}

/** What an element passes on to those inside it. */
interface Around {
  readonly name: string;
  readonly depth: number;
  readonly sight: Sight;
  /** Inside an element whose text is shown. */
  readonly isWritten: boolean;
}

export function svgText(source: string, maxDepth: number): SvgText {
  const sheet = openSheet(source);
  const lines = openLines();
  const readAll = (nodes: readonly Node[], around: Around) => {
    const isRich = (node: Node) => isElement(node) && nameOf(node) === "foreignobject";
    const rich = around.name === "switch" ? nodes.findIndex(isRich) : -1;
    // What follows rich text in a <switch> is the same text, truncated.
    const shown = rich === -1 ? nodes : nodes.slice(0, rich + 1);
    for (const node of shown) read(node, around);
  };
  const read = (node: Node, around: Around) => {
    if (isElement(node)) readElement(node, around);
    else if ("children" in node) readAll(node.children, around);
    else if (node.type === "text" && around.isWritten)
      lines.text(node.data, unseenBy(around.sight));
  };
  const readElement = (element: Element, around: Around) => {
    const { attribs, children } = element;
    const name = nameOf(element);
    const depth = around.depth + 1;
    if (depth > maxDepth) throw overLimit(`its elements are nested more than ${maxDepth} deep`);
    if (UNSEEN.has(name) || attribs["aria-hidden"] === "true") return;
    lines.open(name, attribs);
    const isInside = around.isWritten && !NOTES.has(around.name);
    const isWritten = NOTES.has(name) || WRITTEN.has(name) || isInside;
    const sight = sheet.inside(around.sight, name, attribs);
    readAll(children, { name, depth, sight, isWritten });
    lines.close(name, around.depth);
  };
  const { children } = parseDocument(source, { xmlMode: true });
  readAll(children, { name: "", depth: 0, sight: sheet.sight, isWritten: false });
  return lines.finish();
}

/** Gathers text until an element ends the line, and adds the line to the right list. */
function openLines() {
  const texts: string[] = [];
  const titles: string[] = [];
  const descriptions: string[] = [];
  const unseen: { kind: HiddenKind; text: string }[] = [];
  let line = "";
  const flush = (into: string[]) => {
    const text = oneLine(line);
    line = "";
    if (text !== "" && into.at(-1) !== text) into.push(text);
  };
  return {
    open(name: string, { y, dy }: Attributes): void {
      if (BREAKS.has(name)) flush(texts);
      if (NOTES.has(name)) line = "";
      // The lines of a label are tspans with a new vertical position.
      if (name === "tspan" && (y !== undefined || dy !== undefined) && line.trim() !== "")
        line += " ";
    },
    text(text: string, kind: HiddenKind | undefined): void {
      if (kind === undefined) line += text;
      else unseen.push({ kind, text });
    },
    close(name: string, depth: number): void {
      if (name === "title") flush(depth <= 1 ? titles : texts);
      else if (name === "desc") flush(descriptions);
      else if (BREAKS.has(name)) flush(texts);
    },
    finish: (): SvgText => ({
      unseen,
      title: titles[0] ?? "",
      descriptions: usable(descriptions),
      texts: usable(texts),
    }),
  };
}

function usable(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => !isNotice(text));
}

/** Drawing programs add notices for viewers without rich text. */
export function isNotice(text: string): boolean {
  return /^\[?(?:text is not svg|not supported by viewer|viewer does not support|created with \w+|produced by omnigraffle)/i.test(
    text,
  );
}
