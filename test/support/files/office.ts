// Office files for tests, from the XML that matters.
import { makeZip, type ZipParts } from "./zip.ts";

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const TYPE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const NAMESPACES = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  `xmlns:r="${TYPE}"`,
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"',
  'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"',
].join(" ");

/** Relationships by id: the last word of the type, and the target. */
export type Relations = Readonly<Record<string, readonly [type: string, target: string]>>;

export function relations(entries: Relations): string {
  const lines = Object.entries(entries).map(
    ([id, [type, target]]) =>
      `<Relationship Id="${id}" Type="${TYPE}/${type}" Target="${target}"/>`,
  );
  return `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${lines.join("")}</Relationships>`;
}

function office(main: string, parts: ZipParts): Buffer {
  return makeZip({
    "[Content_Types].xml": `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    "_rels/.rels": relations({ rId1: ["officeDocument", main] }),
    ...parts,
  });
}

export function part(root: string, content: string): string {
  return `${HEAD}<${root} ${NAMESPACES}>${content}</${root.split(" ")[0]}>`;
}

export interface DocxParts {
  readonly body: string;
  readonly relations?: Relations;
  readonly parts?: ZipParts;
}

const STYLES = ["1", "2", "3"]
  .map(
    (level) =>
      `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/></w:style>`,
  )
  .join("");

export function makeDocx({ body, relations: related = {}, parts = {} }: DocxParts): Buffer {
  return office("word/document.xml", {
    "word/document.xml": part("w:document", `<w:body>${body}</w:body>`),
    "word/styles.xml": part("w:styles", STYLES),
    "word/_rels/document.xml.rels": relations({ rStyles: ["styles", "styles.xml"], ...related }),
    ...parts,
  });
}

export function paragraph(text: string, properties = ""): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

export function heading(level: number, text: string): string {
  return paragraph(text, `<w:pStyle w:val="Heading${level}"/>`);
}

export function docxTable(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) =>
    text.startsWith("<w:tc>") ? text : `<w:tc>${paragraph(text)}</w:tc>`;
  return `<w:tbl>${rows.map((row) => `<w:tr>${row.map(cell).join("")}</w:tr>`).join("")}</w:tbl>`;
}

export interface Slide {
  /** Shapes of the slide, as XML. */
  readonly shapes: string;
  readonly relations?: Relations;
}

export function makePptx(slides: readonly Slide[], parts: ZipParts = {}): Buffer {
  const ids = slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 1}"/>`).join("");
  const files: Record<string, string | Buffer> = {};
  const related: Record<string, readonly [string, string]> = {};
  for (const [at, slide] of slides.entries()) {
    related[`rId${at + 1}`] = ["slide", `slides/slide${at + 1}.xml`];
    files[`ppt/slides/slide${at + 1}.xml`] = part(
      "p:sld",
      `<p:cSld><p:spTree>${slide.shapes}</p:spTree></p:cSld>`,
    );
    files[`ppt/slides/_rels/slide${at + 1}.xml.rels`] = relations(slide.relations ?? {});
  }
  return office("ppt/presentation.xml", {
    "ppt/presentation.xml": part("p:presentation", `<p:sldIdLst>${ids}</p:sldIdLst>`),
    "ppt/_rels/presentation.xml.rels": relations(related),
    ...files,
    ...parts,
  });
}

export function shape(lines: readonly string[], placeholder?: string): string {
  const ph = placeholder === undefined ? "" : `<p:ph type="${placeholder}"/>`;
  const text = lines.map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`).join("");
  return `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:nvPr>${ph}</p:nvPr></p:nvSpPr><p:spPr/><p:txBody>${text}</p:txBody></p:sp>`;
}

/** Half the slide wide, at a place in points. */
export function placedShape(lines: readonly string[], [x, y]: readonly [number, number]): string {
  const [left, top, width, height] = [x, y, 360, 60].map((points) => points * 12_700);
  const place = `<a:xfrm><a:off x="${left}" y="${top}"/><a:ext cx="${width}" cy="${height}"/></a:xfrm>`;
  return shape(lines).replace("<p:spPr/>", `<p:spPr>${place}</p:spPr>`);
}

interface Sheet {
  readonly name: string;
  /** Rows and what follows them, as XML: `<row>…</row>`. */
  readonly rows: string;
  readonly after?: string;
  readonly relations?: Relations;
}

export interface Workbook {
  readonly sheets: readonly Sheet[];
  readonly strings?: readonly string[];
  /** Format codes; cell style n (from 1) uses the n-th. */
  readonly formats?: readonly string[];
  readonly parts?: ZipParts;
}

export function makeXlsx({ sheets, strings = [], formats = [], parts = {} }: Workbook): Buffer {
  const list = sheets
    .map((sheet, at) => `<sheet name="${sheet.name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
    .join("");
  const files: Record<string, string | Buffer> = {};
  const related: Record<string, readonly [string, string]> = {
    rStrings: ["sharedStrings", "sharedStrings.xml"],
    rStyles: ["styles", "styles.xml"],
  };
  for (const [at, sheet] of sheets.entries()) {
    related[`rId${at + 1}`] = ["worksheet", `worksheets/sheet${at + 1}.xml`];
    files[`xl/worksheets/sheet${at + 1}.xml`] = part(
      "worksheet",
      `<sheetData>${sheet.rows}</sheetData>${sheet.after ?? ""}`,
    );
    files[`xl/worksheets/_rels/sheet${at + 1}.xml.rels`] = relations(sheet.relations ?? {});
  }
  const codes = formats
    .map(
      (code, at) =>
        `<numFmt numFmtId="${200 + at}" formatCode="${code.replaceAll('"', "&quot;")}"/>`,
    )
    .join("");
  const styles = [
    '<xf numFmtId="0"/>',
    ...formats.map((_, at) => `<xf numFmtId="${200 + at}"/>`),
  ].join("");
  return office("xl/workbook.xml", {
    "xl/workbook.xml": part("workbook", `<sheets>${list}</sheets>`),
    "xl/_rels/workbook.xml.rels": relations(related),
    "xl/sharedStrings.xml": part(
      "sst",
      strings.map((text) => `<si>${text.startsWith("<") ? text : `<t>${text}</t>`}</si>`).join(""),
    ),
    "xl/styles.xml": part("styleSheet", `<numFmts>${codes}</numFmts><cellXfs>${styles}</cellXfs>`),
    ...files,
    ...parts,
  });
}

/** A row of shared strings (numbers into the list, as "s0") and plain numbers. */
export function row(number: number, cells: readonly (string | number)[], style = 0): string {
  const made = cells.map((value, at) => {
    const reference = `${String.fromCharCode(65 + at)}${number}`;
    if (value === "") return "";
    if (typeof value === "string") return `<c r="${reference}" t="s"><v>${value.slice(1)}</v></c>`;
    return `<c r="${reference}" s="${style}"><v>${value}</v></c>`;
  });
  return `<row r="${number}">${made.join("")}</row>`;
}
