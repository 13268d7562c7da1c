// A slide of OpenDocument in PowerPoint's terms, in which it is drawn: shapes, text and tables with all that they inherit;
// unknown shapes become their box.
import type { ExtractLimits } from "../../limits.ts";
import { type Look, lengthOf, openStyles, type Styles } from "../../office/odf/styles.ts";
import type { Relation } from "../../office/office.ts";
import { child, eachElement, elements, type XmlElement } from "../../office/xml.ts";
import { openArchive } from "../../office/zip.ts";
import { usableSize } from "./canvas.ts";
import type { Deck, Sheet } from "./deck.ts";
import { element, emu, isColour, solidFill } from "./drawing-ml.ts";
import { paragraphsIn } from "./odp-text.ts";
import { openColours } from "./paint.ts";

interface Context {
  readonly styles: Styles;
  /** Pictures by their names in the archive. */
  readonly relations: Map<string, Relation>;
}

const MAX_DEPTH = 20;
const COLLECTED = new Set(["styles", "automatic-styles", "master-styles", "page"]);
const NOTHING = Buffer.from("<nothing/>");

/** Undefined if the slide does not exist. */
export async function openOdpDeck(
  bytes: Buffer,
  number: number,
  limits: ExtractLimits,
): Promise<Deck | undefined> {
  const archive = await openArchive(bytes, limits);
  const all: XmlElement[] = [];
  const pages: XmlElement[] = [];
  for (const part of ["styles.xml", "content.xml"]) {
    const xml = (await archive.read(part)) ?? NOTHING;
    eachElement(xml, limits.xmlDepth, COLLECTED, (element) => {
      if (element.name === "page") pages.push(element);
      else for (const style of elements(element)) all.push(style);
    });
  }
  const page = pages[number - 1];
  if (page === undefined) return undefined;
  const styles = openStyles(all);
  const context = { styles, relations: new Map<string, Relation>() };
  const master = styles.named("master-page", page.attributes["master-page-name"]);
  const layout = styles.named("page-layout", master?.attributes["page-layout-name"]);
  const { "page-width": width, "page-height": height } = elements(layout)[0]?.attributes ?? {};
  return {
    office: {
      part: archive.read,
      tree: async () => undefined,
      relations: async () => new Map(),
    },
    size: usableSize(lengthOf(width), lengthOf(height)),
    sheets: [page, master].flatMap((sheet, at) => (sheet ? [toSheet(sheet, at > 0, context)] : [])),
    colours: openColours(undefined, {}),
    defaults: undefined,
    number,
  };
}

/** The text boxes of a master are only examples. */
function toSheet(sheet: XmlElement, isMaster: boolean, context: Context): Sheet {
  const { styles, relations } = context;
  const look = styles.look("drawing-page", sheet.attributes["draw:style-name"]);
  const hidesMaster = look["background-objects-visible"] === "false";
  const own = look["draw:fill"] === "bitmap" ? pictureFill(look, context) : fillOf(look);
  const white =
    !isMaster && look["background-visible"] === "false" ? solidFill("#ffffff") : undefined;
  const fill = own.name === "noFill" ? white : own;
  const background = fill && element("bg", {}, element("bgPr", {}, fill));
  const tree = element("spTree", {}, ...shapesIn(sheet, isMaster, context));
  const slide = { showMasterSp: hidesMaster ? "0" : "1" };
  return {
    root: element("sld", slide, element("cSld", {}, background, tree)),
    relations,
  };
}

function fillOf(look: Look): XmlElement {
  const isFilled = look["draw:fill"] === "solid" || look["draw:fill"] === "gradient";
  const colour = look["fill-color"];
  return isFilled && isColour(colour)
    ? solidFill(colour, look["draw:opacity"])
    : element("noFill", {});
}

function pictureFill(look: Look, { styles, relations }: Context): XmlElement {
  const image = styles.named("fill-image", look["fill-image-name"]);
  return element("blipFill", {}, blip(image?.attributes["href"], relations));
}

function blip(href = "", relations: Context["relations"]): XmlElement {
  relations.set(href, { type: "image", target: href });
  return element("blip", { "r:embed": href });
}

function lineOf(look: Look, usual?: string): XmlElement {
  const colour = look["stroke-color"] ?? usual;
  const isDrawn = (look["draw:stroke"] ?? usual ?? "none") !== "none";
  const width = Math.max(0.5, lengthOf(look["stroke-width"]) ?? 0.5);
  const fill = isDrawn && isColour(colour) ? solidFill(colour) : element("noFill", {});
  return element("ln", { w: emu(width) }, fill);
}

const BOXES = new Set(["frame", "custom-shape", "rect", "ellipse", "circle", "path", "polygon"]);

function shapesIn(
  parent: XmlElement,
  isMaster: boolean,
  context: Context,
  depth = 0,
): readonly XmlElement[] {
  return elements(parent).flatMap((shape) => {
    const { attributes, name } = shape;
    if (isMaster && attributes["presentation:class"] !== undefined) return [];
    if (attributes["presentation:placeholder"] === "true") return [];
    if (name === "g" && depth < MAX_DEPTH) return shapesIn(shape, isMaster, context, depth + 1);
    const made = name === "line" || name === "connector" ? toLine : toBox;
    return made === toLine || BOXES.has(name) ? (made(shape, context) ?? []) : [];
  });
}

function lookOf({ attributes }: XmlElement, { styles }: Context): Look {
  const presentation = attributes["presentation:style-name"];
  return presentation === undefined
    ? styles.look("graphic", attributes["draw:style-name"])
    : styles.look("presentation", presentation);
}

function toLine(shape: XmlElement, context: Context): XmlElement | undefined {
  const ends = ["svg:x1", "svg:y1", "svg:x2", "svg:y2"].map((name) =>
    lengthOf(shape.attributes[name]),
  );
  if (ends.includes(undefined)) return undefined;
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = ends;
  const place = frame("xfrm", {
    x: Math.min(x1, x2),
    y: Math.min(y1, y2),
    width: Math.abs(x2 - x1),
    height: Math.abs(y2 - y1),
    more: { flipH: x2 < x1 ? "1" : "0", flipV: y2 < y1 ? "1" : "0" },
  });
  const line = lineOf(lookOf(shape, context), "#000000");
  return element("cxnSp", {}, element("spPr", {}, place, geometry("line"), line));
}

const geometry = (name: string) => element("prstGeom", { prst: name });

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly more?: Look;
}

function frame(name: string, { x, y, width, height, more = {} }: Place): XmlElement {
  const corner = element("off", { x: emu(x), y: emu(y) });
  return element(name, more, corner, element("ext", { cx: emu(width), cy: emu(height) }));
}

function toBox(shape: XmlElement, context: Context): XmlElement {
  const place = placeOf(shape.attributes);
  const look = lookOf(shape, context);
  // Without a place it is not drawn, but there is a text.
  if (place === undefined) return element("sp", {}, textBody(shape, look, context));
  const table = child(shape, "table");
  if (table !== undefined)
    return element("graphicFrame", {}, frame("xfrm", place), toTable(table, place, context));
  const type = child(shape, "enhanced-geometry")?.attributes["draw:type"] ?? shape.name;
  // "right-arrow" → "rightArrow"
  const name = type.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const image = child(shape, "image");
  const fill = fillOf(look);
  const surface = element("spPr", {}, frame("xfrm", place), geometry(name), fill, lineOf(look));
  if (image === undefined) return element("sp", {}, surface, textBody(shape, look, context));
  const picture = blip(image.attributes["href"], context.relations);
  return element("pic", {}, element("blipFill", {}, picture), surface);
}

/** A transform is "rotate (0.5) translate (1cm 2cm)": radians counterclockwise around the corner, then its place. */
function placeOf(attributes: XmlElement["attributes"]): Place | undefined {
  const [width, height] = [lengthOf(attributes["svg:width"]), lengthOf(attributes["svg:height"])];
  if (width === undefined || height === undefined) return undefined;
  const transform = attributes["draw:transform"] ?? "";
  const [, right, below] = /translate\s*\(\s*(\S+?)[\s,]+(\S+?)\s*\)/.exec(transform) ?? [];
  const angle = -(Number(/rotate\s*\(\s*(-?[\d.]+)\s*\)/.exec(transform)?.[1]) || 0);
  const [across, down] = [
    (lengthOf(attributes["svg:x"]) ?? 0) + width / 2,
    (lengthOf(attributes["svg:y"]) ?? 0) + height / 2,
  ];
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return {
    x: (lengthOf(right) ?? 0) + across * cos - down * sin - width / 2,
    y: (lengthOf(below) ?? 0) + across * sin + down * cos - height / 2,
    width: Math.max(0, width),
    height: Math.max(0, height),
    more: { rot: String(Math.round((angle * 180 * 60_000) / Math.PI)) },
  };
}

/** PowerPoint has the middle in the end. */
const ANCHORS = new Map(Object.entries({ middle: "ctr", bottom: "b" }));
const anchorOf = (look: Look) => ANCHORS.get(look["textarea-vertical-align"] ?? "") ?? "t";

function textBody(shape: XmlElement, look: Look, context: Context): XmlElement | undefined {
  const body = child(shape, "text-box") ?? (shape.name === "frame" ? undefined : shape);
  if (body === undefined) return undefined;
  const padding = (side: string, usual: number) =>
    emu(lengthOf(look[`padding-${side}`]) ?? lengthOf(look["padding"]) ?? usual);
  const properties = {
    lIns: padding("left", 7.1),
    tIns: padding("top", 3.5),
    rIns: padding("right", 7.1),
    bIns: padding("bottom", 3.5),
    wrap: look["wrap-option"] === "no-wrap" ? "none" : "square",
    anchor: anchorOf(look),
  };
  const shrinks = look["fit-to-size"] === "shrink-to-fit";
  const fit = shrinks ? element("normAutofit", {}) : undefined;
  const textLook = context.styles.look("paragraph", shape.attributes["text-style-name"]);
  const outline = shape.attributes["presentation:style-name"];
  const written = { ...context, look: { ...look, ...textLook }, outline };
  return element("txBody", {}, element("bodyPr", properties, fit), ...paragraphsIn(body, written));
}

const MAX_ROWS = 2_000;
const MAX_COLUMNS = 200;
const PADDING = emu(4);
const MARGINS = { marL: PADDING, marR: PADDING, marT: PADDING, marB: PADDING };

function toTable(table: XmlElement, place: Place, context: Context): XmlElement {
  const parts = elements(table).flatMap((part) =>
    part.name === "table-header-rows" ? elements(part) : [part],
  );
  const named = (wanted: string) => parts.filter(({ name }) => name === wanted);
  const sideOf = (part: XmlElement, property: string) =>
    lengthOf(context.styles.look(part.name, part.attributes["table:style-name"])[property]) ?? 1;
  const rows = named("table-row").slice(0, MAX_ROWS);
  const widths = named("table-column")
    .slice(0, MAX_COLUMNS)
    .flatMap((column) => {
      const times = Math.max(1, Number(column.attributes["number-columns-repeated"]) || 1);
      return Array(Math.min(MAX_COLUMNS, times)).fill(sideOf(column, "column-width"));
    });
  const columns = scaledTo(place.width, widths.slice(0, MAX_COLUMNS));
  const heights = scaledTo(
    place.height,
    rows.map((row) => sideOf(row, "row-height")),
  );
  const made = rows.map((row, at) => {
    const cells = elements(row).map((cell) => toCell(cell, context));
    return element("tr", { h: emu(heights[at] ?? 0) }, ...cells);
  });
  const grid = columns.map((width) => element("gridCol", { w: emu(width) }));
  return element("tbl", {}, element("tblGrid", {}, ...grid), ...made);
}

/** Scales to the frame's size, because the file's own widths do not always add up to it. */
function scaledTo(whole: number, sides: readonly number[]): readonly number[] {
  const total = sides.reduce((sum, side) => sum + side, 0);
  return sides.map((side) => (total > 0 ? (side * whole) / total : 0));
}

function toCell(cell: XmlElement, context: Context): XmlElement {
  // Other cells are covered by one that spans them.
  if (cell.name !== "table-cell") return element("tc", { hMerge: "1" });
  const look = context.styles.look("table-cell", cell.attributes["table:style-name"]);
  const colour = look["draw:fill"] === "none" ? undefined : look["fill-color"];
  const fill = isColour(colour) ? solidFill(colour) : undefined;
  const body = paragraphsIn(cell, { ...context, look, outline: undefined });
  return element(
    "tc",
    { gridSpan: cell.attributes["number-columns-spanned"] },
    element("txBody", {}, ...body),
    element("tcPr", { ...MARGINS, anchor: anchorOf(look) }, fill),
  );
}
