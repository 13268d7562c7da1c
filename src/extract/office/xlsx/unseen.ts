// Cell styles in which a value is not shown, or cannot be read.
import type { HiddenKind } from "../../../domain/document.ts";
import { looksSame, toRgb, WHITE } from "../../hidden/colour.ts";
import { child, elements, type XmlElement } from "../xml.ts";

export type UnseenOf = (style: string | undefined) => HiddenKind | undefined;

// In points.
const TINY = 1.5;

export function openUnseenStyles(root: XmlElement | undefined): UnseenOf {
  const fonts = elements(child(root, "fonts"));
  const fills = elements(child(root, "fills"));
  const blank = new Set(
    elements(child(root, "numFmts"))
      .filter(({ attributes }) => /^\s*;\s*;\s*;?\s*$/.test(attributes["formatCode"] ?? ""))
      .map(({ attributes }) => attributes["numFmtId"]),
  );
  const kinds = elements(child(root, "cellXfs")).map(({ attributes }): HiddenKind | undefined => {
    if (blank.has(attributes["numFmtId"])) return "hidden";
    const font = fonts[Number(attributes["fontId"] ?? 0)];
    if (Number(child(font, "sz")?.attributes["val"] ?? 11) <= TINY) return "too-small";
    const isOnWhite = isWhiteFill(fills[Number(attributes["fillId"] ?? 0)]);
    return isOnWhite && isWhite(child(font, "color")) ? "same-colour" : undefined;
  });
  return (style) => kinds[Number(style ?? 0)];
}

/** The theme's first colour is the paper's. */
function isWhite(colour: XmlElement | undefined): boolean {
  const { rgb, theme, tint } = colour?.attributes ?? {};
  const written = toRgb(rgb?.slice(-6) ?? "");
  return written === undefined ? theme === "0" && tint === undefined : looksSame(written, WHITE);
}

function isWhiteFill(fill: XmlElement | undefined): boolean {
  const pattern = child(fill, "patternFill");
  const type = pattern?.attributes["patternType"] ?? "none";
  if (type === "none") return child(fill, "gradientFill") === undefined;
  return type === "solid" && isWhite(child(pattern, "fgColor"));
}
