// The body's paragraphs and tables, one after the other → the document's blocks.

import type { ListItem, Writer } from "../../writer.ts";
import { child, descendants, elements, type XmlElement } from "../xml.ts";
import type { NextNumber } from "./numbering.ts";
import { outlineLevel, type ParagraphStyle } from "./styles.ts";
import { tableRows } from "./table.ts";
import { type ParagraphText, paragraphText, type Surroundings } from "./text.ts";

export interface DocxParts extends Surroundings {
  readonly nextNumber: NextNumber;
  readonly footnotes: ReadonlyMap<string, XmlElement>;
  readonly endnotes: ReadonlyMap<string, XmlElement>;
  readonly comments: ReadonlyMap<string, XmlElement>;
}

export interface DocxFlow {
  add(block: XmlElement): void;
  finish(): void;
}

const MAX_BOLD_HEADING_LENGTH = 90;

interface FlowState {
  readonly out: Writer;
  readonly parts: DocxParts;
  readonly held: DeferredBlocks;
  /** The list or code that is still open, and the notes attached to the list's items. */
  items: ListItem[];
  afterList: (() => void)[];
  code: string[];
}

export function openDocxFlow(out: Writer, parts: DocxParts): DocxFlow {
  const held = openDeferredBlocks(out);
  const flow: FlowState = { out, parts, held, items: [], afterList: [], code: [] };
  return {
    add: (block) => (block.name === "p" ? addParagraph(flow, block) : addTable(flow, block)),
    finish() {
      endRun(flow);
      held.finish();
    },
  };
}

function endRun(flow: FlowState): void {
  const { out, held } = flow;
  const [list, lines] = [flow.items, flow.code.join("\n")];
  if (list.length > 0) held.write(() => out.list(list));
  for (const write of flow.afterList) held.write(write);
  if (lines !== "") held.write(() => out.code(lines));
  Object.assign(flow, { items: [], afterList: [], code: [] });
}

function addParagraph(flow: FlowState, element: XmlElement): void {
  const { parts } = flow;
  const style = parts.styleOf(child(element, "pPr", "pStyle")?.attributes["val"]);
  if (style.contents) return;
  const paragraph = readParagraph(element, style, parts);
  placeParagraph(flow, paragraph, style.code);
  for (const box of paragraph.body.boxes) addAll(inBox(flow), box);
}

/** A text box has its own background. The copy shares all that is written. */
function inBox(flow: FlowState): FlowState {
  endRun(flow);
  const parts = { ...flow.parts, isWhite: false };
  return { ...flow, parts, items: [], afterList: [], code: [] };
}

function placeParagraph(flow: FlowState, paragraph: Paragraph, isCode: boolean): void {
  const { out, parts, held } = flow;
  const { body, level, number, depth } = paragraph;
  const after = () => writeAttached(out, parts, body);
  if (level !== undefined && body.text !== "") {
    endRun(flow);
    const marker = number?.marker === undefined ? "" : `${number.marker} `;
    held.heading(level, marker + body.text, after);
  } else if (number !== undefined) {
    if (flow.code.length > 0) endRun(flow);
    flow.items.push({ text: body.text, depth, ...number });
    flow.afterList.push(after);
  } else if (isCode && body.text !== "") {
    if (flow.items.length > 0) endRun(flow);
    flow.code.push(body.text);
  } else if (body.text !== "" || hasAttached(body)) {
    endRun(flow);
    held.paragraph(body.text, body.bold, after);
  }
}

function addTable(flow: FlowState, element: XmlElement): void {
  const { out, parts, held } = flow;
  endRun(flow);
  const table = tableRows(element, parts);
  if (table === undefined) {
    // The table lays out the page, so its cells are read as separate text.
    const cells = descendants(element, "tr").flatMap((row) => descendants(row, "tc"));
    for (const cell of cells) addAll(flow, cell);
    return;
  }
  held.write(() => {
    out.table(table.rows, table.headerRows);
    for (const attached of table.attached) writeAttached(out, parts, attached);
  });
  for (const box of table.attached.flatMap(({ boxes }) => boxes)) addAll(inBox(flow), box);
}

function addAll(flow: FlowState, parent: XmlElement): void {
  for (const element of elements(parent)) {
    if (element.name === "p") addParagraph(flow, element);
    else if (element.name === "tbl") addTable(flow, element);
    else if (["sdt", "sdtContent", "ins"].includes(element.name)) addAll(flow, element);
  }
  endRun(flow);
}

type Paragraph = ReturnType<typeof readParagraph>;

function readParagraph(element: XmlElement, style: ParagraphStyle, parts: DocxParts) {
  const properties = child(element, "pPr");
  const value = (...path: readonly string[]) => child(properties, ...path)?.attributes["val"];
  const body = paragraphText(element, parts);
  const numId = value("numPr", "numId") ?? style.numId;
  const depth = Number(value("numPr", "ilvl") ?? style.listLevel ?? 0);
  return {
    body,
    level: outlineLevel(value("outlineLvl")) ?? style.level,
    depth,
    number: body.text === "" || numId === undefined ? undefined : parts.nextNumber(numId, depth),
  };
}

type DeferredBlocks = ReturnType<typeof openDeferredBlocks>;

/** Holds everything back until the end, because only then is it known whether bold lines are the headings. */
function openDeferredBlocks(out: Writer) {
  const held: ((boldLevel: number | undefined) => void)[] = [];
  let headings = 0;
  let boldLines = 0;
  return {
    write: (write: () => void) => void held.push(write),
    heading(level: number, text: string, after: () => void): void {
      headings += 1;
      held.push(() => {
        out.heading(level, text);
        after();
      });
    },
    paragraph(text: string, bold: boolean, after: () => void): void {
      const short = bold && text.length <= MAX_BOLD_HEADING_LENGTH && !/[.。、,;:]$/.test(text);
      if (short) boldLines += 1;
      held.push((boldLevel) => {
        if (short && boldLevel !== undefined) out.heading(boldLevel, text);
        else out.paragraph(text.replaceAll("\t", " "));
        after();
      });
    },
    finish(): void {
      // Documents with few or no heading styles mark their sections with bold lines.
      const isHeading = boldLines > headings * 2;
      const level = headings === 0 ? 2 : 3;
      for (const write of held) write(isHeading ? level : undefined);
    },
  };
}

function hasAttached(body: ParagraphText): boolean {
  const { footnotes, endnotes, comments, pictures, hidden } = body;
  return [footnotes, endnotes, comments, pictures, hidden].some((some) => some.length > 0);
}

function writeAttached(out: Writer, parts: DocxParts, body: ParagraphText): void {
  const text = (note: XmlElement | undefined) =>
    descendants(note, "p")
      .map((line) => paragraphText(line, parts).text)
      .join("\n");
  for (const { kind, text: hidden } of body.hidden) out.hide(kind, hidden);
  for (const picture of body.pictures) out.figure(picture);
  for (const id of body.footnotes) out.note("Footnote", text(parts.footnotes.get(id)));
  for (const id of body.endnotes) out.note("Endnote", text(parts.endnotes.get(id)));
  for (const id of body.comments) {
    const comment = parts.comments.get(id);
    const author = comment?.attributes["author"];
    out.note(author === undefined ? "Comment" : `Comment by ${author}`, text(comment));
  }
}
