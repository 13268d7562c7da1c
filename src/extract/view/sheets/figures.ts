// The charts and pictures of a sheet.
import type { ExtractLimits } from "../../limits.ts";
import { type OfficeFile, openOffice, type Relation, targetOf } from "../../office/office.ts";
import { child, descendants, elements, textOf, type XmlElement } from "../../office/xml.ts";
import { type Colours, openColours, POINT } from "../slides/paint.ts";
import { pictureUrl } from "../slides/picture.ts";

export interface Figure {
  /** The cell at its corner. */
  readonly place: string;
  readonly width: number;
  readonly height: number;
  readonly chart?: XmlElement | undefined;
  /** A data URL. */
  readonly picture?: string | undefined;
}

export interface Figures {
  readonly figures: readonly Figure[];
  readonly colours: Colours;
}

export const NO_FIGURES: Figures = { figures: [], colours: openColours(undefined, {}) };

/** Of the workbook's sheet with the number, unless it is hidden. */
export async function readFigures(
  bytes: Buffer,
  number: number,
  limits: ExtractLimits,
): Promise<Figures> {
  const office = await openOffice(bytes, limits);
  const workbook = await office.tree(office.main);
  const relations = await office.relations(office.main);
  const listed = elements(child(workbook, "sheets"))[number - 1];
  const { "r:id": id = "", state = "visible" } = listed?.attributes ?? {};
  const part = state === "visible" ? (relations.get(id)?.target ?? "") : "";
  const drawings = [...(await office.relations(part)).values()].filter(isDrawing);
  if (drawings.length === 0) return NO_FIGURES;
  const colours = openColours(await office.tree(targetOf(relations, "theme") ?? ""), {});
  return { colours, figures: await figuresIn(office, drawings) };
}

const isDrawing = ({ type }: Relation) => type === "drawing";

async function figuresIn(
  office: OfficeFile,
  drawings: readonly Relation[],
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { target } of drawings) {
    const parts = await office.relations(target);
    for (const anchor of elements(await office.tree(target))) {
      const partOf = (name: string, id: string) =>
        parts.get(descendants(anchor, name)[0]?.attributes[id] ?? "")?.target;
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
