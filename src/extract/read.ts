// One file → one document: detects the format by its content and calls that format's reader.

import type { ExtractedDocument, Format } from "../domain/document.ts";
import { KnowledgeError } from "../domain/errors.ts";
import { formatOfName } from "../domain/format-name.ts";
import { type Message, toEnglish, toMessage } from "../domain/phrases/messages.ts";
import { oneLine } from "../text/clean/clean.ts";
import { damaged, overLimit } from "./failures.ts";
import { type ExtractLimits, mostCharacters } from "./limits.ts";
import type { ReadEvents, Reader, ReadOutcome, ReadSettings, SourceFile } from "./reader.ts";
import { extensionOf, sniff } from "./sniff.ts";
import { openWriter, type Writer, type Written } from "./writer.ts";

// A format's libraries are loaded for the first file of that format.
const READERS: Readonly<Record<Format, () => Promise<Reader>>> = {
  pdf: async () => (await import("./pdf/pdf.ts")).readPdf,
  docx: async () => (await import("./office/docx/docx.ts")).readDocx,
  pptx: async () => (await import("./office/pptx/pptx.ts")).readPptx,
  xlsx: async () => (await import("./office/xlsx/xlsx.ts")).readXlsx,
  html: async () => (await import("./html/html.ts")).readHtml,
  jpg: async () => (await import("./image/image.ts")).readImage,
  png: async () => (await import("./image/image.ts")).readImage,
  svg: async () => (await import("./image/svg.ts")).readSvg,
  md: async () => (await import("./plain/plain.ts")).readMarkdown,
  txt: async () => (await import("./plain/plain.ts")).readText,
  csv: async () => (await import("./plain/plain.ts")).readCsv,
  json: async () => (await import("./plain/plain.ts")).readJson,
  epub: async () => (await import("./html/epub.ts")).readEpub,
  odt: async () => (await import("./office/odf/flow.ts")).readOdt,
  ods: async () => (await import("./office/odf/ods.ts")).readOds,
  odp: async () => (await import("./office/odf/flow.ts")).readOdp,
  rtf: async () => (await import("./plain/rtf.ts")).readRtf,
  eml: async () => (await import("./mail/eml.ts")).readEml,
  msg: async () => damageIsNamed((await import("./mail/msg.ts")).readMsg),
  doc: async () => damageIsNamed((await import("./office/binary/word.ts")).readDoc),
  xls: async () => damageIsNamed((await import("./office/binary/excel.ts")).readXls),
  ppt: async () => damageIsNamed((await import("./office/binary/powerpoint.ts")).readPpt),
  fb2: async () => (await import("./html/epub.ts")).readFb2,
  ipynb: async () => (await import("./plain/notebook.ts")).readNotebook,
  xml: async () => (await import("./plain/xml-text.ts")).readXml,
  yaml: async () => (await import("./plain/code.ts")).readCode,
  toml: async () => (await import("./plain/code.ts")).readCode,
  log: async () => (await import("./plain/code.ts")).readLog,
  code: async () => (await import("./plain/code.ts")).readCode,
};

// A mail in a mail in a mail; deeper nesting is an attack.
const DEEPEST_PART = 3;
// Of the warnings, those that say why a file has no text.
const MAX_REASONS = 5;

export interface Readers {
  read(file: SourceFile, events: ReadEvents): Promise<ExtractedDocument>;
}

export function openReaders(settings: ReadSettings): Readers {
  const { limits } = settings;
  const loaded = new Map<Format, Reader>();
  const readerOf = async (format: Format): Promise<Reader> => {
    const reader = loaded.get(format) ?? (await READERS[format]());
    loaded.set(format, reader);
    return reader;
  };
  const readInto = async (file: SourceFile, surroundings: Surroundings, depth: number) => {
    const format = await formatOf(file, limits);
    const { out } = surroundings;
    warnOfName(file.filename, format, out.warn);
    const read = await readerOf(format);
    const readPart = async (part: Pick<SourceFile, "bytes" | "filename">) => {
      if (depth >= DEEPEST_PART) throw overLimit(`files are nested ${depth} levels deep`);
      await readInto({ ...part, forceOcr: false }, surroundings, depth + 1);
    };
    return { format, outcome: await read({ ...file, ...settings, ...surroundings, readPart }) };
  };
  return {
    async read(file, events) {
      const out = openWriter(mostCharacters(file.bytes.length, limits));
      const { format, outcome } = await readInto(file, { ...events, out }, 0);
      return toDocument(format, outcome, out.finish());
    },
  };
}

/** What a file and the files inside it share. */
type Surroundings = ReadEvents & { readonly out: Writer };

function toDocument(format: Format, outcome: ReadOutcome, written: Written): ExtractedDocument {
  if (written.text.trim() === "") {
    const why = [
      "No text was found in the file.",
      ...written.warnings.slice(0, MAX_REASONS).map(toEnglish),
    ];
    throw new KnowledgeError("EMPTY_DOCUMENT", why.join(" "));
  }
  const opening = written.blocks.slice(0, 3).find((block) => block.kind === "heading");
  const first = written.blocks.find((block) => block.level === 1) ?? opening;
  const heading = first === undefined ? "" : written.text.slice(first.start, first.end);
  const title = oneLine(outcome.title ?? heading.replace(/^#+ /, "")).slice(0, 300);
  return {
    format,
    method: outcome.method,
    ...(title === "" ? {} : { title }),
    ...(outcome.metadata === undefined ? {} : { metadata: outcome.metadata }),
    text: written.text,
    blocks: written.blocks,
    pages: written.pages,
    ...(written.hidden.length === 0 ? {} : { hidden: written.hidden }),
    warnings: written.warnings,
  };
}

/** Readers of binary files follow offsets; one that leads outside means that the file is damaged. */
function damageIsNamed(reader: Reader): Reader {
  return async (context) => {
    try {
      return await reader(context);
    } catch (thrown) {
      if (thrown instanceof RangeError) throw damaged(thrown);
      throw thrown;
    }
  };
}

async function formatOf({ bytes, filename }: SourceFile, limits: ExtractLimits): Promise<Format> {
  const sniffed = sniff(bytes, filename);
  if (sniffed === "compound") {
    const { compoundFormat } = await import("./office/binary/compound-file.ts");
    return compoundFormat(bytes);
  }
  if (sniffed !== "zip") return sniffed;
  const { archiveFormat } = await import("./office/office.ts");
  return archiveFormat(bytes, limits);
}

function warnOfName(filename: string, format: Format, warn: (message: Message) => void): void {
  const named = formatOfName(filename);
  if (named === format || extensionOf(filename) === "") return;
  warn(toMessage("otherName", extensionOf(filename), format.toUpperCase()));
}
