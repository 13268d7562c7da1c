// What DOCX, PPTX and XLSX have in common: parts, the relationships between them, and the root that names the format.
import { posix } from "node:path";
import type { Format } from "../../domain/document.ts";
import { unsupportedFormat } from "../../domain/format-name.ts";
import { corrupt } from "../failures.ts";
import { isInstruction } from "../hidden/metadata.ts";
import type { ExtractLimits } from "../limits.ts";
import { child, elements, parseXml, textOf, type XmlElement } from "./xml.ts";
import { type Archive, openArchive } from "./zip.ts";

export interface Relation {
  /** The last word of its type: "slide", "comments", "notesSlide", … */
  readonly type: string;
  /** The part's name in the archive. */
  readonly target: string;
}

export interface OfficeFile {
  readonly archive: Archive;
  /** The root part, such as word/document.xml. */
  readonly main: string;
  readonly title: string;
  /** Title, subject, keywords and the like. */
  readonly properties: readonly string[];
  part(name: string): Promise<Buffer | undefined>;
  tree(name: string): Promise<XmlElement | undefined>;
  relations(part: string): Promise<ReadonlyMap<string, Relation>>;
}

const FORMAT_OF_ROOT = new Map(
  Object.entries<Format>({
    document: "docx",
    presentation: "pptx",
    workbook: "xlsx",
  }),
);

export async function openOffice(bytes: Buffer, limits: ExtractLimits): Promise<OfficeFile> {
  const archive = await openArchive(bytes, limits);
  const tree = (name: string) => readTree(archive, name, limits.xmlDepth);
  const relations = async (part: string) => {
    const { dir, base } = posix.parse(part);
    const root = await tree(posix.join(dir, "_rels", `${base}.rels`));
    return toRelations(root, dir);
  };
  const main = await mainPart(archive, await relations(""));
  // Damaged properties cost the title, not the text.
  const core = await tree("docProps/core.xml").catch(() => undefined);
  const properties = PROPERTIES.map((name) => textOf(child(core, name)).trim());
  const title = titleOf(properties[0] ?? "");
  return { archive, main, title, properties, part: archive.read, tree, relations };
}

export async function readTree(
  archive: Archive,
  name: string,
  maxDepth: number,
): Promise<XmlElement | undefined> {
  const part = await archive.read(name);
  return part === undefined ? undefined : parseXml(part, maxDepth);
}

export function targetOf(
  relations: ReadonlyMap<string, Relation>,
  type: string,
): string | undefined {
  return [...relations.values()].find((relation) => relation.type === type)?.target;
}

/** EPUB and OpenDocument files name their type in the part `mimetype`. */
const FORMAT_OF_TYPE: readonly (readonly [string, Format])[] = [
  ["application/epub+zip", "epub"],
  ["application/vnd.oasis.opendocument.text", "odt"],
  ["application/vnd.oasis.opendocument.spreadsheet", "ods"],
  ["application/vnd.oasis.opendocument.presentation", "odp"],
];

export async function archiveFormat(bytes: Buffer, limits: ExtractLimits): Promise<Format> {
  const archive = await openArchive(bytes, limits);
  const type = (await archive.read("mimetype"))?.subarray(0, 100).toString("latin1").trim() ?? "";
  const named = FORMAT_OF_TYPE.find(([start]) => type.startsWith(start))?.[1];
  if (named !== undefined) return named;
  if (archive.has("META-INF/container.xml")) return "epub";
  if (!archive.has("[Content_Types].xml") && !archive.has("_rels/.rels"))
    throw unsupportedFormat("zip");
  const office = await openOffice(bytes, limits);
  const part = await office.part(office.main);
  // The root element decides the format, not the file's extension. Binary workbooks have no XML root.
  const head = part?.subarray(0, 4096).toString("latin1").replaceAll("\u0000", "") ?? "";
  const root = /<(?:\w+:)?(document|presentation|workbook)[\s>]/.exec(head)?.[1] ?? "";
  const format = FORMAT_OF_ROOT.get(root);
  if (format === undefined)
    throw corrupt("The file is an archive, but not a DOCX, PPTX or XLSX document.");
  return format;
}

async function mainPart(
  archive: Archive,
  relations: ReadonlyMap<string, Relation>,
): Promise<string> {
  const named = targetOf(relations, "officeDocument");
  const usual = ["word/document.xml", "ppt/presentation.xml", "xl/workbook.xml"];
  const found = [named, ...usual].find((name) => name !== undefined && archive.has(name));
  if (found === undefined)
    throw corrupt("The file is an archive, but not a DOCX, PPTX or XLSX document.");
  return found;
}

function toRelations(root: XmlElement | undefined, dir: string): ReadonlyMap<string, Relation> {
  const relations = new Map<string, Relation>();
  for (const { attributes } of elements(root)) {
    const { Id, Type, Target, TargetMode } = attributes;
    if (Id === undefined || Target === undefined || TargetMode === "External") continue;
    const target = Target.startsWith("/") ? Target.slice(1) : posix.join(dir, Target);
    relations.set(Id, { type: Type?.split("/").at(-1) ?? "", target });
  }
  return relations;
}

const PROPERTIES = ["title", "subject", "keywords", "description", "category"];

function titleOf(title: string): string {
  // Titles left over from templates, or a path on the author's machine.
  return isInstruction(title) ||
    /^(?:slide \d+|powerpoint presentation|untitled|document\d*|presentation\d*|title|無題|.*\.(?:docx?|pptx?|xlsx?))$/i.test(
      title,
    )
    ? ""
    : title;
}
