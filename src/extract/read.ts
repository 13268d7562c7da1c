// One file → one document: look at the content, let its format's reader write it.
import type { ExtractedDocument, Format } from "../domain/document.ts";
import { KnowledgeError } from "../domain/errors.ts";
import { formatOfName } from "../domain/format-name.ts";
import { oneLine } from "../text/clean/clean.ts";
import type { ExtractLimits } from "./limits.ts";
import type { ReadEvents, Reader, ReadOutcome, ReadSettings, SourceFile } from "./reader.ts";
import { extensionOf, sniff } from "./sniff.ts";
import { openWriter, type Written } from "./writer.ts";

// A format's libraries are loaded when a file of that format comes, not before.
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
};

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
  return {
    async read(file, events) {
      const format = await formatOf(file, limits);
      const out = openWriter(limits.characters);
      warnOfName(file.filename, format, out.warn);
      const read = await readerOf(format);
      const outcome = await read({ ...file, ...settings, ...events, out });
      return toDocument(format, outcome, out.finish());
    },
  };
}

function toDocument(format: Format, outcome: ReadOutcome, written: Written): ExtractedDocument {
  if (written.text.trim() === "") {
    const why = written.warnings.length === 0 ? "" : ` ${written.warnings.join(" ")}`;
    throw new KnowledgeError("EMPTY_DOCUMENT", `No text was found in the file.${why}`);
  }
  const opening = written.blocks.slice(0, 3).find((block) => block.kind === "heading");
  const first = written.blocks.find((block) => block.level === 1) ?? opening;
  const heading = first === undefined ? "" : written.text.slice(first.start, first.end);
  const title = oneLine(outcome.title ?? heading.replace(/^#+ /, "")).slice(0, 300);
  return {
    format,
    method: outcome.method,
    ...(title === "" ? {} : { title }),
    text: written.text,
    blocks: written.blocks,
    pages: written.pages,
    warnings: written.warnings,
  };
}

async function formatOf({ bytes, filename }: SourceFile, limits: ExtractLimits): Promise<Format> {
  const sniffed = sniff(bytes, filename);
  if (sniffed !== "ooxml") return sniffed;
  const { officeFormat } = await import("./office/office.ts");
  return officeFormat(bytes, limits);
}

function warnOfName(filename: string, format: Format, warn: (message: string) => void): void {
  const named = formatOfName(filename);
  if (named === format || extensionOf(filename) === "") return;
  warn(
    `The file is named .${extensionOf(filename)}, but it is ${format.toUpperCase()} and was read as that.`,
  );
}
