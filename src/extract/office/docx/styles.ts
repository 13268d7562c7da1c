// What a paragraph's style defines: heading level, list, table of contents.
import { child, elements, type XmlElement } from "../xml.ts";

export interface ParagraphStyle {
  readonly level?: number;
  readonly numId?: string;
  readonly listLevel?: number;
  readonly contents: boolean;
  readonly code: boolean;
}

export type StyleOf = (id: string | undefined) => ParagraphStyle;

const NONE: ParagraphStyle = { contents: false, code: false };

export function openStyles(root: XmlElement | undefined): StyleOf {
  const byId = new Map<string, XmlElement>();
  for (const element of elements(root)) {
    if (element.name === "style") byId.set(element.attributes["styleId"] ?? "", element);
  }
  const known = new Map<string, ParagraphStyle>();
  const resolve = (id: string, depth: number): ParagraphStyle => {
    const style = byId.get(id);
    // In a damaged file a style may be based on itself.
    if (style === undefined || depth > 20) return NONE;
    const base = child(style, "basedOn")?.attributes["val"];
    return { ...(base === undefined ? NONE : resolve(base, depth + 1)), ...ownStyle(style) };
  };
  return (id = "") => {
    const found = known.get(id) ?? resolve(id, 0);
    known.set(id, found);
    return found;
  };
}

function ownStyle(style: XmlElement): Partial<ParagraphStyle> {
  const name = child(style, "name")?.attributes["val"]?.toLowerCase() ?? "";
  const properties = child(style, "pPr");
  const outline = child(properties, "outlineLvl")?.attributes["val"];
  const level = namedLevel(name) ?? outlineLevel(outline);
  const numId = child(properties, "numPr", "numId")?.attributes["val"];
  const listLevel = child(properties, "numPr", "ilvl")?.attributes["val"];
  return {
    ...(level === undefined ? {} : { level }),
    ...(numId === undefined ? {} : { numId }),
    ...(listLevel === undefined ? {} : { listLevel: Number(listLevel) }),
    ...(/^toc \d$|^table of figures$/.test(name) ? { contents: true } : {}),
    ...(/^(?:html preformatted|code|source code|plain text)$/.test(name) ? { code: true } : {}),
  };
}

function namedLevel(name: string): number | undefined {
  if (name === "title") return 1;
  const heading = /^heading ([1-9])$/.exec(name)?.[1];
  return heading === undefined ? undefined : Number(heading);
}

/** Level nine means body text. */
export function outlineLevel(value: string | undefined): number | undefined {
  return value === undefined || Number(value) > 8 ? undefined : Number(value) + 1;
}
