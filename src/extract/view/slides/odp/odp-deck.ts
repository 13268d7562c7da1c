// One slide of an OpenDocument presentation, with its master and the styles of both.
import type { ExtractLimits } from "../../../limits.ts";
import { eachElement, elements, type XmlElement } from "../../../office/xml.ts";
import { type Archive, openArchive } from "../../../office/zip.ts";
import { lengthOf, openStyles, type Styles } from "./odp-styles.ts";

export interface OdpDeck {
  readonly archive: Archive;
  readonly page: XmlElement;
  readonly master: XmlElement | undefined;
  readonly styles: Styles;
  readonly size: { readonly width: number; readonly height: number };
  readonly number: number;
}

const USUAL = { width: 720, height: 540 };
const MAX_SIDE = 5_000;

/** Undefined if the slide does not exist. */
export async function openOdpDeck(
  bytes: Buffer,
  number: number,
  limits: ExtractLimits,
): Promise<OdpDeck | undefined> {
  const archive = await openArchive(bytes, limits);
  const parts = {
    styles: [] as XmlElement[],
    pages: [] as XmlElement[],
    masters: [] as XmlElement[],
  };
  const depth = limits.xmlDepth;
  eachElement((await archive.read("styles.xml")) ?? NOTHING, depth, IN_STYLES, (element) => {
    if (element.name === "master-styles") parts.masters.push(...elements(element));
    else parts.styles.push(element);
  });
  eachElement((await archive.read("content.xml")) ?? NOTHING, depth, IN_CONTENT, (element) => {
    if (element.name === "page") parts.pages.push(element);
    else parts.styles.push(element);
  });
  const page = parts.pages[number - 1];
  if (page === undefined) return undefined;
  const wanted = page.attributes["master-page-name"];
  const master = parts.masters.find(({ attributes }) => attributes["style:name"] === wanted);
  const layouts = parts.styles.flatMap(elements).filter(({ name }) => name === "page-layout");
  const layout = layouts.find(
    ({ attributes }) => attributes["style:name"] === master?.attributes["page-layout-name"],
  );
  return { archive, page, master, styles: openStyles(parts.styles), size: sizeOf(layout), number };
}

const NOTHING = Buffer.from("<nothing/>");
const IN_STYLES = new Set(["styles", "automatic-styles", "master-styles"]);
const IN_CONTENT = new Set(["automatic-styles", "page"]);

function sizeOf(layout: XmlElement | undefined): OdpDeck["size"] {
  const properties = layout && elements(layout)[0]?.attributes;
  const [width = 0, height = 0] = [properties?.["page-width"], properties?.["page-height"]].map(
    (side) => lengthOf(side),
  );
  const isUsable = (side: number) => side >= 10 && side <= MAX_SIDE;
  return isUsable(width) && isUsable(height) ? { width, height } : USUAL;
}
