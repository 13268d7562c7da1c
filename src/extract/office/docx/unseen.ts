// Runs that Word does not show, or that nobody could read on the page.
import type { HiddenKind } from "../../../domain/document.ts";
import { unseenKind } from "../../hidden/appearance.ts";
import { toRgb, WHITE } from "../../hidden/colour.ts";
import { child, descendants, type XmlElement } from "../xml.ts";

/** `isWhite`: nothing but the white page is behind the text, as far as the file says. */
export function unseenRun(style: XmlElement | undefined, isWhite: boolean): HiddenKind | undefined {
  if (style === undefined) return undefined;
  const value = (name: string) => child(style, name)?.attributes["val"];
  if (isOn(child(style, "vanish"))) return "hidden";
  // Of 100,000: how much of the text's colour is left out.
  const alpha = descendants(child(style, "textFill"), "alpha")[0]?.attributes["val"];
  const isPlain = isWhite && child(style, "shd") === undefined && value("highlight") === undefined;
  return unseenKind({
    points: Number(value("sz") ?? 24) / 2,
    opacity: 1 - Number(alpha ?? 0) / 100_000,
    colour: toRgb(value("color") ?? ""),
    behind: isPlain ? WHITE : null,
  });
}

export function isOn(element: XmlElement | undefined): boolean {
  if (element === undefined) return false;
  return !["0", "false", "off", "none"].includes(element.attributes["val"] ?? "true");
}
