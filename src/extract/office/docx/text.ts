// A paragraph's runs → its text, and what is anchored to it: text boxes, notes, comments.
import { child, descendants, elements, textOf, type XmlElement } from "../xml.ts";

/** What is anchored to a paragraph. */
interface Anchored {
  /** Content of text boxes: separate paragraphs and tables. */
  readonly boxes: XmlElement[];
  readonly footnotes: string[];
  readonly endnotes: string[];
  readonly comments: string[];
  readonly pictures: string[];
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
}

// Deleted and moved text of tracked changes, and Word's internal instructions.
const SKIPPED = new Set(
  "del moveFrom pPr rPr instrText delText delInstrText rt sdtPr sdtEndPr tblPr".split(" "),
);

export function paragraphText(paragraph: XmlElement): ParagraphText {
  const anchored = { boxes: [], footnotes: [], endnotes: [], comments: [], pictures: [] };
  const into: Gathering = { text: "", plain: 0, ...anchored };
  gather(paragraph, into, false);
  const { text, plain, ...rest } = into;
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
  if (!isOn(child(style, "vanish"))) gather(run, into, isOn(child(style, "b")));
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

function isOn(element: XmlElement | undefined): boolean {
  if (element === undefined) return false;
  return !["0", "false", "off", "none"].includes(element.attributes["val"] ?? "true");
}
