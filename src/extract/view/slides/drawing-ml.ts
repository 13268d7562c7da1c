// Elements of PowerPoint's drawings, made of what another format says.
import { type Look, shareOf } from "../../office/odf/styles.ts";
import type { XmlElement } from "../../office/xml.ts";
import { POINT } from "./paint.ts";

type Part = XmlElement | string | undefined;

export function element(name: string, attributes: Look, ...children: readonly Part[]): XmlElement {
  const given = Object.entries(attributes).filter((each): each is [string, string] => !!each[1]);
  const parts = children.filter((part) => part !== undefined);
  return { name, attributes: Object.fromEntries(given), children: parts };
}

export const emu = (points: number) => String(Math.round(points * POINT));

export function solidFill(colour: string, opacity?: string): XmlElement {
  const alpha = shareOf(opacity);
  const share = alpha === undefined ? undefined : element("alpha", { val: `${alpha * 100_000}` });
  return element("solidFill", {}, element("srgbClr", { val: colour.slice(1) }, share));
}

export const isColour = (text: string | undefined): text is string =>
  /^#[0-9a-f]{6}$/i.test(text ?? "");
