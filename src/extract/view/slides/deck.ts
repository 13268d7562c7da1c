// A slide with what it inherits from: its layout, the layout's master, and their theme.

import type { Box } from "../../box.ts";
import { type OfficeFile, type Relation, targetOf } from "../../office/office.ts";
import { slideParts } from "../../office/pptx/pptx.ts";
import { child, descendants, elements, type XmlElement } from "../../office/xml.ts";
import { type SlideSize, usableSize } from "./canvas.ts";
import { type Colours, openColours, POINT } from "./paint.ts";

export interface Sheet {
  readonly root: XmlElement;
  readonly relations: ReadonlyMap<string, Relation>;
}

export interface Deck {
  readonly office: Pick<OfficeFile, "part" | "tree" | "relations">;
  readonly size: SlideSize;
  /** The slide, its layout and the master, in this order. */
  readonly sheets: readonly Sheet[];
  readonly colours: Colours;
  /** Applies to text outside any placeholder. */
  readonly defaults: XmlElement | undefined;
  readonly number: number;
}

/** Undefined if the slide does not exist. */
export async function openDeck(office: OfficeFile, number: number): Promise<Deck | undefined> {
  const name = (await slideParts(office))[number - 1];
  const slide = name === undefined ? undefined : await openSheet(office, name);
  if (slide === undefined) return undefined;
  const related = ({ relations }: Sheet, type: string) =>
    openSheet(office, targetOf(relations, type) ?? "");
  const layout = await related(slide, "slideLayout");
  const master = layout && (await related(layout, "slideMaster"));
  const theme = master && (await related(master, "theme"));
  const sheets = [slide, layout, master].filter((sheet) => sheet !== undefined);
  const map = {
    ...child(master?.root, "clrMap")?.attributes,
    ...child(slide.root, "clrMapOvr", "overrideClrMapping")?.attributes,
  };
  const presentation = await office.tree(office.main);
  const { cx, cy } = child(presentation, "sldSz")?.attributes ?? {};
  return {
    office,
    size: usableSize(Number(cx) / POINT, Number(cy) / POINT),
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

export interface Frame extends Box {
  /** Radians, clockwise. */
  readonly angle: number;
  readonly flipped: { readonly across: boolean; readonly down: boolean };
}

/** `names` are those of the outer frame, or of the one that a group's shapes are placed in. */
export function frameIn(
  transform: XmlElement | undefined,
  names: readonly [string, string] = ["off", "ext"],
): Frame | undefined {
  const { x, y } = child(transform, names[0])?.attributes ?? {};
  const { cx, cy } = child(transform, names[1])?.attributes ?? {};
  const [left = 0, top = 0, width = 0, height = 0] = [x, y, cx, cy].map(
    (value) => Number(value) / POINT,
  );
  if (transform === undefined || !Number.isFinite(left + top + width + height)) return undefined;
  const { rot, flipH, flipV } = transform.attributes;
  return {
    x: left,
    y: top,
    width: Math.max(0, width),
    height: Math.max(0, height),
    angle: (((Number(rot) || 0) / 60_000) * Math.PI) / 180,
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

/** Types that inherit from each other: a centred title from the title, tables and pictures from the body. */
export function kindOf(type: string): string {
  if (type === "ctrTitle") return "title";
  return /^(?:subTitle|obj|tbl|chart|pic|dgm)$/.test(type) ? "body" : type;
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
