// Writes small OpenDocument files and e-books for tests.
import { makeZip } from "./zip.ts";

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
]
  .map((name) => `xmlns:${name}="urn:test:${name}"`)
  .join(" ");

export function makeOdf(kind: "text" | "spreadsheet" | "presentation", body: string): Buffer {
  return makeZip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    "content.xml": `<?xml version="1.0"?><office:document-content ${NAMES}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    "META-INF/manifest.xml": "<manifest/>",
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
