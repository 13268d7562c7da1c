// The text of an OpenDocument box: paragraphs and nested lists, each run with its inherited style.
import { spaceOf } from "../../../office/odf/odf.ts";
import { colourOf, type Look, lengthOf, type Styles, shareOf } from "../../../office/odf/styles.ts";
import { elements, type XmlElement } from "../../../office/xml.ts";
import type { Paragraph, TextBox, TextStyle } from "../text.ts";

export interface TextContext {
  readonly styles: Styles;
  /** The style of the box's text, and its name if it is a presentation style. */
  readonly look: Look;
  readonly outline: string | undefined;
  /** The slide's number. */
  readonly number: number;
}

interface ListPlace {
  readonly name: string | undefined;
  readonly level: number;
  readonly counted: number;
}

const USUAL_SIZE = 18;
const MAX_SIZE = 400;
const MAX_DEPTH = 10;
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
    else if (part.name === "list" && (list?.level ?? 0) < MAX_DEPTH) {
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
  const { styles } = context;
  const look = {
    ...context.look,
    ...styles.outlineLook(context.outline, list?.level ?? 1),
    ...styles.look("paragraph", paragraph.attributes["text:style-name"]),
  };
  const runs = runsIn(paragraph, context, look);
  const level = elements(styles.named("list-style", list?.name)).find(
    ({ attributes }) => attributes["level"] === String(list?.level),
  );
  const hanging: Look = Object.assign({}, ...elements(level).map(({ attributes }) => attributes));
  const label = lengthOf(hanging["min-label-width"]) ?? 0;
  const isItem = list !== undefined;
  return {
    runs,
    mark: isItem && runs.length > 0 ? markOf(level, list.counted) : "",
    size: textStyle(look).size,
    align: ALIGNED.get(look["text-align"] ?? "") ?? "l",
    left: isItem
      ? (lengthOf(hanging["space-before"]) ?? 0) + label
      : (lengthOf(look["margin-left"]) ?? 0),
    first: isItem ? -label : (lengthOf(look["text-indent"]) ?? 0),
    before: lengthOf(look["margin-top"]) ?? 0,
    after: lengthOf(look["margin-bottom"]) ?? 0,
    spacing: Math.min(3, Math.max(0.5, shareOf(look["line-height"]) ?? 1)),
  };
}

const ALIGNED = new Map(
  Object.entries<Paragraph["align"]>({ center: "ctr", end: "r", right: "r" }),
);

function runsIn(parent: XmlElement, context: TextContext, look: Look): Paragraph["runs"] {
  const style = textStyle(look);
  return parent.children.flatMap((part): Paragraph["runs"] => {
    if (typeof part === "string") return toRuns(part.replace(/\s+/g, " "), style);
    if (part.name === "annotation" || part.name === "note") return [];
    const text = part.name === "page-number" ? String(context.number) : spaceOf(part);
    if (text !== undefined) return toRuns(text, style);
    const name = part.name === "span" ? part.attributes["text:style-name"] : undefined;
    return runsIn(part, context, { ...look, ...context.styles.look("text", name) });
  });
}

function toRuns(text: string, style: TextStyle): Paragraph["runs"] {
  return text === "" ? [] : [{ text, style }];
}

function textStyle(look: Look): TextStyle {
  return {
    size: Math.min(MAX_SIZE, Math.max(1, lengthOf(look["font-size"]) ?? USUAL_SIZE)),
    bold: look["font-weight"] === "bold",
    italic: look["font-style"] === "italic",
    underlined: (look["text-underline-style"] ?? "none") !== "none",
    colour: colourOf(look["fo:color"]) ?? { rgb: "#000000", alpha: 1 },
    family: (look["font-name"] ?? look["font-family"] ?? "").replace(/['"]/g, ""),
  };
}

function markOf(level: XmlElement | undefined, counted: number): string {
  const { attributes = {}, name } = level ?? {};
  if (name === "list-level-style-number") {
    const { "num-format": form = "", "num-suffix": suffix = "" } = attributes;
    return form === "" ? "" : `${counted}${suffix.slice(0, 2)}`;
  }
  const char = attributes["bullet-char"] ?? "";
  // Symbol fonts have their markers at code points that no other font uses.
  return /^[^\p{Co}\p{Cc}\s]$/u.test(char) ? char : "•";
}

/** The vertical position of text in its box, by PowerPoint's names. */
export function anchorOf(look: Look): TextBox["anchor"] {
  const place = look["textarea-vertical-align"];
  if (place === "middle") return "ctr";
  return place === "bottom" ? "b" : "t";
}
