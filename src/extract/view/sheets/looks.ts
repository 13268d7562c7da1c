// What a workbook says about how its cells look, and its charts and pictures.
import type { ExtractLimits } from "../../limits.ts";
import { type OfficeFile, openOffice, type Relation, targetOf } from "../../office/office.ts";
import {
  child,
  descendants,
  eachElement,
  elements,
  textOf,
  type XmlElement,
} from "../../office/xml.ts";
import type { Colour } from "../slides/canvas.ts";
import { type Colours, openColours, POINT } from "../slides/paint.ts";
import { pictureUrl } from "../slides/picture.ts";
import type { SheetPart } from "../view.ts";

interface Style {
  readonly fill?: Colour | undefined;
  readonly colour?: Colour | undefined;
  readonly bold?: boolean;
}

export interface Figure {
  /** The cell at its corner. */
  readonly place: string;
  readonly width: number;
  readonly height: number;
  readonly chart?: XmlElement | undefined;
  /** A data URL. */
  readonly picture?: string | undefined;
}

export interface Looks {
  /** In points; undefined where the file says nothing. */
  widthOf(column: number): number | undefined;
  styleOf(row: number | undefined, column: number): Style;
  readonly figures: readonly Figure[];
  readonly colours: Colours;
}

export const PLAIN: Looks = {
  widthOf: () => undefined,
  styleOf: () => ({}),
  figures: [],
  colours: openColours(undefined, {}),
};

// A column's width counts letters.
const LETTER = 6.2;
const MAX_WIDTH = 260;
const MIN_WIDTH = 18;
const THEME = [
  "lt1",
  "dk1",
  "lt2",
  "dk2",
  "accent1",
  "accent2",
  "accent3",
  "accent4",
  "accent5",
  "accent6",
];

export async function readLooks(
  bytes: Buffer,
  { page, sheet }: { readonly page: number; readonly sheet: SheetPart },
  limits: ExtractLimits,
): Promise<Looks> {
  const office = await openOffice(bytes, limits);
  const workbook = await office.tree(office.main);
  const relations = await office.relations(office.main);
  const listed = elements(child(workbook, "sheets"))[page - 1];
  const { "r:id": id = "", state = "visible" } = listed?.attributes ?? {};
  const part = state === "visible" ? (relations.get(id)?.target ?? "") : "";
  const cells = await office.part(part);
  if (cells === undefined) return PLAIN;
  const colours = openColours(await office.tree(targetOf(relations, "theme") ?? ""), {});
  const styles = openStyles(await office.tree(targetOf(relations, "styles") ?? ""), colours);
  const { widths, used } = readUsed(cells, sheet, limits.xmlDepth);
  const figures = await readFigures(office, [...(await office.relations(part)).values()]);
  return {
    widthOf: (column) => widths.get(column),
    styleOf: (row, column) => styles[used.get(`${lettersOf(column)}${row}`) ?? 0] ?? {},
    figures,
    colours,
  };
}

/** The widths of the columns that are shown, and the styles of the cells. */
function readUsed(bytes: Buffer, { columns, rows }: SheetPart, maxDepth: number) {
  const widths = new Map<number, number>();
  const used = new Map<string, number>();
  const numbers = new Set(rows.map(({ row }) => row));
  eachElement(bytes, maxDepth, new Set(["col", "row"]), (element) => {
    const { min, max, width, r } = element.attributes;
    const isWide = (column: number) => column >= Number(min) - 1 && column < Number(max);
    const points = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Number(width) * LETTER));
    if (element.name === "col")
      for (const column of columns.filter(isWide)) widths.set(column, points);
    if (element.name === "row" && numbers.has(Number(r)))
      for (const { attributes } of elements(element))
        used.set(attributes["r"] ?? "", Number(attributes["s"] ?? 0));
  });
  return { widths, used };
}

function openStyles(root: XmlElement | undefined, colours: Colours): readonly Style[] {
  const fonts = elements(child(root, "fonts"));
  const fills = elements(child(root, "fills"));
  const colourOf = (element: XmlElement | undefined): Colour | undefined => {
    const { rgb = "", theme, tint = "0" } = element?.attributes ?? {};
    const plain = /[0-9a-f]{6}$/i.exec(rgb)?.[0];
    const base = plain ? { rgb: `#${plain}`, alpha: 1 } : colours.named(THEME[Number(theme)] ?? "");
    return base && tinted(base, Number(tint) || 0);
  };
  return elements(child(root, "cellXfs")).map(({ attributes }) => {
    const font = fonts[Number(attributes["fontId"] ?? 0)];
    const pattern = child(fills[Number(attributes["fillId"] ?? 0)], "patternFill");
    const isSolid = pattern?.attributes["patternType"] === "solid";
    return {
      fill: isSolid ? colourOf(child(pattern, "fgColor")) : undefined,
      colour: colourOf(child(font, "color")),
      bold: child(font, "b") !== undefined && child(font, "b")?.attributes["val"] !== "0",
    };
  });
}

/** From -1, black, to 1, white. */
function tinted({ rgb, alpha }: Colour, tint: number): Colour {
  const parts = [1, 3, 5].map((at) => Number.parseInt(rgb.slice(at, at + 2), 16));
  const changed = parts.map((part) => (tint < 0 ? part * (1 + tint) : part + (255 - part) * tint));
  const hex = changed.map((part) =>
    Math.round(Math.min(255, Math.max(0, part)))
      .toString(16)
      .padStart(2, "0"),
  );
  return { rgb: `#${hex.join("")}`, alpha };
}

async function readFigures(
  office: OfficeFile,
  relations: readonly Relation[],
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { type, target } of relations) {
    const drawing = type === "drawing" ? await office.tree(target) : undefined;
    const parts = drawing && (await office.relations(target));
    for (const anchor of elements(drawing)) {
      const partOf = (name: string, id: string) =>
        parts?.get(descendants(anchor, name)[0]?.attributes[id] ?? "")?.target;
      const chart = await office.tree(partOf("chart", "r:id") ?? "");
      const picture = await pictureUrl(office.part, partOf("blip", "r:embed"));
      if (chart || picture) figures.push({ ...frameOf(anchor), chart, picture });
    }
  }
  return figures;
}

const USUAL = { column: 64, row: 15 };

/** A figure's size is given itself, or by the cells at its corners. */
function frameOf(anchor: XmlElement) {
  const cell = (corner: string, name: string) => Number(textOf(child(anchor, corner, name))) || 0;
  const { cx, cy } = child(anchor, "ext")?.attributes ?? {};
  const across = (cell("to", "col") - cell("from", "col")) * USUAL.column;
  const down = (cell("to", "row") - cell("from", "row")) * USUAL.row;
  const within = (side: number) => Math.min(900, Math.max(120, side));
  return {
    place: `${lettersOf(cell("from", "col"))}${cell("from", "row") + 1}`,
    width: within(Number(cx) / POINT || across),
    height: within(Number(cy) / POINT || down),
  };
}

/** 54 is "BC". */
export function lettersOf(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : lettersOf(Math.floor(column / 26) - 1) + last;
}
