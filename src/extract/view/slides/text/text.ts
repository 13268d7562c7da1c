// The text of a shape or cell of PowerPoint, with the file's sizes and positions.
import { child, elements, type XmlElement } from "../../../office/xml.ts";
import { POINT } from "../deck.ts";
import type { Box, Canvas } from "../drawing/canvas.ts";
import { drawParagraphs, heightOfParagraphs, type TextLayout } from "./draw-paragraphs.ts";
import type { Paragraph } from "./lines.ts";
import { type Bullet, plainText, type TextStyles } from "./styles.ts";

export interface TextPlace {
  readonly body: XmlElement;
  /** Elements that position the text in the box; the first one wins. */
  readonly properties: readonly XmlElement[];
  readonly styles: TextStyles;
  readonly box: Box;
  /** The slide's number. */
  readonly number: number;
  /** Converts the box's coordinates to the slide's. */
  readonly toSlide: (box: Box) => Box;
}

export function drawText(canvas: Canvas, place: TextPlace): void {
  drawParagraphs(canvas, layOut(place));
}

/** The height the text needs, including margins, within the width of `place.box`. */
export function textHeight(place: TextPlace): number {
  const layout = layOut(place);
  return heightOfParagraphs(layout) + place.box.height - layout.area.height;
}

function layOut(place: TextPlace): TextLayout {
  return {
    paragraphs: paragraphsOf(place),
    ...areaOf(place),
    anchor: propertyOf(place, "anchor") ?? "t",
    shrunk: shrunk(place),
    toSlide: place.toSlide,
  };
}

function propertyOf({ properties }: TextPlace, name: string): string | undefined {
  return properties.map(({ attributes }) => attributes[name]).find((value) => value !== undefined);
}

/** The area inside the margins. */
function areaOf(place: TextPlace) {
  const inset = (name: string, usual: number) => {
    const value = Number(propertyOf(place, name) ?? usual * POINT) / POINT;
    return Number.isFinite(value) ? value : usual;
  };
  const { box } = place;
  const [left, top, right, bottom] = [
    inset("lIns", 7.2),
    inset("tIns", 3.6),
    inset("rIns", 7.2),
    inset("bIns", 3.6),
  ] as const;
  return {
    area: {
      x: box.x + left,
      y: box.y + top,
      width: Math.max(1, box.width - left - right),
      height: box.height - top - bottom,
    },
    wraps: propertyOf(place, "wrap") !== "none",
  };
}

/** If the file lets text shrink, the scale already applied. */
function shrunk({ properties }: TextPlace): number | undefined {
  const fit = properties
    .map((each) => child(each, "normAutofit"))
    .find((each) => each !== undefined);
  if (fit === undefined) return undefined;
  return Number(fit.attributes["fontScale"]?.replace("%", "") ?? 100_000) / 100_000;
}

function paragraphsOf({ body, styles, number }: TextPlace): readonly Paragraph[] {
  let counted = 0;
  return elements(body)
    .filter(({ name }) => name === "p")
    .map((paragraph) => {
      const style = styles.paragraph(paragraph);
      const runs = runsIn(paragraph).flatMap((run) => {
        const text = run.name === "br" ? "\n" : plainText(run, number);
        return text === "" ? [] : [{ text, style: style.run(child(run, "rPr")) }];
      });
      const isNumbered = style.bullet?.kind === "number" && runs.length > 0;
      counted = isNumbered ? counted + 1 : 0;
      const mark = runs.length === 0 ? "" : markOf(style.bullet, counted);
      const { size } = style.run(child(paragraph, "endParaRPr"));
      return { runs, style, mark, size };
    });
}

function runsIn(paragraph: XmlElement): readonly XmlElement[] {
  return elements(paragraph).filter(({ name }) => name === "r" || name === "fld" || name === "br");
}

function markOf(bullet: Bullet | undefined, counted: number): string {
  if (bullet === undefined) return "";
  if (bullet.kind === "mark") return bullet.mark;
  const value = bullet.from + counted - 1;
  const letter = String.fromCharCode(97 + ((value - 1) % 26));
  const named = bullet.form.startsWith("alpha") ? letter : String(value);
  const shown = bullet.form.startsWith("alphaUc") ? named.toUpperCase() : named;
  return bullet.form.endsWith("ParenR") ? `${shown})` : `${shown}.`;
}
