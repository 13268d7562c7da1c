// The body's paragraphs and tables, one after the other → the document's blocks.
import type { Numbering } from "./docx-numbering.ts";
import { outlineLevel, type Styles } from "./docx-styles.ts";
import { tableRows } from "./docx-table.ts";
import { type ParagraphText, paragraphText } from "./docx-text.ts";
import type { ListItem, Writer } from "./writer.ts";
import { child, descendants, elements, type XmlElement } from "./xml.ts";

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

interface Pending {
  readonly kind: "heading" | "bold" | "paragraph";
  readonly level: number;
  readonly text: string;
  readonly after: () => void;
}

const LONGEST_BOLD_HEADING = 90;

export function openDocxFlow(out: Writer, parts: DocxParts): DocxFlow {
  let items: ListItem[] = [];
  let code: string[] = [];
  let afterList: (() => void)[] = [];
  let headings = 0;
  let boldLines = 0;
  const held: (Pending | (() => void))[] = [];

  const endRun = () => {
    if (items.length > 0) {
      const list = items;
      const then = afterList;
      held.push(() => out.list(list));
      for (const write of then) held.push(write);
    }
    if (code.length > 0) {
      const lines = code.join("\n");
      held.push(() => out.code(lines));
    }
    items = [];
    code = [];
    afterList = [];
  };
  const addParagraph = (element: XmlElement) => {
    const properties = child(element, "pPr");
    const style = parts.styles.of(child(properties, "pStyle")?.attributes["val"]);
    if (style.contents) return;
    const body = paragraphText(element);
    const after = () => writeAttached(out, parts, body);
    const direct = outlineLevel(child(properties, "outlineLvl")?.attributes["val"]);
    const level = direct ?? style.level;
    const numId = child(properties, "numPr", "numId")?.attributes["val"] ?? style.numId;
    const depth = Number(
      child(properties, "numPr", "ilvl")?.attributes["val"] ?? style.listLevel ?? 0,
    );
    const number =
      body.text === "" || numId === undefined ? undefined : parts.numbering.next(numId, depth);
    if (level !== undefined && body.text !== "") {
      endRun();
      headings += 1;
      const text = number?.marker === undefined ? body.text : `${number.marker} ${body.text}`;
      held.push({ kind: "heading", level, text, after });
    } else if (number !== undefined) {
      if (code.length > 0) endRun();
      items.push({ text: body.text, depth, ...number });
      afterList.push(after);
    } else if (style.code && body.text !== "") {
      if (items.length > 0) endRun();
      code.push(body.text);
    } else if (body.text !== "" || hasAttached(body)) {
      endRun();
      const bold =
        body.bold && body.text.length <= LONGEST_BOLD_HEADING && !/[.。、,;:]$/.test(body.text);
      if (bold) boldLines += 1;
      held.push({ kind: bold ? "bold" : "paragraph", level: 0, text: body.text, after });
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
    held.push(() => {
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
      // Documents with few or no heading styles mark their sections by bold lines.
      const boldIsHeading = boldLines > headings * 2;
      const boldLevel = headings === 0 ? 2 : 3;
      for (const piece of held) {
        if (typeof piece === "function") {
          piece();
          continue;
        }
        if (piece.kind === "heading") out.heading(piece.level, piece.text);
        else if (piece.kind === "bold" && boldIsHeading) out.heading(boldLevel, piece.text);
        else out.paragraph(piece.text.replaceAll("\t", " "));
        piece.after();
      }
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
