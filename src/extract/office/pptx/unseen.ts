// The shapes of a slide without what nobody sees in a show: hidden, outside the slide, under another shape, too small,
// or in the colour of the slide.
import type { HiddenKind } from "../../../domain/document.ts";
import { unseenKind } from "../../hidden/appearance.ts";
import { type Rgb, toRgb, WHITE } from "../../hidden/colour.ts";
import type { Writer } from "../../writer.ts";
import { child, descendants, elements, textOf, type XmlElement } from "../xml.ts";
import { shapeText, stackOf } from "./reading-order.ts";

// Each shape of a slide is compared with all others.
const MAX_COMPARED = 300;

export interface Slide {
  readonly root: XmlElement | undefined;
  /** The layout and the master below it. */
  readonly below: () => Promise<readonly XmlElement[]>;
  /** The size of all slides. */
  readonly size: XmlElement | undefined;
}

/** Whether the show leaves the slide out. */
export function isHiddenSlide(root: XmlElement | undefined): boolean {
  return root?.attributes["show"] === "0" || root?.attributes["show"] === "false";
}

/** A slide without what is hidden on it, which goes to `out`. */
export async function seenSlide(out: Writer, slide: Slide): Promise<XmlElement | undefined> {
  const tree = child(slide.root, "cSld", "spTree");
  if (tree === undefined) return undefined;
  const behind = hasColours(tree) ? await plainBackground(slide) : undefined;
  const unseen = unseenOn(tree, slide, behind);
  for (const [kind, found] of Map.groupBy(unseen, ([, why]) => why))
    out.hide(kind, found.map(([one]) => textIn(one)).join(" "));
  return unseen.size === 0 ? tree : without(tree, unseen);
}

/** Shapes and runs, each with the reason. */
function unseenOn(tree: XmlElement, { root, size }: Slide, behind: Rgb | undefined) {
  const stack = stackOf(tree);
  // Positions in groups are relative to the group; shapes that move are seen one after the other.
  const isStill =
    stack.length <= MAX_COMPARED &&
    descendants(tree, "grpSp").length === 0 &&
    child(root, "timing") === undefined;
  const unseen = new Map<XmlElement, HiddenKind>();
  for (const [at, shape] of stack.entries()) {
    const above = isStill ? stack.slice(at + 1) : [];
    const whole = hiddenShape(shape, size) ?? (isCovered(shape, above) ? "covered" : undefined);
    const here = isStill ? behindOf(shape, stack, behind) : undefined;
    if (whole !== undefined) unseen.set(shape, whole);
    else for (const run of descendants(shape, "r")) noteRun(unseen, run, here);
  }
  return unseen;
}

const textIn = (one: XmlElement) => (one.name === "r" ? textOf(child(one, "t")) : shapeText(one));

function noteRun(
  unseen: Map<XmlElement, HiddenKind>,
  run: XmlElement,
  behind: Rgb | undefined,
): void {
  const style = child(run, "rPr");
  const fill = elements(child(style, "solidFill"))[0];
  const alpha = child(fill, "alpha")?.attributes["val"];
  const kind = unseenKind({
    points: Number(style?.attributes["sz"] ?? 1_800) / 100,
    opacity: Number(alpha ?? 100_000) / 100_000,
    colour: runColour(fill),
    behind,
  });
  if (kind !== undefined) unseen.set(run, kind);
}

/** The scheme's first background colour is white wherever the slide's own is. */
function runColour(fill: XmlElement | undefined): Rgb | undefined {
  const value = fill?.attributes["val"] ?? "";
  if (fill?.name === "srgbClr") return toRgb(value);
  return value === "bg1" || value === "lt1" ? WHITE : undefined;
}

function hasColours(tree: XmlElement): boolean {
  const fillOf = (run: XmlElement) => elements(child(run, "rPr", "solidFill"))[0];
  return descendants(tree, "r").some((run) => runColour(fillOf(run)) !== undefined);
}

/** The colour of the slide where it is plain: no picture or filled shape of its layout can be behind the text. */
async function plainBackground({ root, below }: Slide): Promise<Rgb | undefined> {
  const layers = await below();
  const drawn = layers.flatMap((layer) => stackOf(child(layer, "cSld", "spTree")));
  if (drawn.some((shape) => shape.name === "pic" || isFilled(shape))) return undefined;
  const background = [root, ...layers].map((layer) => child(layer, "cSld", "bg")).find(Boolean);
  if (background === undefined) return WHITE;
  const fill =
    elements(child(background, "bgPr", "solidFill"))[0] ?? elements(child(background, "bgRef"))[0];
  return runColour(fill);
}

const FILLS = ["solidFill", "gradFill", "blipFill", "pattFill", "grpFill"];

function isFilled(shape: XmlElement): boolean {
  const own = child(shape, "spPr");
  if (FILLS.some((name) => child(own, name) !== undefined)) return true;
  const styled = Number(child(shape, "style", "fillRef")?.attributes["idx"] ?? 0) > 0;
  return styled && child(own, "noFill") === undefined;
}

/** What is behind a shape's text, if that is one colour. */
function behindOf(
  shape: XmlElement,
  stack: readonly XmlElement[],
  slide: Rgb | undefined,
): Rgb | undefined {
  if (shape.name !== "sp") return undefined;
  const own = elements(child(shape, "spPr", "solidFill"))[0];
  if (own !== undefined) return runColour(own);
  if (slide === undefined || isFilled(shape)) return undefined;
  const box = boxOf(shape);
  const others = stack.filter(
    (one) => one !== shape && (one.name === "pic" || one.name === "graphicFrame" || isFilled(one)),
  );
  return others.some((one) => overlaps(box, boxOf(one))) ? undefined : slide;
}

function hiddenShape(shape: XmlElement, size: XmlElement | undefined): HiddenKind | undefined {
  const named = elements(shape)[0];
  if (["1", "true"].includes(child(named, "cNvPr")?.attributes["hidden"] ?? "")) return "hidden";
  const box = boxOf(shape);
  const [width, height] = [Number(size?.attributes["cx"]), Number(size?.attributes["cy"])];
  if (box === undefined || shape.name !== "sp") return undefined;
  const isOut = box.right < 0 || box.bottom < 0 || box.left > width || box.top > height;
  return isOut ? "off-page" : undefined;
}

function isCovered(shape: XmlElement, above: readonly XmlElement[]): boolean {
  const box = boxOf(shape);
  if (box === undefined || shape.name !== "sp") return false;
  return above.some((one) => {
    const over = boxOf(one);
    const isOpaque =
      one.name === "pic" ||
      (child(one, "spPr", "solidFill") !== undefined &&
        descendants(child(one, "spPr"), "alpha").length === 0);
    const isAround =
      over !== undefined &&
      over.left <= box.left &&
      over.top <= box.top &&
      over.right >= box.right &&
      over.bottom >= box.bottom;
    return isOpaque && isAround;
  });
}

type Box = NonNullable<ReturnType<typeof boxOf>>;

function boxOf(shape: XmlElement) {
  const frame = child(shape, "spPr", "xfrm") ?? child(shape, "xfrm");
  const [at, extent] = [child(frame, "off")?.attributes, child(frame, "ext")?.attributes];
  if (at === undefined || extent === undefined) return undefined;
  const [left, top] = [Number(at["x"]), Number(at["y"])];
  return { left, top, right: left + Number(extent["cx"]), bottom: top + Number(extent["cy"]) };
}

/** A shape that its layout places may be anywhere. */
function overlaps(one: Box | undefined, other: Box | undefined): boolean {
  if (one === undefined || other === undefined) return true;
  return (
    one.left < other.right &&
    other.left < one.right &&
    one.top < other.bottom &&
    other.top < one.bottom
  );
}

function without(parent: XmlElement, unseen: ReadonlyMap<XmlElement, HiddenKind>): XmlElement {
  const kept = parent.children.filter((one) => typeof one === "string" || !unseen.has(one));
  const children = kept.map((one) => (typeof one === "string" ? one : without(one, unseen)));
  return { ...parent, children };
}
