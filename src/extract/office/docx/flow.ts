// The body's paragraphs and tables, one after the other → the document's blocks.

import type { ListItem, Writer } from "../../writer.ts";
import { child, descendants, elements, type XmlElement } from "../xml.ts";
import type { Numbering } from "./numbering.ts";
import { outlineLevel, type ParagraphStyle, type Styles } from "./styles.ts";
import { tableRows } from "./table.ts";
import { type ParagraphText, paragraphText } from "./text.ts";

export interface DocxParts {
  readonly styles: Styles;
  readonly numbering: Numbering;
  readonly footnotes: ReadonlyMap<string, XmlElement>;
  readonly endnotes: ReadonlyMap<string, XmlElement>;
  readonly comments: ReadonlyMap<string, XmlElement>;
}

export interface DocxFlow {
  add(block: XmlElement): void;
  finish(): void;
}

const LONGEST_BOLD_HEADING = 90;

export function openDocxFlow(out: Writer, parts: DocxParts): DocxFlow {
  const held = openHeld(out);
  let items: ListItem[] = [];
  let afterList: (() => void)[] = [];
  let code: string[] = [];

  const endRun = () => {
    const [list, lines] = [items, code.join("\n")];
    if (list.length > 0) held.write(() => out.list(list));
    for (const write of afterList) held.write(write);
    if (lines !== "") held.write(() => out.code(lines));
    items = [];
    afterList = [];
    code = [];
  };
  const addParagraph = (element: XmlElement) => {
    const style = parts.styles.of(child(element, "pPr", "pStyle")?.attributes["val"]);
    if (style.contents) return;
    const { body, level, number, depth } = readParagraph(element, style, parts);
    const after = () => writeAttached(out, parts, body);
    if (level !== undefined && body.text !== "") {
      endRun();
      const marker = number?.marker === undefined ? "" : `${number.marker} `;
      held.heading(level, marker + body.text, after);
    } else if (number !== undefined) {
      if (code.length > 0) endRun();
      items.push({ text: body.text, depth, ...number });
      afterList.push(after);
    } else if (style.code && body.text !== "") {
      if (items.length > 0) endRun();
      code.push(body.text);
    } else if (body.text !== "" || hasAttached(body)) {
      endRun();
      held.paragraph(body.text, body.bold, after);
    }
    for (const box of body.boxes) addAll(box);
  };
  const addTable = (element: XmlElement) => {
    endRun();
    const table = tableRows(element);
    if (table === undefined) {
      // Used to lay out the page: its cells are read as text of their own.
      for (const row of descendants(element, "tr"))
        for (const cell of descendants(row, "tc")) addAll(cell);
      return;
    }
    held.write(() => {
      out.table(table.rows, table.headerRows);
      for (const attached of table.attached) writeAttached(out, parts, attached);
    });
    for (const box of table.attached.flatMap((attached) => attached.boxes)) addAll(box);
  };
  const addAll = (parent: XmlElement) => {
    for (const element of elements(parent)) {
      if (element.name === "p") addParagraph(element);
      else if (element.name === "tbl") addTable(element);
      else if (element.name === "sdt" || element.name === "sdtContent" || element.name === "ins")
        addAll(element);
    }
    endRun();
  };

  return {
    add: (block) => (block.name === "p" ? addParagraph(block) : addTable(block)),
    finish() {
      endRun();
      held.finish();
    },
  };
}

function readParagraph(element: XmlElement, style: ParagraphStyle, { numbering }: DocxParts) {
  const properties = child(element, "pPr");
  const value = (...path: readonly string[]) => child(properties, ...path)?.attributes["val"];
  const body = paragraphText(element);
  const numId = value("numPr", "numId") ?? style.numId;
  const depth = Number(value("numPr", "ilvl") ?? style.listLevel ?? 0);
  return {
    body,
    level: outlineLevel(value("outlineLvl")) ?? style.level,
    depth,
    number: body.text === "" || numId === undefined ? undefined : numbering.next(numId, depth),
  };
}

/** Holds everything back to the end: only then is it known whether bold lines are the document's headings. */
function openHeld(out: Writer) {
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
      const short = bold && text.length <= LONGEST_BOLD_HEADING && !/[.。、,;:]$/.test(text);
      if (short) boldLines += 1;
      held.push((boldLevel) => {
        if (short && boldLevel !== undefined) out.heading(boldLevel, text);
        else out.paragraph(text.replaceAll("\t", " "));
        after();
      });
    },
    finish(): void {
      // Documents with few or no heading styles mark their sections by bold lines.
      const isHeading = boldLines > headings * 2;
      const level = headings === 0 ? 2 : 3;
      for (const write of held) write(isHeading ? level : undefined);
    },
  };
}

function hasAttached(body: ParagraphText): boolean {
  const { footnotes, endnotes, comments, pictures } = body;
  return [footnotes, endnotes, comments, pictures].some((some) => some.length > 0);
}

function writeAttached(out: Writer, parts: DocxParts, body: ParagraphText): void {
  const text = (note: XmlElement | undefined) =>
    note === undefined
      ? ""
      : descendants(note, "p")
          .map((line) => paragraphText(line).text)
          .join("\n");
  for (const picture of body.pictures) out.figure(picture);
  for (const id of body.footnotes) out.note("Footnote", text(parts.footnotes.get(id)));
  for (const id of body.endnotes) out.note("Endnote", text(parts.endnotes.get(id)));
  for (const id of body.comments) {
    const comment = parts.comments.get(id);
    const author = comment?.attributes["author"];
    out.note(author === undefined ? "Comment" : `Comment by ${author}`, text(comment));
  }
}
