// The text of a box: paragraphs and nested lists, each run with its inherited style.
import { elements, type XmlElement } from "../../../office/xml.ts";
import type { Colour } from "../drawing/colour.ts";
import type { Paragraph } from "../text/lines.ts";
import type { RunStyle } from "../text/styles.ts";
import { colourOf, type Look, lengthOf, type Styles, shareOf } from "./odp-styles.ts";

interface TextContext {
  readonly styles: Styles;
  /** The style of the box. */
  readonly look: Look;
  readonly number: number;
}

type Properties = Look["text"];

interface ListPlace {
  readonly name: string | undefined;
  readonly level: number;
  readonly counted: number;
}

const BLACK: Colour = { rgb: "#000000", alpha: 1 };
const USUAL_SIZE = 18;
const LARGEST = 400;
const DEEPEST = 10;
const MAX_PARAGRAPHS = 2_000;

export function paragraphsIn(box: XmlElement, context: TextContext): readonly Paragraph[] {
  const out: Paragraph[] = [];
  collect(box, context, undefined, out);
  return out;
}

function collect(
  parent: XmlElement,
  context: TextContext,
  list: ListPlace | undefined,
  out: Paragraph[],
): void {
  let counted = 0;
  for (const part of elements(parent)) {
    if (out.length >= MAX_PARAGRAPHS) return;
    if (part.name === "p" || part.name === "h") out.push(toParagraph(part, context, list));
    else if (part.name === "list" && (list?.level ?? 0) < DEEPEST) {
      const name = part.attributes["text:style-name"] ?? list?.name;
      collect(part, context, { name, level: (list?.level ?? 0) + 1, counted: 0 }, out);
    } else if (part.name === "list-item" && list !== undefined) {
      counted += 1;
      collect(part, context, { ...list, counted }, out);
    }
  }
}

function toParagraph(
  paragraph: XmlElement,
  context: TextContext,
  list: ListPlace | undefined,
): Paragraph {
  const { styles, look, number } = context;
  const own = styles.look("paragraph", paragraph.attributes["text:style-name"]);
  const level = levelLook(context, list?.level ?? 1);
  const text = { ...look.text, ...level.text, ...own.text };
  const laid = { ...look.paragraph, ...level.paragraph, ...own.paragraph };
  const runs = runsIn(paragraph, { styles, number }, text);
  const { mark, left, first } = hanging(styles, list, runs.length > 0);
  return {
    runs,
    mark,
    size: runStyle([text]).size,
    style: {
      align: alignOf(laid["text-align"]),
      left: list === undefined ? (lengthOf(laid["margin-left"]) ?? 0) : left,
      first: list === undefined ? (lengthOf(laid["text-indent"]) ?? 0) : first,
      bullet: undefined,
      before: lengthOf(laid["margin-top"]) ?? 0,
      after: lengthOf(laid["margin-bottom"]) ?? 0,
      spacing: Math.min(3, Math.max(0.5, shareOf(laid["line-height"]) ?? 1)),
      run: () => runStyle([text]),
    },
  };
}

/** The levels of an outline have separate styles, named after the first: "…-outline1", "…-outline2". */
function levelLook({ styles, look }: TextContext, level: number): Pick<Look, "text" | "paragraph"> {
  const outline = look.names.find((name) => name.endsWith("-outline1"));
  if (outline === undefined || level < 2) return { text: {}, paragraph: {} };
  return styles.look("presentation", outline.replace(/1$/, String(Math.min(9, level))));
}

function runsIn(
  parent: XmlElement,
  context: Pick<TextContext, "styles" | "number">,
  above: Properties,
): Paragraph["runs"] {
  const style = runStyle([above]);
  return parent.children.flatMap((part) => {
    if (typeof part === "string") {
      const text = part.replace(/\s+/g, " ");
      return text === "" ? [] : [{ text, style }];
    }
    switch (part.name) {
      case "s":
        return [{ text: " ".repeat(Math.min(20, Number(part.attributes["c"] ?? 1) || 1)), style }];
      case "tab":
        return [{ text: "\t", style }];
      case "line-break":
        return [{ text: "\n", style }];
      case "page-number":
        return [{ text: String(context.number), style }];
      case "span": {
        const { text } = context.styles.look("text", part.attributes["text:style-name"]);
        return runsIn(part, context, { ...above, ...text });
      }
      default:
        return part.name === "annotation" || part.name === "note"
          ? []
          : runsIn(part, context, above);
    }
  });
}

function runStyle(sources: readonly Properties[]): RunStyle {
  const all: Properties = Object.assign({}, ...sources);
  const size = lengthOf(all["font-size"]) ?? USUAL_SIZE;
  return {
    size: Math.min(LARGEST, Math.max(1, size)),
    bold: all["font-weight"] === "bold",
    italic: all["font-style"] === "italic",
    underlined: (all["text-underline-style"] ?? "none") !== "none",
    colour: colourOf(all["fo:color"]) ?? BLACK,
    family: (all["font-name"] ?? all["font-family"] ?? "").replace(/['"]/g, ""),
  };
}

function alignOf(said: string | undefined): "l" | "ctr" | "r" {
  if (said === "center") return "ctr";
  return said === "end" || said === "right" ? "r" : "l";
}

/** The list's marker, where its text begins, and how far the marker hangs out. */
function hanging(styles: Styles, list: ListPlace | undefined, hasText: boolean) {
  if (list === undefined) return { mark: "", left: 0, first: 0 };
  const level = styles.listLevel(list.name, list.level);
  const places = level === undefined ? [] : elements(level).map(({ attributes }) => attributes);
  const before = lengthOf(places.find((each) => each["space-before"])?.["space-before"]) ?? 0;
  const label = lengthOf(places.find((each) => each["min-label-width"])?.["min-label-width"]) ?? 0;
  const mark = hasText ? markOf(level, list.counted) : "";
  return { mark, left: before + label, first: -label };
}

function markOf(level: XmlElement | undefined, counted: number): string {
  if (level?.name === "list-level-style-number") {
    const { "num-format": form = "", "num-suffix": suffix = "" } = level.attributes;
    return form === "" ? "" : `${counted}${suffix.slice(0, 2)}`;
  }
  const char = level?.attributes["bullet-char"] ?? "";
  // Symbol fonts have their markers at code points that no other font uses.
  return /^[^\p{Co}\p{Cc}\s]$/u.test(char) ? char : "•";
}
