// The text of an OpenDocument box as paragraphs of PowerPoint, each run with its inherited style.
import { spaceOf } from "../../office/odf/odf.ts";
import { type Look, lengthOf, type Styles, shareOf } from "../../office/odf/styles.ts";
import { elements, type XmlElement } from "../../office/xml.ts";
import { element, emu, isColour, solidFill } from "./drawing-ml.ts";

export interface Written {
  readonly styles: Styles;
  /** The style of the box's text, and its name if it is a presentation style. */
  readonly look: Look;
  readonly outline: string | undefined;
}

interface ListPlace {
  readonly name: string | undefined;
  readonly level: number;
  readonly counted: number;
}

const MAX_LISTS = 10;
const MAX_PARAGRAPHS = 2_000;

export function paragraphsIn(box: XmlElement, written: Written): readonly XmlElement[] {
  const out: XmlElement[] = [];
  collect(box, written, undefined, out);
  return out;
}

function collect(
  parent: XmlElement,
  written: Written,
  list: ListPlace | undefined,
  out: XmlElement[],
): void {
  let counted = 0;
  for (const part of elements(parent)) {
    if (out.length >= MAX_PARAGRAPHS) return;
    if (part.name === "p" || part.name === "h") out.push(toParagraph(part, written, list));
    else if (part.name === "list" && (list?.level ?? 0) < MAX_LISTS) {
      const name = part.attributes["text:style-name"] ?? list?.name;
      collect(part, written, { name, level: (list?.level ?? 0) + 1, counted: 0 }, out);
    } else if (part.name === "list-item" && list !== undefined) {
      counted += 1;
      collect(part, written, { ...list, counted }, out);
    }
  }
}

function toParagraph(
  paragraph: XmlElement,
  written: Written,
  list: ListPlace | undefined,
): XmlElement {
  const { styles } = written;
  const look = {
    ...written.look,
    ...styles.outlineLook(written.outline, list?.level ?? 1),
    ...styles.look("paragraph", paragraph.attributes["text:style-name"]),
  };
  const runs = runsIn(paragraph, styles, look);
  return element("p", {}, layoutOf(look, list, styles), ...runs, runStyle("endParaRPr", look));
}

function layoutOf(look: Look, list: ListPlace | undefined, styles: Styles): XmlElement {
  const level = elements(styles.named("list-style", list?.name)).find(
    ({ attributes }) => attributes["level"] === String(list?.level),
  );
  const hanging: Look = Object.assign({}, ...elements(level).map(({ attributes }) => attributes));
  const label = lengthOf(hanging["min-label-width"]) ?? 0;
  const [left, first] = list
    ? [(lengthOf(hanging["space-before"]) ?? 0) + label, -label]
    : [lengthOf(look["margin-left"]) ?? 0, lengthOf(look["text-indent"]) ?? 0];
  const space = (name: string, side: string) =>
    element(name, {}, element("spcPts", { val: `${(lengthOf(look[side]) ?? 0) * 100}` }));
  const mark = list === undefined ? "" : markOf(level, list.counted);
  const spacing = Math.min(3, Math.max(0.5, shareOf(look["line-height"]) ?? 1));
  return element(
    "pPr",
    { algn: ALIGNED.get(look["text-align"] ?? ""), marL: emu(left), indent: emu(first) },
    element("lnSpc", {}, element("spcPct", { val: `${spacing * 100_000}` })),
    space("spcBef", "margin-top"),
    space("spcAft", "margin-bottom"),
    mark === "" ? undefined : element("buChar", { char: mark }),
  );
}

const ALIGNED = new Map(Object.entries({ center: "ctr", end: "r", right: "r" }));

function markOf(level: XmlElement | undefined, counted: number): string {
  const { attributes = {}, name } = level ?? {};
  if (name !== "list-level-style-number") return attributes["bullet-char"] ?? "•";
  const { "num-format": form = "", "num-suffix": suffix = "" } = attributes;
  return form === "" ? "" : `${counted}${suffix.slice(0, 2)}`;
}

function runsIn(parent: XmlElement, styles: Styles, look: Look): readonly XmlElement[] {
  return parent.children.flatMap((part): readonly XmlElement[] => {
    if (typeof part === "string") return [toRun(part.replace(/\s+/g, " "), look)];
    if (part.name === "annotation" || part.name === "note") return [];
    if (part.name === "page-number")
      return [element("fld", { type: "slidenum" }, runStyle("rPr", look))];
    const space = spaceOf(part);
    if (space !== undefined) return [toRun(space, look)];
    const name = part.name === "span" ? part.attributes["text:style-name"] : undefined;
    return runsIn(part, styles, { ...look, ...styles.look("text", name) });
  });
}

function toRun(text: string, look: Look): XmlElement {
  return element("r", {}, runStyle("rPr", look), element("t", {}, text));
}

const USUAL_SIZE = 18;

function runStyle(name: string, look: Look): XmlElement {
  const colour = look["fo:color"];
  const family = (look["font-name"] ?? look["font-family"] ?? "").replace(/['"]/g, "");
  return element(
    name,
    {
      sz: String(Math.max(100, Math.round((lengthOf(look["font-size"]) ?? USUAL_SIZE) * 100))),
      b: look["font-weight"] === "bold" ? "1" : "0",
      i: look["font-style"] === "italic" ? "1" : "0",
      u: (look["text-underline-style"] ?? "none") === "none" ? "none" : "sng",
    },
    solidFill(isColour(colour) ? colour : "#000000"),
    element("latin", { typeface: family }),
  );
}
