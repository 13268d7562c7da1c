// Names a fetched page: the format comes from the Content-Type header, the rest from its address.
import type { KnowledgeError } from "../../domain/errors.ts";
import { formatOfName, unsupportedFormat } from "../../domain/format-name.ts";

export const EXTENSIONS_BY_TYPE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "text/html": "html",
    "application/xhtml+xml": "html",
    "application/pdf": "pdf",
    "text/plain": "txt",
    "text/markdown": "md",
    "text/x-markdown": "md",
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
    "application/json": "json",
    "application/ld+json": "json",
    "application/geo+json": "geojson",
    "application/x-ndjson": "ndjson",
    "application/xml": "xml",
    "text/xml": "xml",
    "application/rss+xml": "xml",
    "application/atom+xml": "xml",
    "application/yaml": "yaml",
    "text/yaml": "yaml",
    "application/toml": "toml",
    "application/rtf": "rtf",
    "text/rtf": "rtf",
    "message/rfc822": "eml",
    "application/epub+zip": "epub",
    "application/msword": "doc",
    "application/vnd.ms-excel": "xls",
    "application/vnd.ms-powerpoint": "ppt",
    "application/vnd.ms-outlook": "msg",
    "application/x-fictionbook+xml": "fb2",
    "image/jpeg": "jpg",
    "image/png": "png",
    "image/svg+xml": "svg",
    "application/x-ipynb+json": "ipynb",
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/vnd.oasis.opendocument.presentation": "odp",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  }),
);

/** Generic types: the URL's extension decides, else the content. */
const VAGUE: ReadonlySet<string> = new Set(["", "application/octet-stream", "binary/octet-stream"]);

/** Throws for an unsupported type, before any of the body is read. */
export function pageName(url: URL, contentType: string | undefined): string {
  const type = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const last = lastSegment(url);
  const format = formatOfName(last);
  const isText = type === "text/plain" || VAGUE.has(type);
  if (isText && format !== undefined) return last;
  const extension = EXTENSIONS_BY_TYPE.get(type) ?? (type.startsWith("text/") ? "txt" : undefined);
  if (extension === undefined)
    throw VAGUE.has(type) ? unknownType() : unsupportedFormat(shortOf(type));
  const isSame = format !== undefined && format === formatOfName(`x.${extension}`);
  return isSame ? last : `${last || url.hostname}.${extension}`;
}

export function lastSegment({ pathname }: URL): string {
  const last = pathname.split("/").filter(Boolean).at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    // A percent sign that stands for itself.
    return last;
  }
}

function shortOf(type: string): string {
  return /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/.test(type) ? (type.split("/")[1] ?? "") : "";
}

function unknownType(): KnowledgeError {
  return unsupportedFormat("");
}
