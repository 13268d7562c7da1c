// What a file's name says it is; its content has the last word.
import { CONTRACT_FORMATS, FORMATS, type Format } from "./document.ts";
import { KnowledgeError } from "./errors.ts";

/** In addition to the format's own name. */
const OTHER_EXTENSIONS: readonly (readonly [Format, string])[] = [
  ["docx", "docm dotx"],
  ["pptx", "pptm ppsx potx"],
  ["xlsx", "xlsm xltx"],
  ["html", "htm xhtml"],
  ["jpg", "jpeg"],
  ["md", "markdown mdx"],
  ["txt", "text rst adoc asciidoc org tex"],
  ["csv", "tsv"],
  ["json", "jsonl ndjson geojson"],
  ["odt", "ott"],
  ["ods", "ots"],
  ["odp", "otp"],
  ["xml", "xsd xsl xslt rss atom"],
  ["yaml", "yml"],
  [
    "code",
    "ts tsx mts cts js jsx mjs cjs vue svelte py pyi rb go rs java kt kts scala groovy gradle c h cc cpp cxx hh hpp cs fs " +
      "php swift m mm dart lua pl pm r jl ex exs erl hs clj sh bash zsh fish ps1 bat sql css scss less tf hcl proto " +
      "graphql gql ini cfg conf properties cmake",
  ],
];

const EXTENSIONS: ReadonlyMap<string, Format> = new Map([
  // Code is no extension: it has those of its languages.
  ...FORMATS.filter((format) => format !== "code").map(
    (format) => [format as string, format] as const,
  ),
  ...OTHER_EXTENSIONS.flatMap(([format, names]) =>
    names.split(" ").map((name) => [name, format] as const),
  ),
]);

/** Files that are known without an extension. */
const WHOLE_NAMES: ReadonlyMap<string, Format> = new Map([
  ["dockerfile", "code"],
  ["makefile", "code"],
  ["jenkinsfile", "code"],
]);

export function formatOfName(filename: string): Format | undefined {
  const name = /[^/\\]*$/.exec(filename)?.[0].toLowerCase() ?? "";
  const extension = /\.([^.]+)$/.exec(name)?.[1];
  return extension === undefined ? WHOLE_NAMES.get(name) : EXTENSIONS.get(extension);
}

const BINARY: ReadonlySet<Format> = new Set([
  ...(["pdf", "docx", "pptx", "xlsx", "jpg", "png"] as const),
  ...(["epub", "odt", "ods", "odp"] as const),
]);

/** The format that a name promises, where text can never be a file of it. */
export function binaryFormatOfName(filename: string): Format | undefined {
  const format = formatOfName(filename);
  return format !== undefined && BINARY.has(format) ? format : undefined;
}

/** Not a document but many: each file in it is one. */
export function isArchiveName(filename: string): boolean {
  return /\.zip$/i.test(filename);
}

const PICTURES: ReadonlySet<Format | undefined> = new Set(["jpg", "png", "svg"]);

/** Icons and arrows, by what an add said of them: in a folder nobody means them. */
export function isPlainPicture(filename: string, error: string): boolean {
  return error.toUpperCase() === "EMPTY_DOCUMENT" && PICTURES.has(formatOfName(filename));
}

/** What can be added beyond the contract's eight, as a person reads it. */
export const OTHER_FORMATS: readonly string[] = [
  ...FORMATS.slice(CONTRACT_FORMATS.length)
    .filter((format) => format !== "code")
    .map((format) => format.toUpperCase()),
  "ZIP",
];

/** The contract's sentence, then the other formats; whoever finds out: the name alone, or the content. */
export function unsupportedFormat(extension: string): KnowledgeError {
  return unsupportedKind(shownAs(extension));
}

/** The name promises a format that is read, and the content is of a kind that is not. */
export function unsupportedContent(extension: string): KnowledgeError {
  return unsupportedKind(`${shownAs(extension)} by name, but of another kind by content`);
}

const shownAs = (extension: string) =>
  extension === "" ? "unknown" : `.${extension.toLowerCase().slice(0, 20)}`;

function unsupportedKind(shown: string): KnowledgeError {
  return new KnowledgeError(
    "UNSUPPORTED_FORMAT",
    `Unsupported file format: ${shown}. Use PDF, DOCX, PPTX, XLSX, HTML, JPG, PNG, or SVG. ` +
      `Also read: ${OTHER_FORMATS.join(", ")}, and source code.`,
    { details: { supported_formats: CONTRACT_FORMATS } },
  );
}
