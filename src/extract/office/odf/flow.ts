// Headings, paragraphs, lists, tables and frames of a text or a slide, in their order.

import { corrupt } from "../../failures.ts";
import type { ReadContext, ReadOutcome } from "../../reader.ts";
import type { ListItem, Writer } from "../../writer.ts";
import { descendants, elements, type XmlElement } from "../xml.ts";
import { lineOf, notesOf, type OdfElement, openOdf, paragraphs } from "./odf.ts";
import { tableRows } from "./table.ts";

const BLOCKS = "h p list table frame section tracked-changes table-of-content".split(" ");

/** A text of LibreOffice or its relatives. */
export async function readOdt(context: ReadContext): Promise<ReadOutcome> {
  const { out } = context;
  const { each, title } = await openOdf(context);
  each(BLOCKS, ({ see }) => {
    const block = see();
    if (block !== undefined) writeBlock(out, block);
  });
  out.report("text");
  return { method: "text_extraction", ...(title === "" ? {} : { title }) };
}

type Write = (out: Writer, block: XmlElement) => void;

const writeParts: Write = (out, block) => {
  for (const part of elements(block)) writeBlock(out, part);
};

const WRITERS: ReadonlyMap<string, Write> = new Map([
  ["h", writeHeading],
  ["p", writeParagraph],
  ["list", (out, block) => out.list(itemsOf(block, 0))],
  ["table", writeTable],
  ["frame", writeParts],
  ["text-box", writeParts],
  ["section", writeParts],
  ["custom-shape", writeParts],
  ["g", writeParts],
  ["desc", (out, block) => out.figure(lineOf(block))],
]);

/** Elements without a writer are not shown: tracked changes, a table of contents. */
function writeBlock(out: Writer, block: XmlElement): void {
  WRITERS.get(block.name)?.(out, block);
}

function writeHeading(out: Writer, block: XmlElement): void {
  out.heading(Number(block.attributes["outline-level"] ?? 1) || 1, lineOf(block));
  writeAttached(out, block);
}

function writeParagraph(out: Writer, block: XmlElement): void {
  out.paragraph(lineOf(block));
  writeAttached(out, block);
}

function writeAttached(out: Writer, paragraph: XmlElement): void {
  for (const frame of descendants(paragraph, "frame")) writeBlock(out, frame);
  for (const [label, text] of notesOf(paragraph)) out.note(label, text);
}

function itemsOf(list: XmlElement, depth: number): readonly ListItem[] {
  return elements(list).flatMap((item) =>
    elements(item).flatMap((part) => {
      if (part.name === "list") return itemsOf(part, depth + 1);
      if (part.name !== "p" && part.name !== "h") return [];
      const { marker } = item.attributes;
      const isFirst = elements(item)[0] === part;
      return [{ text: lineOf(part), depth, ...(marker && isFirst ? { marker } : {}) }];
    }),
  );
}

function writeTable(out: Writer, table: XmlElement): void {
  const rows = tableRows(table);
  // A table with one column only lays out the page.
  if (rows.every(({ cells }) => cells.length <= 1)) {
    out.paragraph(paragraphs(table));
    return;
  }
  const headerRows = rows.findIndex(({ isHeader }) => !isHeader);
  out.table(
    rows.map(({ cells }) => cells),
    headerRows > 0 ? headerRows : undefined,
  );
}

// Presentations of LibreOffice and its relatives: slide by slide the title, the boxes and the speaker notes.

export async function readOdp(context: ReadContext): Promise<ReadOutcome> {
  const { out, progress } = context;
  const { each, title } = await openOdf(context);
  const slides: OdfElement[] = [];
  each(["page"], (page) => slides.push(page));
  if (slides.length === 0) throw corrupt("The presentation has no slides.");
  const titles = slides.map(({ see }, at) => {
    out.at({ slide: at + 1 });
    const slide = see();
    const heading = slide === undefined ? "" : writeSlide(out, slide);
    out.report("text");
    progress({ done: at + 1, total: slides.length, unit: "slide" });
    return heading;
  });
  const shown = title === "" ? (titles[0] ?? "") : title;
  return { method: "text_extraction", ...(shown === "" ? {} : { title: shown }) };
}

function writeSlide(out: Writer, slide: XmlElement): string {
  const parts = elements(slide);
  const isTitle = ({ attributes }: XmlElement) => attributes["presentation:class"] === "title";
  const title = parts.filter(isTitle).map(paragraphs).join(" ").trim();
  out.heading(2, title);
  for (const part of parts) {
    if (part.name === "notes") out.note("Speaker notes", notesText(part));
    else if (!isTitle(part)) writeBlock(out, part);
  }
  return title;
}

function notesText(notes: XmlElement): string {
  const isNotes = ({ attributes }: XmlElement) => attributes["presentation:class"] === "notes";
  return elements(notes).filter(isNotes).map(paragraphs).join("\n").trim();
}
