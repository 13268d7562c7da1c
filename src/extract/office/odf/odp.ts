// Presentations of LibreOffice and its relatives: slide by slide the title, the boxes and the speaker notes.
import { corrupt } from "../../failures.ts";
import type { ReadContext, ReadOutcome } from "../../reader.ts";
import type { Writer } from "../../writer.ts";
import { elements, type XmlElement } from "../xml.ts";
import { writeBlock } from "./flow.ts";
import { type OdfElement, openOdf, paragraphs } from "./odf.ts";

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
