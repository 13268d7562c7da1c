// Runs that Word does not show, or that nobody could read on the page.
import type { HiddenKind } from "../../../domain/document.ts";
import { looksSame, toRgb, WHITE } from "../../hidden/colour.ts";
import { child, descendants, type XmlElement } from "../xml.ts";

// In half points.
const TINY = 3;
// Of 100,000: how much of the text's colour is left out.
const TRANSPARENT = 95_000;

/** `isWhite`: nothing but the white page is behind the text, as far as the file says. */
export function unseenRun(style: XmlElement | undefined, isWhite: boolean): HiddenKind | undefined {
  if (style === undefined) return undefined;
  const value = (name: string) => child(style, name)?.attributes["val"];
  if (isOn(child(style, "vanish"))) return "hidden";
  if (Number(value("sz") ?? 9) <= TINY) return "too-small";
  const alpha = descendants(child(style, "textFill"), "alpha")[0]?.attributes["val"];
  if (Number(alpha ?? 0) >= TRANSPARENT) return "transparent";
  const colour = toRgb(value("color") ?? "");
  const isPlain = isWhite && child(style, "shd") === undefined && value("highlight") === undefined;
  return colour && isPlain && looksSame(colour, WHITE) ? "same-colour" : undefined;
}

export function isOn(element: XmlElement | undefined): boolean {
  if (element === undefined) return false;
  return !["0", "false", "off", "none"].includes(element.attributes["val"] ?? "true");
}
