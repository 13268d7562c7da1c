// What a paragraph's style defines: heading level, list, table of contents.
import type { HiddenKind } from "../../../domain/document.ts";
import { child, elements, type XmlElement } from "../xml.ts";
import { unseenRun } from "./unseen.ts";

export interface ParagraphStyle {
  readonly level?: number | undefined;
  readonly numId?: string | undefined;
  readonly listLevel?: string | undefined;
  readonly contents: boolean;
  readonly code: boolean;
  /** Why its text is not shown. */
  readonly unseen?: HiddenKind | undefined;
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
    return withOwn(style, resolve(child(style, "basedOn")?.attributes["val"] ?? "", depth + 1));
  };
  return (id = "") => {
    const found = known.get(id) ?? resolve(id, 0);
    known.set(id, found);
    return found;
  };
}

function withOwn(style: XmlElement, base: ParagraphStyle): ParagraphStyle {
  const name = child(style, "name")?.attributes["val"]?.toLowerCase() ?? "";
  const value = (...path: readonly string[]) => child(style, "pPr", ...path)?.attributes["val"];
  return {
    level: namedLevel(name) ?? outlineLevel(value("outlineLvl")) ?? base.level,
    numId: value("numPr", "numId") ?? base.numId,
    listLevel: value("numPr", "ilvl") ?? base.listLevel,
    contents: base.contents || /^toc \d$|^table of figures$/.test(name),
    unseen: unseenRun(child(style, "rPr"), false) ?? base.unseen,
    code: base.code || /^(?:html preformatted|code|source code|plain text)$/.test(name),
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
