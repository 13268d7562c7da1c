// The letters of a drawing as PDF operators, in fonts that PDFium has. Widths are estimated, as on slides.
import { widthOf } from "../../view/slides/text.ts";
import { type Element, isElement, nameOf } from "../svg-text.ts";
import { number, type Paint, type Painter, toOperands } from "./svg-style.ts";

interface Piece {
  readonly text: string;
  readonly paint: Paint;
  readonly rise: number;
}

/** Words that begin at a given place; the next ones follow them. */
interface Chunk {
  readonly x: number;
  readonly y: number;
  readonly pieces: Piece[];
  /** How far the next letters are below. */
  rise: number;
}

export function writeText(element: Element, paint: Paint, paintOf: Painter): string {
  const { textLength, "xml:space": space } = element.attribs;
  const chunks: Chunk[] = [];
  gather(element, paint, { chunks, paintOf, keepsSpace: space === "preserve" });
  const wanted = first(textLength, 0);
  return chunks.map((chunk) => writeChunk(chunk, wanted)).join("\n");
}

interface Gathering {
  readonly chunks: Chunk[];
  readonly paintOf: Painter;
  readonly keepsSpace: boolean;
}

// A label has three levels.
const DEEPEST = 50;

function gather(parent: Element, paint: Paint, gathering: Gathering, depth = 0): void {
  const chunk = chunkAt(parent, paint, gathering.chunks);
  chunk.rise += first(parent.attribs["dy"], paint.fontSize) ?? 0;
  for (const child of parent.children) {
    if (child.type === "text") {
      const text = gathering.keepsSpace ? child.data : child.data.replace(/\s+/g, " ");
      const { pieces, rise } = gathering.chunks.at(-1) ?? chunk;
      pieces.push({ text, paint, rise });
    }
    if (!isElement(child) || depth > DEEPEST || NOTES.test(nameOf(child))) continue;
    const inner = gathering.paintOf(nameOf(child), child.attribs, paint);
    if (!inner.isHidden) gather(child, inner, gathering, depth + 1);
  }
}

const NOTES = /^(?:title|desc)$/;

/** The last one goes on unless the element has its own place. */
function chunkAt({ attribs }: Element, { fontSize }: Paint, chunks: Chunk[]): Chunk {
  const last = chunks.at(-1);
  const [x, y] = [first(attribs["x"], fontSize), first(attribs["y"], fontSize)];
  if (last && x === undefined && y === undefined) return last;
  const { x: before = 0, y: above = 0, rise = 0 } = last ?? {};
  const chunk = { x: x ?? before, y: y ?? above + rise, pieces: [], rise: 0 };
  chunks.push(chunk);
  return chunk;
}

/** Text of HTML, in the middle of its box. */
export function writeRich(element: Element, paint: Paint): string {
  const [x = 0, y = 0, width = 0, height = 0] = ["x", "y", "width", "height"].map((name) =>
    number(element.attribs[name], 0),
  );
  const lines = richLines(element);
  const step = paint.fontSize * 1.2;
  const top = y + (height - step * lines.length) / 2 + paint.fontSize * 0.95;
  const centred = { ...paint, anchor: "middle", baseline: "" };
  return lines
    .map((text, at) => {
      const pieces = [{ text, paint: centred, rise: 0 }];
      return writeChunk({ x: x + width / 2, y: top + at * step, pieces });
    })
    .join("\n");
}

function richLines(element: Element): readonly string[] {
  let text = "";
  const read = (node: Element["children"][number]): void => {
    if (node.type === "text") text += node.data.replace(/\s+/g, " ");
    if (!isElement(node)) return;
    const isBreak = /^(?:br|p|div|li)$/.test(nameOf(node));
    if (isBreak) text += "\n";
    for (const child of node.children) read(child);
  };
  for (const child of element.children) read(child);
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function writeChunk({ x, y, pieces }: Omit<Chunk, "rise">, wanted?: number): string {
  const [opening] = pieces;
  if (opening === undefined) return "";
  const width = pieces.reduce((sum, { text, paint }) => sum + widthIn(text, paint), 0);
  const stretch = wanted && width > 0 ? wanted / width : 1;
  const { anchor, baseline, fontSize } = opening.paint;
  const share = anchor === "middle" ? 0.5 : Number(anchor === "end");
  const lowered = /middle|central/.test(baseline) ? fontSize * 0.35 : 0;
  let at = x - width * stretch * share;
  const written: string[] = [];
  for (const { text, paint, rise } of pieces) {
    for (const run of text.match(RUNS) ?? []) {
      const own = widthIn(run, paint) * stretch;
      written.push(writeRun(run, paint, { x: at, y: y + rise + lowered, width: own }));
      at += own;
    }
  }
  return written.join("\n");
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

function writeRun(text: string, paint: Paint, { x, y, width }: Place): string {
  const colour = toOperands(paint.fill, paint.color);
  if (colour === undefined || text.trim() === "") return "";
  const { fontSize: size } = paint;
  const isLatin = LATIN.test(text);
  const latin = paint.isBold ? "/B" : "/F";
  // Letters of the wide font are as wide as they are high.
  const natural = isLatin ? widthIn(text, paint) : [...text].length * size;
  const letters = isLatin ? Buffer.from(text, "latin1") : Buffer.from(text, "utf16le").swap16();
  const scale = ((width / natural) * 100).toFixed(1);
  return `BT ${colour} rg ${isLatin ? latin : "/W"} ${size.toFixed(3)} Tf ${scale} Tz 1 0 0 -1 ${x.toFixed(3)} ${y.toFixed(3)} Tm <${letters.toString("hex")}> Tj ET`;
}

const LATIN = /^[\u0020-\u007e\u00a0-\u00ff]*$/;

/** Letters of one font each. */
const RUNS = /[\u0020-\u007e\u00a0-\u00ff]+|[^\u0020-\u007e\u00a0-\u00ff]+/g;

function widthIn(text: string, { fontSize: size, isBold: bold }: Paint): number {
  return widthOf(text, { size, bold, family: "" });
}

/** The first of a list; in units of the drawing, or of the letters' size. */
function first(value: string | undefined, size: number): number | undefined {
  const parsed = Number.parseFloat(value ?? "");
  if (!Number.isFinite(parsed)) return undefined;
  return /^[\s\d.+-]+em/.test(value ?? "") ? parsed * size : parsed;
}
