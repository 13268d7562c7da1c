// PDF files as an attacker writes them: without a table of their objects, and with far more pages than bytes for them.

/** What a page draws: strokes that are no letters, but could be. */
export const STROKES = "0 0 m 300 400 l 9 9 l 2 w S";

/** The first object is the catalog, the others have the numbers 2, 3, and so on. */
function makeRawPdf(objects: readonly string[]): Buffer {
  const numbered = objects.map((object, at) => `${at + 1} 0 obj${object}\nendobj\n`);
  return Buffer.from(`%PDF-1.4\n${numbered.join("")}trailer<</Root 1 0 R>>\n%%EOF`, "latin1");
}

export function makeStream(content: string, entries = ""): string {
  return `<<${entries}/Length ${content.length}>>stream\n${content}\nendstream`;
}

/** `more`: objects from number 4 on that the pages' resources may name. */
export function makePdfPage(
  content: string,
  { resources = "", entries = "", more = [] as readonly string[] } = {},
): Buffer {
  const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<<${resources}>>${entries}`;
  return makeRawPdf([
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Count 1/Kids[3 0 R]>>",
    `${page}/Contents ${4 + more.length} 0 R>>`,
    ...more,
    makeStream(content),
  ]);
}

/** All pages draw the same, so each takes a hundred bytes. */
export function makePdfOfPages(pages: number, content: string): Buffer {
  const kids = Array.from({ length: pages }, (_, at) => `${at + 4} 0 R`);
  const page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<<>>/Contents 3 0 R>>";
  return makeRawPdf([
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Count ${pages}/Kids[${kids.join(" ")}]>>`,
    makeStream(content),
    ...kids.map(() => page),
  ]);
}
