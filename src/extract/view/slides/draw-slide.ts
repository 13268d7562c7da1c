// A slide as a picture, from the file's own geometry: approximate where fonts and effects are missing, recognisable.
import type { ExtractLimits } from "../../limits.ts";
import { openOffice } from "../../office/office.ts";
import { child, descendants, textOf } from "../../office/xml.ts";
import { type Deck, openDeck } from "./deck.ts";
import { type Canvas, openCanvas } from "./drawing/canvas.ts";
import { type Fill, fillIn } from "./drawing/fill.ts";
import { drawPictureFill } from "./shapes/picture.ts";
import { drawShapes } from "./shapes/shape.ts";
import { type Slide, toSlide } from "./slide.ts";

/** Undefined if the slide does not exist. */
export async function drawSlide(
  bytes: Buffer,
  number: number,
  limits: ExtractLimits,
): Promise<Slide | undefined> {
  const deck = await openDeck(await openOffice(bytes, limits), number);
  if (deck === undefined) return undefined;
  const canvas = openCanvas();
  const { width, height } = deck.size;
  canvas.put("rect", { width, height, fill: deck.colours.named("bg1")?.rgb ?? "#ffffff" });
  await drawBackground(canvas, deck);
  // The master is at the bottom, the slide on top.
  for (const [at, sheet] of [...deck.sheets.entries()].toReversed()) {
    if (at > 0 && isHidden(deck, at)) continue;
    const tree = child(sheet.root, "cSld", "spTree");
    await drawShapes(tree, { canvas, deck, sheet, toSlide: (box) => box }, { isExample: at > 0 });
  }
  return toSlide(canvas, { ...deck.size, hasText: hasText(deck) });
}

function hasText({ sheets: [slide] }: Deck): boolean {
  return (
    slide !== undefined && descendants(slide.root, "t").some((text) => textOf(text).trim() !== "")
  );
}

/** A slide may hide what its layout draws, and a layout what its master draws. */
function isHidden({ sheets }: Deck, at: number): boolean {
  return sheets.slice(0, at).some(({ root }) => root.attributes["showMasterSp"] === "0");
}

async function drawBackground(canvas: Canvas, deck: Deck): Promise<void> {
  for (const sheet of deck.sheets) {
    const background = child(sheet.root, "cSld", "bg");
    if (background === undefined) continue;
    const box = { x: 0, y: 0, ...deck.size };
    const fill = fillIn(child(background, "bgPr"), deck.colours) ?? byStyle();
    if (fill?.kind === "picture") return drawPictureFill(canvas, fill.id, { deck, sheet, box });
    if (fill !== undefined) canvas.put("rect", { ...box, ...canvas.filled(fill) });
    return;

    function byStyle(): Fill | undefined {
      const colour = deck.colours.in(child(background, "bgRef"));
      return colour && { kind: "plain", colour };
    }
  }
}
