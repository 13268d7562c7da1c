import type { Format } from "./document.ts";

const EXTENSIONS = new Map<string, Format>([
  ["pdf", "pdf"],
  ["docx", "docx"],
  ["docm", "docx"],
  ["dotx", "docx"],
  ["pptx", "pptx"],
  ["pptm", "pptx"],
  ["ppsx", "pptx"],
  ["potx", "pptx"],
  ["xlsx", "xlsx"],
  ["xlsm", "xlsx"],
  ["xltx", "xlsx"],
  ["html", "html"],
  ["htm", "html"],
  ["xhtml", "html"],
  ["jpg", "jpg"],
  ["jpeg", "jpg"],
  ["png", "png"],
  ["svg", "svg"],
  ["md", "md"],
  ["markdown", "md"],
  ["mdx", "md"],
  ["txt", "txt"],
  ["text", "txt"],
  ["log", "txt"],
  ["csv", "csv"],
  ["tsv", "csv"],
  ["json", "json"],
  ["jsonl", "json"],
  ["ndjson", "json"],
]);

/** What a file's name says it is; its content has the last word. */
export function formatOfName(filename: string): Format | undefined {
  const extension = /\.([^./\\]+)$/.exec(filename)?.[1]?.toLowerCase();
  return extension === undefined ? undefined : EXTENSIONS.get(extension);
}
