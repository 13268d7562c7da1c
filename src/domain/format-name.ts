// The format that a file's name suggests; its content decides.
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
  ["txt", "text rst adoc asciidoc org tex latex srt vtt ics vcf"],
  ["csv", "tsv"],
  ["json", "jsonl ndjson geojson"],
  ["doc", "dot"],
  ["xls", "xlt"],
  ["ppt", "pps pot"],
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
  // "code" is not an extension; each language has its own.
  ...FORMATS.filter((format) => format !== "code").map(
    (format) => [format as string, format] as const,
  ),
  ...OTHER_EXTENSIONS.flatMap(([format, names]) =>
    names.split(" ").map((name) => [name, format] as const),
  ),
]);

/** Well-known names without an extension. */
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

/** The text of a plain file is shown as it is; that of a file in another markup was converted to Markdown. */
export function isConvertedText(filename: string): boolean {
  return /\.(?:rst|adoc|asciidoc|org|tex|latex|ics|vcf)$/i.test(filename);
}

const BINARY: ReadonlySet<Format> = new Set([
  ...(["pdf", "docx", "pptx", "xlsx", "jpg", "png"] as const),
  ...(["epub", "odt", "ods", "odp", "doc", "xls", "ppt", "msg"] as const),
]);

/** The format a name suggests, if a text file can never have that format. */
export function binaryFormatOfName(filename: string): Format | undefined {
  const format = formatOfName(filename);
  return format !== undefined && BINARY.has(format) ? format : undefined;
}

/** An archive holds many documents, one per file; a mailbox one per mail. */
export function isArchiveName(filename: string): boolean {
  return /\.zip$/i.test(filename) || isMailboxName(filename);
}

export function isMailboxName(filename: string): boolean {
  return /\.(?:mbox|mbx)$/i.test(filename);
}

const PICTURES: ReadonlySet<Format | undefined> = new Set(["jpg", "png", "svg"]);

/** Icons and arrows, by their warning: nobody wants them when adding a folder. */
export function isPlainPicture(filename: string, error: string): boolean {
  return error.toUpperCase() === "EMPTY_DOCUMENT" && PICTURES.has(formatOfName(filename));
}

/** The formats beyond the contract's eight, as shown to people. */
export const OTHER_FORMATS: readonly string[] = [
  ...FORMATS.slice(CONTRACT_FORMATS.length)
    .filter((format) => format !== "code")
    .map((format) => format.toUpperCase()),
  "MBOX",
  "ZIP",
];

/** The contract's sentence, then the other formats; used for names and for content. */
export function unsupportedFormat(extension: string): KnowledgeError {
  return unsupportedKind(shownAs(extension));
}

/** The name suggests a supported format, but the content is not one. */
export function unsupportedContent(extension: string): KnowledgeError {
  return unsupportedKind(`${shownAs(extension)} by name, but not by content`);
}

const shownAs = (extension: string) =>
  extension === "" ? "unknown" : `.${extension.toLowerCase().slice(0, 20)}`;

function unsupportedKind(shown: string): KnowledgeError {
  return new KnowledgeError(
    "UNSUPPORTED_FORMAT",
    `Unsupported file format: ${shown}. Use PDF, DOCX, PPTX, XLSX, HTML, JPG, PNG, or SVG. ` +
      `Also supported: ${OTHER_FORMATS.join(", ")}, and source code.`,
    { details: { supported_formats: CONTRACT_FORMATS } },
  );
}
