// A paragraph's runs → its text, and what is anchored to it: text boxes, notes, comments.
import type { HiddenKind } from "../../../domain/document.ts";
import { child, descendants, elements, textOf, type XmlElement } from "../xml.ts";
import type { StyleOf } from "./styles.ts";
import { isOn, unseenRun } from "./unseen.ts";

/** What is anchored to a paragraph. */
interface Anchored {
  /** Content of text boxes: separate paragraphs and tables. */
  readonly boxes: XmlElement[];
  readonly footnotes: string[];
  readonly endnotes: string[];
  readonly comments: string[];
  readonly pictures: string[];
  readonly hidden: { readonly kind: HiddenKind; text: string }[];
}

/** What decides whether a paragraph's runs are seen. */
export interface Surroundings {
  readonly styleOf: StyleOf;
  readonly isWhite: boolean;
}

export interface ParagraphText extends Readonly<Anchored> {
  readonly text: string;
  /** Every visible run is bold. */
  readonly bold: boolean;
}

interface Gathering extends Anchored {
  text: string;
  /** The number of characters that are not bold. */
  plain: number;
  readonly around: Surroundings;
}

// Deleted and moved text of tracked changes, and Word's internal instructions.
const SKIPPED = new Set(
  "del moveFrom pPr rPr instrText delText delInstrText rt sdtPr sdtEndPr tblPr".split(" "),
);

export function paragraphText(paragraph: XmlElement, around: Surroundings): ParagraphText {
  const anchored = {
    boxes: [],
    footnotes: [],
    endnotes: [],
    comments: [],
    pictures: [],
    hidden: [],
  };
  const isWhite = around.isWhite && child(paragraph, "pPr", "shd") === undefined;
  const into: Gathering = { text: "", plain: 0, ...anchored, around: { ...around, isWhite } };
  gather(paragraph, into, false);
  const { text, plain, around: _, ...rest } = into;
  return { ...rest, text: text.trim(), bold: text.trim() !== "" && plain === 0 };
}

/** Elements that represent text, or something that belongs to the paragraph. */
const MEANINGS = new Map(
  Object.entries<(into: Gathering, element: XmlElement) => void>({
    tab: (into) => add(into, "\t"),
    ptab: (into) => add(into, "\t"),
    br: (into) => add(into, "\n"),
    cr: (into) => add(into, "\n"),
    noBreakHyphen: (into) => add(into, "-", true),
    sym: (into, { attributes }) => add(into, symbol(attributes["char"]), true),
    footnoteReference: (into, { attributes }) => into.footnotes.push(attributes["id"] ?? ""),
    endnoteReference: (into, { attributes }) => into.endnotes.push(attributes["id"] ?? ""),
    commentReference: (into, { attributes }) => into.comments.push(attributes["id"] ?? ""),
    txbxContent: (into, element) => into.boxes.push(element),
    docPr: (into, { attributes }) => picture(attributes["descr"], into),
  }),
);

function gather(parent: XmlElement, into: Gathering, bold: boolean): void {
  for (const element of elements(parent)) {
    const { name } = element;
    const mean = MEANINGS.get(name);
    if (SKIPPED.has(name)) continue;
    if (mean !== undefined) mean(into, element);
    else if (name === "t") add(into, textOf(element), bold);
    else if (name === "r") gatherRun(element, into);
    else if (name === "AlternateContent") gather(chosen(element), into, bold);
    else gather(element, into, bold);
  }
}

function gatherRun(run: XmlElement, into: Gathering): void {
  const style = child(run, "rPr");
  const { styleOf, isWhite } = into.around;
  const named = styleOf(child(style, "rStyle")?.attributes["val"]).unseen;
  const kind = unseenRun(style, isWhite) ?? (child(style, "vanish") ? undefined : named);
  if (kind === undefined) {
    gather(run, into, isOn(child(style, "b")));
    return;
  }
  const text = descendants(run, "t").map(textOf).join("");
  const last = into.hidden.at(-1);
  if (last?.kind === kind) last.text += text;
  else if (text !== "") into.hidden.push({ kind, text });
}

function add(into: Gathering, text: string, bold = false): void {
  into.text += text;
  if (!bold && text.trim() !== "") into.plain += text.length;
}

/** Word stores some content twice, for new and old readers; one of them is chosen. */
function chosen(alternate: XmlElement): XmlElement {
  const choice = child(alternate, "Choice");
  const fallback = child(alternate, "Fallback");
  const holdsText = (side: XmlElement) =>
    ["t", "txbxContent"].some((name) => descendants(side, name).length > 0);
  if (choice !== undefined && (holdsText(choice) || fallback === undefined)) return choice;
  return fallback ?? alternate;
}

function picture(description: string | undefined, into: Gathering): void {
  const text = description?.trim() ?? "";
  // Captions that Word guessed, and file names, are not informative.
  if (text.split(/\s+/).length < 3 && text.length < 12) return;
  if (/\.(?:png|jpe?g|gif|emf|wmf|bmp)$/i.test(text)) return;
  into.pictures.push(text);
}

function symbol(hex: string | undefined): string {
  const code = Number.parseInt(hex ?? "", 16);
  return Number.isNaN(code) ? "" : String.fromCharCode(code);
}
