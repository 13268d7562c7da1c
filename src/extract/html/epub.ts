// E-books: the chapters in the order of the spine, each read as HTML.
import { posix } from "node:path";
import { toMessage } from "../../domain/phrases/messages.ts";
import { corrupt } from "../failures.ts";
import { hideInstructions } from "../hidden/metadata.ts";
import { readTree } from "../office/office.ts";
import { child, descendants, elements, parseXml, textOf, type XmlElement } from "../office/xml.ts";
import { type Archive, openArchive } from "../office/zip.ts";
import type { ReadContext, ReadOutcome } from "../reader.ts";
import type { Writer } from "../writer.ts";
import { readHtml } from "./html.ts";

export async function readEpub(context: ReadContext): Promise<ReadOutcome> {
  const { bytes, limits, out, progress } = context;
  const archive = await openArchive(bytes, limits);
  const path = await packagePath(archive, limits.xmlDepth);
  const book = await readTree(archive, path, limits.xmlDepth);
  if (book === undefined) throw corrupt("The e-book has no list of its chapters.");
  const chapters = chaptersOf(book, posix.dirname(path));
  // The whole book gets one report, because it has no pages.
  const quiet = { ...out, report: () => {} };
  for (const [at, chapter] of chapters.entries()) {
    const part = await archive.read(chapter);
    if (part === undefined) out.warn(toMessage("chapterMissing"));
    else await readHtml({ ...context, bytes: part, filename: chapter, out: quiet });
    progress({ done: at + 1, total: chapters.length, unit: "page" });
  }
  hideInstructions(out, elements(child(book, "metadata")).map(textOf));
  out.report("text");
  const title = textOf(child(book, "metadata", "title")).trim();
  return { method: "text_extraction", ...(title === "" ? {} : { title }) };
}

async function packagePath(archive: Archive, depth: number): Promise<string> {
  const container = await readTree(archive, "META-INF/container.xml", depth);
  const named = container && descendants(container, "rootfile")[0]?.attributes["full-path"];
  const found = named ?? archive.names.find((name) => name.toLowerCase().endsWith(".opf"));
  if (found === undefined) throw corrupt("The e-book has no list of its chapters.");
  return found;
}

function chaptersOf(book: XmlElement, folder: string): readonly string[] {
  const items = new Map(
    elements(child(book, "manifest")).map(
      ({ attributes }) => [attributes["id"] ?? "", attributes] as const,
    ),
  );
  return elements(child(book, "spine")).flatMap(({ attributes }) => {
    const item = items.get(attributes["idref"] ?? "");
    const isText = /html|xml/.test(item?.["media-type"] ?? "");
    // The table of contents repeats every heading.
    const isContents = item?.["properties"]?.split(" ").includes("nav") === true;
    if (item?.["href"] === undefined || !isText || isContents) return [];
    return [posix.join(folder, decoded(item["href"]))];
  });
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    // A percent sign that stands for itself.
    return href;
  }
}

// FB2: an e-book as one XML file; sections in sections, each with a title.

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
