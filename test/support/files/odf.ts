// Writes small OpenDocument files and e-books for tests.
import { makeZip, type ZipParts } from "./zip.ts";

const NAMES = [
  "office",
  "text",
  "table",
  "draw",
  "presentation",
  "meta",
  "style",
  "svg",
  "fo",
  "xlink",
  "loext",
]
  .map((name) => `xmlns:${name}="urn:test:${name}"`)
  .join(" ");

interface OdfExtras {
  /** What styles.xml holds. */
  readonly styles?: string;
  /** The content's own styles. */
  readonly automatic?: string;
  readonly more?: ZipParts;
}

export function makeOdf(
  kind: "text" | "spreadsheet" | "presentation",
  body: string,
  { styles = "", automatic = "", more = {} }: OdfExtras = {},
): Buffer {
  return makeZip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    "content.xml": `<?xml version="1.0"?><office:document-content ${NAMES}><office:automatic-styles>${automatic}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    "META-INF/manifest.xml": "<manifest/>",
    ...(styles === ""
      ? {}
      : { "styles.xml": `<office:document-styles ${NAMES}>${styles}</office:document-styles>` }),
    ...more,
  });
}

export function makeEpub(title: string, chapters: readonly string[]): Buffer {
  const items = chapters.map(
    (_, at) => `<item id="c${at}" href="c${at}.xhtml" media-type="application/xhtml+xml"/>`,
  );
  const spine = chapters.map((_, at) => `<itemref idref="c${at}"/>`);
  const parts = chapters.map(
    (body, at) => [`OEBPS/c${at}.xhtml`, `<html><body>${body}</body></html>`] as const,
  );
  return makeZip({
    mimetype: "application/epub+zip",
    "META-INF/container.xml":
      '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    "OEBPS/book.opf": `<package><metadata><title>${title}</title></metadata><manifest>${items.join("")}</manifest><spine>${spine.join("")}</spine></package>`,
    ...Object.fromEntries(parts),
  });
}
