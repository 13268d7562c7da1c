// A slide as SVG, without scripts, styles or addresses, and the words on it with their places.
import { KnowledgeError } from "../../../domain/errors.ts";
import type { Box } from "../../box.ts";
import { overLimit } from "../../failures.ts";
import { type Matrix, movedBox, UNMOVED } from "./matrix.ts";
import { ASCENT, LINE_HEIGHT, type PlacedText, placeText, type TextBox, widthOf } from "./text.ts";

export interface Slide {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  readonly words: readonly Word[];
}

export interface Word extends Box {
  readonly text: string;
}

export interface Colour {
  /** #rrggbb */
  readonly rgb: string;
  /** 0 to 1. */
  readonly alpha: number;
}

export interface Line {
  readonly colour: Colour;
  /** In points. */
  readonly width: number;
  readonly isDashed?: boolean;
  readonly arrows?: { readonly start: boolean; readonly end: boolean };
}

type Values = Readonly<Record<string, string | number | undefined>>;

/** An SVG element in the coordinates of the shape. */
export type Outline = readonly [name: "rect" | "ellipse" | "line" | "path", values: Values];

export interface Picture {
  /** A data URL. */
  readonly href: string;
  /** Covers the box and keeps its proportions; otherwise the picture is stretched to the box. */
  readonly covers?: boolean;
  /** The visible part, in shares of the picture. */
  readonly part?: Box;
}

export interface Shape {
  readonly box: Box;
  /** From the shape's coordinates to the slide's. */
  readonly matrix?: Matrix;
  /** The box itself if there is none. */
  readonly outline?: Outline;
  readonly fill?: Colour | undefined;
  readonly line?: Line | undefined;
  readonly picture?: Picture | undefined;
  readonly text?: TextBox | undefined;
}

export interface Canvas {
  draw(shape: Shape): void;
  /** `hasText`: the file has text for this slide. */
  finish(hasText: boolean): Slide;
}

export type SlideSize = Pick<Box, "width" | "height">;

const USUAL_SIZE: SlideSize = { width: 720, height: 540 };
const MAX_SIDE = 5_000;

/** The size in points, or the usual one if the file's cannot be. */
export function usableSize(width = 0, height = 0): SlideSize {
  const isUsable = (side: number) => side >= 10 && side <= MAX_SIDE;
  return isUsable(width) && isUsable(height) ? { width, height } : USUAL_SIZE;
}

// A busy slide has a few hundred, a large table two thousand.
const MAX_SHAPES = 2_500;
// The limit includes pictures.
const MAX_BYTES = 12 * 1024 * 1024;

export function openCanvas({ width, height }: SlideSize): Canvas {
  const out: string[] = [];
  const words: Word[] = [];
  let bytes = 0;
  return {
    draw(shape) {
      const { matrix = UNMOVED, text } = shape;
      const placed = text === undefined ? [] : placeText(text);
      const drawn = `${surface(shape, out.length)}${placed.map(written).join("")}`;
      const isMoved = matrix.some((value, at) => value !== UNMOVED[at]);
      const values = attributes({ transform: `matrix(${matrix.map(exact).join(" ")})` });
      const svg = isMoved ? `<g${values}>${drawn}</g>` : drawn;
      bytes += svg.length;
      if (out.push(svg) > MAX_SHAPES || bytes > MAX_BYTES)
        throw overLimit("its slide has too much to draw");
      for (const each of placed) words.push(...wordsOf(each, matrix));
    },
    finish(hasText) {
      if (words.length === 0 && hasText) throw placeless();
      const size = { width, height };
      const viewBox = `0 0 ${short(width)} ${short(height)}`;
      const head = attributes({ xmlns: "http://www.w3.org/2000/svg", viewBox, ...size });
      return { svg: `<svg${head}>${out.join("")}</svg>`, ...size, words };
    },
  };
}

function placeless(): KnowledgeError {
  return new KnowledgeError(
    "RESOURCE_NOT_FOUND",
    "This slide cannot be drawn: its file does not say where its parts are. Read its text instead.",
  );
}

function surface({ box, outline, fill, line, picture }: Shape, id: number): string {
  const behind = picture === undefined ? "" : pictureOf(picture, box);
  if (fill === undefined && line === undefined) return behind;
  const [name, place] = outline ?? ["rect", sidesOf(box)];
  const paint = fill === undefined ? { fill: "none" } : colourValues("fill", fill);
  if (line === undefined) return behind + element(name, { ...place, ...paint });
  const arrow = `url(#a${id})`;
  const stroke = {
    ...colourValues("stroke", line.colour),
    "stroke-width": line.width,
    "stroke-dasharray": line.isDashed
      ? `${short(line.width * 4)} ${short(line.width * 3)}`
      : undefined,
    "marker-start": line.arrows?.start ? arrow : undefined,
    "marker-end": line.arrows?.end ? arrow : undefined,
  };
  const hasArrow = line.arrows?.start || line.arrows?.end;
  const marker = hasArrow ? arrowHead(`a${id}`, line.colour) : "";
  return behind + marker + element(name, { ...place, ...paint, ...stroke });
}

function arrowHead(id: string, { rgb }: Colour): string {
  const place = { viewBox: "0 0 10 10", refX: 10, refY: 5, markerWidth: 5, markerHeight: 5 };
  const head = element("path", { d: "M0 0L10 5L0 10z", fill: rgb });
  return `<marker${attributes({ id, orient: "auto-start-reverse", ...place })}>${head}</marker>`;
}

function pictureOf({ href, covers, part }: Picture, box: Box): string {
  if (part === undefined) {
    const preserveAspectRatio = covers ? "xMidYMid slice" : "none";
    return element("image", { ...sidesOf(box), preserveAspectRatio, href });
  }
  // An inner drawing shows only what is inside its view.
  const viewBox = [part.x, part.y, part.width, part.height].map(exact).join(" ");
  const view = attributes({ ...sidesOf(box), viewBox, preserveAspectRatio: "none" });
  const whole = { width: 1, height: 1, preserveAspectRatio: "none", href };
  return `<svg${view}>${element("image", whole)}</svg>`;
}

/** Picks the sides of an object that is more than a box. */
function sidesOf({ x, y, width, height }: Box): Box {
  return { x, y, width, height };
}

const FALLBACK =
  "Carlito, Arial, 'Noto Sans', 'Hiragino Sans', 'Yu Gothic', 'Noto Sans CJK JP', sans-serif";
const SERIF = /times|garamond|cambria|georgia|serif|mincho|明朝/i;

function written({ text, style, x, y, width }: PlacedText): string {
  if (text.trim() === "") return "";
  const { size, bold, italic, underlined, colour, family } = style;
  const named = /^[\p{L}\p{N} -]{1,60}$/u.test(family) ? `'${family}', ` : "";
  const values = attributes({
    "font-size": size,
    "font-family": SERIF.test(family) ? `${named}serif` : `${named}${FALLBACK}`,
    "font-weight": bold ? "bold" : undefined,
    "font-style": italic ? "italic" : undefined,
    "text-decoration": underlined ? "underline" : undefined,
    ...colourValues("fill", colour),
    x,
    y,
    textLength: width,
    lengthAdjust: width === undefined ? undefined : "spacingAndGlyphs",
    "xml:space": "preserve",
  });
  return `<text${values}>${escapeXml(text)}</text>`;
}

function wordsOf({ text, style, x, y, width }: PlacedText, matrix: Matrix): readonly Word[] {
  if (width === undefined) return [];
  return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    text: word,
    ...movedBox(matrix, {
      x: x + widthOf(text.slice(0, index), style),
      y: y - style.size * ASCENT,
      width: widthOf(word, style),
      height: style.size * LINE_HEIGHT,
    }),
  }));
}

function colourValues(name: "fill" | "stroke", { rgb, alpha }: Colour): Values {
  return { [name]: rgb, [`${name}-opacity`]: alpha < 1 ? alpha : undefined };
}

function element(name: string, values: Values): string {
  return `<${name}${attributes(values)}/>`;
}

function attributes(values: Values): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        ` ${name}="${typeof value === "number" ? short(value) : escapeXml(value ?? "")}"`,
    )
    .join("");
}

export function short(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value * 100) / 100) : "0";
}

/** For factors, whose hundredths would show. */
function exact(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toFixed(5))) : "0";
}

const ESCAPED = new Map(Object.entries({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }));

/** XML does not allow control characters. */
function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
      .replace(/[&<>"]/g, (mark) => ESCAPED.get(mark) ?? mark)
  );
}
