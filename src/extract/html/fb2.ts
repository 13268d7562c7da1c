// FB2: an e-book as one XML file; sections in sections, each with a title.

import { corrupt } from "../failures.ts";
import { child, descendants, elements, parseXml, textOf, type XmlElement } from "../office/xml.ts";
import type { ReadContext, ReadOutcome } from "../reader.ts";
import type { Writer } from "../writer.ts";

const PARAGRAPHS = new Set(["p", "v", "subtitle", "text-author"]);

export function readFb2({ bytes, limits, out }: ReadContext): ReadOutcome {
  const book = parseXml(bytes, limits.xmlDepth);
  if (book === undefined) throw corrupt("The file is not a book.");
  for (const body of elements(book).filter(({ name }) => name === "body")) writePart(out, body, 1);
  out.report("text");
  const title = textOf(child(book, "description", "title-info", "book-title")).trim();
  return { method: "text_extraction", ...(title === "" ? {} : { title }) };
}

function writePart(out: Writer, part: XmlElement, level: number): void {
  for (const each of elements(part)) {
    if (each.name === "title") out.heading(level, descendants(each, "p").map(textOf).join(" "));
    else if (PARAGRAPHS.has(each.name)) out.paragraph(textOf(each));
    else if (each.name === "table")
      out.table(descendants(each, "tr").map((row) => elements(row).map(textOf)));
    else writePart(out, each, each.name === "section" ? level + 1 : level);
  }
}
