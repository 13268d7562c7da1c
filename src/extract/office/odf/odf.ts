// What ODT, ODS and ODP have in common: the archive, the title, and text as it is shown.

import { corrupt, encrypted } from "../../failures.ts";
import { hideInstructions } from "../../hidden/metadata.ts";
import type { ReadContext } from "../../reader.ts";
import { readTree } from "../office.ts";
import { child, descendants, eachElement, elements, textOf, type XmlElement } from "../xml.ts";
import { type Archive, openArchive } from "../zip.ts";
import { openSeen } from "./seen.ts";

export interface OdfFile {
  readonly title: string;
  /** The outermost elements with one of the names, in order. */
  each(names: readonly string[], visit: (element: OdfElement) => void): void;
}

export interface OdfElement {
  readonly attributes: XmlElement["attributes"];
  /** What people see of it, if anything; the rest goes to the writer. */
  see(): XmlElement | undefined;
}

const STYLES = ["style", "list-style"];
const NAMED_STYLES = new Set([...STYLES, "default-style"]);

export async function openOdf({ bytes, limits, out }: ReadContext): Promise<OdfFile> {
  const archive = await openArchive(bytes, limits);
  const manifest = await archive.read("META-INF/manifest.xml");
  if (manifest?.includes("encryption-data")) throw encrypted();
  const content = await archive.read("content.xml");
  if (content === undefined) throw corrupt("The file is damaged: it has no content.");
  const meta = child(await readTree(archive, "meta.xml", limits.xmlDepth), "meta");
  hideInstructions(out, elements(meta).map(textOf));
  const named = await archive.read("styles.xml");
  const charts = await chartsOf(archive, limits.xmlDepth);
  return {
    title: textOf(child(meta, "title")).trim(),
    each(names, visit) {
      const styles: XmlElement[] = [];
      const keep = (style: XmlElement) => void styles.push(style);
      if (named !== undefined && (namesLists(content) || mayHide(named)))
        eachElement(named, limits.xmlDepth, NAMED_STYLES, keep);
      const isPainted = PAINTED.some((name) => content.includes(name));
      let seen: ReturnType<typeof openSeen> | undefined;
      eachElement(content, limits.xmlDepth, new Set([...STYLES, ...names]), (element) => {
        if (STYLES.includes(element.name)) styles.push(element);
        else
          visit({
            attributes: element.attributes,
            see() {
              seen ??= openSeen(out, { styles, charts, isPainted });
              return seen(element);
            },
          });
      });
    },
  };
}

const HIDING =
  /display="none|visibility="[chf]|opacity="|font-size="[01](?:\.\d+)?p|color="#f.f.f|background-color="#|fill="[sgb]/i;

/** Whether a list has a style that is not in the content itself. */
function namesLists(content: Buffer): boolean {
  const names = content.toString("latin1").matchAll(/<text:list\s[^>]*text:style-name="([^"]*)"/g);
  return [...new Set([...names].map(([, name]) => name))].some(
    (name) => !content.includes(`<text:list-style style:name="${name}"`),
  );
}

/** Most files have the styles that their program writes into all of them, which take as long to parse as the text. */
function mayHide(styles: Buffer): boolean {
  return HIDING.test(styles.toString("latin1"));
}

/** What may be behind a text although no style says so. */
const PAINTED = ["<office:presentation", "conditional-format", 'run-through="background"'];

/** Charts are files in the file; their data is a table. */
async function chartsOf(archive: Archive, depth: number): Promise<ReadonlyMap<string, XmlElement>> {
  const charts = new Map<string, XmlElement>();
  for (const name of archive.names.filter((each) => /^Object[^/]*\/content\.xml$/.test(each))) {
    const [chart] = descendants(await readTree(archive, name, depth), "chart");
    const own = child(chart, "chart");
    if (own !== undefined) charts.set(name.split("/")[0] ?? "", own);
  }
  return charts;
}

/** A paragraph's own text: spaces and breaks are elements; notes and comments are written after it. */
export function lineOf(paragraph: XmlElement): string {
  return paragraph.children
    .map((part) => (typeof part === "string" ? part.replace(/\s+/g, " ") : inline(part)))
    .join("");
}

const UNWRITTEN = new Set(["note", "annotation", "ruby-text", "frame"]);

function inline(part: XmlElement): string {
  const { name, attributes } = part;
  if (UNWRITTEN.has(name)) return "";
  if (name === "s") return " ".repeat(Math.min(20, Number(attributes["c"] ?? 1) || 1));
  if (name === "tab") return "\t";
  return name === "line-break" ? "\n" : lineOf(part);
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
