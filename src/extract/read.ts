// One file → one document, inside a reader's process: look at the content, let its format's reader write it.
import { readFile, stat } from "node:fs/promises";
import type { ExtractedDocument, Format } from "../domain/document.ts";
import { KnowledgeError } from "../domain/errors.ts";
import { formatOfName } from "../domain/format-name.ts";
import { oneLine } from "./clean.ts";
import type { ExtractLimits } from "./limits.ts";
import type { ReadJob } from "./protocol.ts";
import type { ReadContext, Reader, ReadOutcome } from "./reader.ts";
import { extensionOf, sniff } from "./sniff.ts";
import { openWriter, type Written } from "./writer.ts";

// A format's libraries are loaded when a file of that format comes, not before.
const READERS: Readonly<Record<Format, () => Promise<Reader>>> = {
  pdf: async () => (await import("./pdf.ts")).readPdf,
  docx: async () => (await import("./docx.ts")).readDocx,
  pptx: async () => (await import("./pptx.ts")).readPptx,
  xlsx: async () => (await import("./xlsx.ts")).readXlsx,
  html: async () => (await import("./html.ts")).readHtml,
  jpg: async () => (await import("./image.ts")).readImage,
  png: async () => (await import("./image.ts")).readImage,
  svg: async () => (await import("./svg.ts")).readSvg,
  md: async () => (await import("./plain.ts")).readMarkdown,
  txt: async () => (await import("./plain.ts")).readText,
  csv: async () => (await import("./plain.ts")).readCsv,
  json: async () => (await import("./plain.ts")).readJson,
};

export async function readDocument(
  job: ReadJob,
  told: Pick<ReadContext, "progress" | "alive">,
): Promise<ExtractedDocument> {
  const bytes = await load(job.path, job.limits);
  const format = await formatOf(bytes, job);
  const out = openWriter(job.limits.characters);
  warnOfName(job.filename, format, out.warn);
  const read = await READERS[format]();
  const context: ReadContext = { ...job, ...told, bytes, out };
  const outcome = await read(context);
  return toDocument(format, outcome, out.finish());
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

async function load(path: string, limits: ExtractLimits): Promise<Buffer> {
  const { size } = await stat(path).catch((cause: unknown) => {
    throw new KnowledgeError("FILE_NOT_FOUND", "There is no such file, or it may not be read.", {
      cause,
    });
  });
  if (size > limits.fileBytes) throw fileTooLarge(size, limits.fileBytes);
  return readFile(path);
}

function fileTooLarge(size: number, limit: number): KnowledgeError {
  const inMb = (bytes: number) => Math.ceil(bytes / (1024 * 1024));
  return new KnowledgeError(
    "FILE_TOO_LARGE",
    `File size (${inMb(size)} MB) exceeds maximum allowed size (${inMb(limit)} MB)`,
    { details: { max_size_mb: inMb(limit) } },
  );
}

async function formatOf(bytes: Buffer, job: ReadJob): Promise<Format> {
  const sniffed = sniff(bytes, job.filename);
  if (sniffed !== "ooxml") return sniffed;
  const { officeFormat } = await import("./office.ts");
  return officeFormat(bytes, job);
}

function warnOfName(filename: string, format: Format, warn: (message: string) => void): void {
  const named = formatOfName(filename);
  if (named === format || extensionOf(filename) === "") return;
  warn(
    `The file is named .${extensionOf(filename)}, but it is ${format.toUpperCase()} and was read as that.`,
  );
}
