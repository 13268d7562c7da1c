// Detects a file's format by its content; the name only distinguishes text formats.

import type { Format } from "../domain/document.ts";
import { KnowledgeError } from "../domain/errors.ts";
import { formatOfName, unsupportedContent, unsupportedFormat } from "../domain/format-name.ts";
import { toMessage } from "../domain/phrases/messages.ts";
import { corrupt } from "./failures.ts";

/** Office files and e-books are zip archives, older ones another container; their parts show the format. */
export type Sniffed = Format | "zip" | "compound";

/** Markup inside these formats is part of their text. */
const NEVER_MARKUP: readonly Format[] = ["md", "txt", "eml", "log", "code"];
const MAYBE_MARKUP: readonly Format[] = ["csv", "json", "html", "ipynb", "xml", "yaml", "toml"];
const TEXT_FORMATS = [...NEVER_MARKUP, ...MAYBE_MARKUP];

export function extensionOf(filename: string): string {
  return /\.(\w{1,12})$/.exec(filename)?.[1]?.toLowerCase() ?? "";
}

export function sniff(bytes: Buffer, filename: string): Sniffed {
  const named = formatOfName(filename);
  if (bytes.length === 0) {
    throw new KnowledgeError("EMPTY_DOCUMENT", toMessage("empty"));
  }
  const isText = named !== undefined && TEXT_FORMATS.includes(named) && !isBinary(bytes);
  const binary = byMagic(bytes);
  // Text may mention PDF's signature, and a PDF may have bytes before it.
  if (binary !== undefined && !(isText && binary === "pdf" && bytes[0] !== 0x25)) return binary;
  if (isForeign(bytes)) {
    const extension = extensionOf(filename);
    throw named === undefined ? unsupportedFormat(extension) : unsupportedContent(extension);
  }
  if (isBinary(bytes)) throw unreadable(filename, named);
  const markup = byMarkup(bytes);
  if (markup !== undefined && !NEVER_MARKUP.some((format) => format === named)) return markup;
  if (isText) return named;
  if (named === undefined && extensionOf(filename) === "") return markup ?? "txt";
  throw unreadable(filename, named);
}

function byMagic(bytes: Buffer): Sniffed | undefined {
  const head = bytes.subarray(0, 1024).toString("latin1");
  if (head.includes("%PDF-")) return "pdf";
  if (head.startsWith("PK\u0003\u0004")) return "zip";
  if (head.startsWith("{\\rtf")) return "rtf";
  if (head.startsWith("\u0089PNG\r\n\u001a\n")) return "png";
  if (head.startsWith("\u00ff\u00d8\u00ff")) return "jpg";
  if (head.startsWith("\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1")) return "compound";
  return undefined;
}

// Programs, archives, images, audio and video in unsupported formats, even with a supported extension.
const FOREIGN =
  "\u007fELF|MZ|\u00ca\u00fe\u00ba\u00be|\u00cf\u00fa\u00ed\u00fe|\u001f\u008b|7z\u00bc\u00af|Rar!|GIF8|RIFF|OggS|ID3|SQLite format 3".split(
    "|",
  );

function isForeign(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 16).toString("latin1");
  return FOREIGN.some((magic) => head.startsWith(magic)) && isBinary(bytes);
}

function byMarkup(bytes: Buffer): Format | undefined {
  // UTF-16 markup becomes ASCII when the zeros are removed.
  const head = bytes.subarray(0, 8192).toString("latin1").replaceAll("\u0000", "");
  const bare = head
    .replace(/^[^<]{0,8}/, "")
    .replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, "")
    .trimStart();
  if (/^<!DOCTYPE\s+html|^<html[\s>]|^<(?:head|body|title|meta)[\s>]/i.test(bare)) return "html";
  // The root element may come after a doctype whose internal subset contains any punctuation.
  if (/^<FictionBook[\s>]/.test(bare)) return "fb2";
  if (/^(?:<!DOCTYPE\s+(?:\w+:)?svg[\s\S]*?)?<(?:\w+:)?svg[\s>]/i.test(bare)) return "svg";
  return undefined;
}

/** Control bytes that no supported text encoding uses. UTF-16 passes because its zeros are regular. */
function isBinary(bytes: Buffer): boolean {
  const sample = bytes.subarray(0, 4096);
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return false;
  let control = 0;
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
    else if (byte < 9 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32)) control += 1;
  }
  const [even = 0, odd = 0] = zeros;
  const wide =
    Math.max(even, odd) > sample.length * 0.2 && Math.min(even, odd) < sample.length * 0.05;
  const nul = wide ? 0 : even + odd;
  return control + nul > Math.max(2, sample.length * 0.02);
}

/** CORRUPT_FILE if the name has a supported extension, otherwise UNSUPPORTED_FORMAT. */
function unreadable(filename: string, named: Format | undefined): KnowledgeError {
  const extension = extensionOf(filename);
  if (named === undefined) return unsupportedFormat(extension);
  return corrupt(toMessage("otherContent", extension, named.toUpperCase()));
}
