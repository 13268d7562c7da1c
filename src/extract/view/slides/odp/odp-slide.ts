// An OpenDocument slide as a picture, from the file's geometry.
import type { ExtractLimits } from "../../../limits.ts";
import { descendants, textOf, type XmlElement } from "../../../office/xml.ts";
import { type Canvas, colourValues, openCanvas } from "../drawing/canvas.ts";
import { pictureUrl } from "../shapes/picture.ts";
import { type Slide, toSlide } from "../slide.ts";
import { type OdpDeck, openOdpDeck } from "./odp-deck.ts";
import { drawOdpShapes } from "./odp-shapes.ts";
import { colourOf } from "./odp-styles.ts";

/** Undefined if the slide does not exist. */
export async function drawOdpSlide(
  bytes: Buffer,
  number: number,
  limits: ExtractLimits,
): Promise<Slide | undefined> {
  const deck = await openOdpDeck(bytes, number, limits);
  if (deck === undefined) return undefined;
  const canvas = openCanvas();
  const { width, height } = deck.size;
  canvas.put("rect", { width, height, fill: "#ffffff" });
  const { page } = lookOf(deck.page, deck);
  if (page["background-visible"] !== "false" && deck.master)
    await drawBackground(canvas, deck.master, deck);
  await drawBackground(canvas, deck.page, deck);
  if (page["background-objects-visible"] !== "false" && deck.master)
    await drawOdpShapes(deck.master, { canvas, deck, isMaster: true });
  await drawOdpShapes(deck.page, { canvas, deck, isMaster: false });
  return toSlide(canvas, { ...deck.size, hasText: hasText(deck.page) });
}

function lookOf({ attributes }: XmlElement, { styles }: OdpDeck) {
  return styles.look("drawing-page", attributes["draw:style-name"]);
}

async function drawBackground(canvas: Canvas, sheet: XmlElement, deck: OdpDeck): Promise<void> {
  const { page } = lookOf(sheet, deck);
  const fill = page["draw:fill"];
  const box = { x: 0, y: 0, ...deck.size };
  if (fill === "bitmap") {
    const data = await pictureUrl(
      deck.archive.read,
      deck.styles.fillImage(page["fill-image-name"]),
    );
    if (data) canvas.put("image", { ...box, preserveAspectRatio: "xMidYMid slice", href: data });
    return;
  }
  const colour = fill === "solid" || fill === "gradient" ? colourOf(page["fill-color"]) : undefined;
  if (colour) canvas.put("rect", { ...box, ...colourValues("fill", colour) });
}

function hasText(page: XmlElement): boolean {
  return descendants(page, "p").some((text) => textOf(text).trim() !== "");
}
