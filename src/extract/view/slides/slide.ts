// A slide as a picture: approximate where fonts and effects are missing, recognisable.
import type { ExtractLimits } from "../../limits.ts";
import { openOffice } from "../../office/office.ts";
import { child, descendants, textOf } from "../../office/xml.ts";
import { type Canvas, openCanvas, type Slide } from "./canvas.ts";
import { type Deck, openDeck } from "./deck.ts";
import { UNMOVED } from "./matrix.ts";
import { fillIn } from "./paint.ts";
import { drawShapes, pictureFill } from "./shapes.ts";

/** Undefined if the slide does not exist. */
export async function drawSlide(
  bytes: Buffer,
  page: number,
  limits: ExtractLimits,
): Promise<Slide | undefined> {
  const deck = await openDeck(await openOffice(bytes, limits), page);
  if (deck === undefined) return undefined;
  const canvas = openCanvas(deck.size);
  await drawBackground(canvas, deck);
  // The master is at the bottom, the slide on top.
  for (const [at, sheet] of [...deck.sheets.entries()].toReversed()) {
    if (at > 0 && isHidden(deck, at)) continue;
    const tree = child(sheet.root, "cSld", "spTree");
    await drawShapes(tree, { canvas, deck, sheet, matrix: UNMOVED }, { isExample: at > 0 });
  }
  const texts = descendants(deck.sheets[0]?.root, "t");
  return canvas.finish(texts.some((text) => textOf(text).trim() !== ""));
}

/** A slide may hide what its layout draws, and a layout what its master draws. */
function isHidden({ sheets }: Deck, at: number): boolean {
  return sheets.slice(0, at).some(({ root }) => root.attributes["showMasterSp"] === "0");
}

async function drawBackground(canvas: Canvas, deck: Deck): Promise<void> {
  const box = { x: 0, y: 0, ...deck.size };
  canvas.draw({ box, fill: deck.colours.named("bg1") });
  const sheet = deck.sheets.find(({ root }) => child(root, "cSld", "bg") !== undefined);
  if (sheet === undefined) return;
  const background = child(sheet.root, "cSld", "bg");
  const own = fillIn(child(background, "bgPr"), deck.colours);
  const fill = own ?? { colour: deck.colours.in(child(background, "bgRef")) };
  const picture = await pictureFill(fill.picture, { deck, sheet });
  canvas.draw({ box, fill: fill.colour, picture });
}
