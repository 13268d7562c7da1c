// What ODT, ODS and ODP have in common: the archive, the title, and text as it is shown.
import { corrupt, type ExtractLimits, encrypted } from "../../limits.ts";
import { child, descendants, elements, parseXml, textOf, type XmlElement } from "../xml.ts";
import { openArchive } from "../zip.ts";

export interface OdfFile {
  readonly content: Buffer;
  readonly title: string;
}

export async function openOdf(bytes: Buffer, limits: ExtractLimits): Promise<OdfFile> {
  const archive = await openArchive(bytes, limits);
  const manifest = await archive.read("META-INF/manifest.xml");
  if (manifest?.includes("encryption-data")) {
    throw encrypted();
  }
  const content = await archive.read("content.xml");
  if (content === undefined) throw corrupt("The file is damaged: it has no content.");
  const meta = await archive.read("meta.xml");
  const title = meta === undefined ? "" : titleOf(parseXml(meta, limits.xmlDepth));
  return { content, title };
}

function titleOf(meta: XmlElement): string {
  return textOf(child(meta, "meta", "title")).trim();
}

/** A paragraph's own text: spaces and breaks are elements; notes and comments are written after it. */
export function lineOf(paragraph: XmlElement): string {
  return paragraph.children
    .map((part) => (typeof part === "string" ? part.replace(/\s+/g, " ") : inline(part)))
    .join("");
}

const UNWRITTEN = new Set(["note", "annotation", "ruby-text", "frame"]);

function inline(part: XmlElement): string {
  if (UNWRITTEN.has(part.name)) return "";
  return spaceOf(part) ?? lineOf(part);
}

/** The spaces, tab or line break that an element stands for. */
export function spaceOf({ name, attributes }: XmlElement): string | undefined {
  if (name === "s") return " ".repeat(Math.min(20, Number(attributes["c"] ?? 1) || 1));
  if (name === "tab") return "\t";
  return name === "line-break" ? "\n" : undefined;
}

/** Notes and comments anchored to a paragraph. */
export function notesOf(paragraph: XmlElement): readonly (readonly [string, string])[] {
  const notes = descendants(paragraph, "note").map(
    (note) => ["Note", paragraphs(child(note, "note-body"))] as const,
  );
  const comments = descendants(paragraph, "annotation").map(
    (note) => ["Comment", paragraphs(note)] as const,
  );
  return [...notes, ...comments];
}

/** The lines of a cell, a note or a box. */
export function paragraphs(parent: XmlElement | undefined): string {
  return elements(parent)
    .map((part) => {
      if (part.name === "p" || part.name === "h") return lineOf(part);
      return part.name === "annotation" ? "" : paragraphs(part);
    })
    .filter((line) => line.trim() !== "")
    .join("\n");
}
