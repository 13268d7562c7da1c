// Cell styles in which a value is not shown, or cannot be read.
import type { HiddenKind } from "../../../domain/document.ts";
import { unseenKind } from "../../hidden/appearance.ts";
import { looksSame, type Rgb, toRgb, WHITE } from "../../hidden/colour.ts";
import { child, elements, type XmlElement } from "../xml.ts";

export type UnseenOf = (style: string | undefined) => HiddenKind | undefined;

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
    return unseenKind({
      points: Number(child(font, "sz")?.attributes["val"] ?? 11),
      colour: colourOf(child(font, "color")),
      behind: isWhiteFill(fills[Number(attributes["fillId"] ?? 0)]) ? WHITE : null,
    });
  });
  return (style) => kinds[Number(style ?? 0)];
}

/** The theme's first colour is the paper's. */
function colourOf(colour: XmlElement | undefined): Rgb | undefined {
  const { rgb = "", theme, tint } = colour?.attributes ?? {};
  return toRgb(rgb.slice(-6)) ?? (theme === "0" && tint === undefined ? WHITE : undefined);
}

function isWhiteFill(fill: XmlElement | undefined): boolean {
  const pattern = child(fill, "patternFill");
  const type = pattern?.attributes["patternType"] ?? "none";
  if (type === "none") return child(fill, "gradientFill") === undefined;
  const colour = colourOf(child(pattern, "fgColor"));
  return type === "solid" && colour !== undefined && looksSame(colour, WHITE);
}
