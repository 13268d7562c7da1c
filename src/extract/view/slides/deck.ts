// A slide with what it inherits from: its layout, the layout's master, and their theme.
import type { OfficeFile, Relation } from "../../office/office.ts";
import { slideParts } from "../../office/pptx/pptx.ts";
import { child, descendants, elements, type XmlElement } from "../../office/xml.ts";
import type { Box } from "./drawing/canvas.ts";
import { type Colours, openColours } from "./drawing/colour.ts";

export interface Sheet {
  readonly root: XmlElement;
  readonly relations: ReadonlyMap<string, Relation>;
}

export interface Deck {
  readonly office: OfficeFile;
  readonly size: { readonly width: number; readonly height: number };
  /** The slide, its layout and the master, in this order. */
  readonly sheets: readonly Sheet[];
  readonly colours: Colours;
  /** Applies to text outside any placeholder. */
  readonly defaults: XmlElement | undefined;
  readonly number: number;
}

export const POINT = 12_700;
const USUAL = { width: 720, height: 540 };
const MAX_SIDE = 5_000;

/** Undefined if the slide does not exist. */
export async function openDeck(office: OfficeFile, number: number): Promise<Deck | undefined> {
  const name = (await slideParts(office))[number - 1];
  const slide = name === undefined ? undefined : await openSheet(office, name);
  if (slide === undefined) return undefined;
  const layout = await openRelated(office, slide, "slideLayout");
  const master = layout && (await openRelated(office, layout, "slideMaster"));
  const theme = master && (await openRelated(office, master, "theme"));
  const sheets = [slide, layout, master].filter((sheet) => sheet !== undefined);
  const map = {
    ...child(master?.root, "clrMap")?.attributes,
    ...child(slide.root, "clrMapOvr", "overrideClrMapping")?.attributes,
  };
  const presentation = await office.tree(office.main);
  return {
    office,
    size: sizeOf(presentation),
    sheets,
    colours: openColours(theme?.root, map),
    defaults: child(presentation, "defaultTextStyle"),
    number,
  };
}

async function openSheet(office: OfficeFile, name: string): Promise<Sheet | undefined> {
  const root = await office.tree(name);
  return root && { root, relations: await office.relations(name) };
}

async function openRelated(
  office: OfficeFile,
  { relations }: Sheet,
  type: string,
): Promise<Sheet | undefined> {
  const related = [...relations.values()].find((relation) => relation.type === type);
  return related && openSheet(office, related.target);
}

function sizeOf(presentation: XmlElement | undefined): Deck["size"] {
  const { cx, cy } = child(presentation, "sldSz")?.attributes ?? {};
  const [width, height] = [Number(cx) / POINT, Number(cy) / POINT];
  const isUsable = (side: number) => side >= 10 && side <= MAX_SIDE;
  return isUsable(width) && isUsable(height) ? { width, height } : USUAL;
}

export interface Frame extends Box {
  /** Degrees, clockwise. */
  readonly turned: number;
  readonly flipped: { readonly across: boolean; readonly down: boolean };
}

export function frameIn(transform: XmlElement | undefined): Frame | undefined {
  const off = child(transform, "off")?.attributes;
  const ext = child(transform, "ext")?.attributes;
  if (transform === undefined || off === undefined || ext === undefined) return undefined;
  const [x, y, width, height] = [off["x"], off["y"], ext["cx"], ext["cy"]].map(
    (value) => Number(value) / POINT,
  ) as [number, number, number, number];
  if (!Number.isFinite(x + y + width + height)) return undefined;
  const { rot, flipH, flipV } = transform.attributes;
  const turned = (Number(rot ?? 0) / 60_000) % 360;
  return {
    x,
    y,
    width: Math.max(0, width),
    height: Math.max(0, height),
    turned: Number.isFinite(turned) ? turned : 0,
    flipped: { across: flipH === "1", down: flipV === "1" },
  };
}

interface Placeholder {
  readonly type: string;
  readonly index: string | undefined;
}

export function placeholderOf(shape: XmlElement): Placeholder | undefined {
  const named = elements(shape).find(({ name }) => /^nv\w*Pr$/.test(name));
  const element = child(named, "nvPr", "ph");
  if (element === undefined) return undefined;
  const { type = "obj", idx } = element.attributes;
  return { type, index: idx };
}

const KINDS = new Map(
  Object.entries({
    ctrTitle: "title",
    subTitle: "body",
    obj: "body",
    tbl: "body",
    chart: "body",
    pic: "body",
    dgm: "body",
  }),
);

/** Types that inherit from each other: a centred title from the title, tables and pictures from the body. */
export function kindOf(type: string): string {
  return KINDS.get(type) ?? type;
}

/** The shapes that a placeholder inherits from, the nearest first, without itself. */
export function inheritedShapes(shape: XmlElement, { sheets }: Deck): readonly XmlElement[] {
  const own = placeholderOf(shape);
  if (own === undefined) return [];
  return sheets.slice(1).flatMap(({ root }, at) => {
    const others = descendants(child(root, "cSld", "spTree") ?? root, "sp");
    const known = others.map((other) => ({ other, is: placeholderOf(other) }));
    // Layouts are matched by number, masters by kind, because numbers are local to a layout.
    const found =
      (at === 0 && own.index !== undefined
        ? known.find(({ is }) => is?.index === own.index)
        : undefined) ?? known.find(({ is }) => is && kindOf(is.type) === kindOf(own.type));
    return found ? [found.other] : [];
  });
}
