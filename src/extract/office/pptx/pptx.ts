// Presentations: slide by slide the title, the shapes in reading order, charts, diagrams and speaker notes.

import { corrupt } from "../../failures.ts";
import { hideInstructions } from "../../hidden/metadata.ts";
import type { ReadContext, ReadOutcome } from "../../reader.ts";
import type { Writer } from "../../writer.ts";
import { type OfficeFile, openOffice, type Relation, targetOf } from "../office.ts";
import { child, descendants, elements, textOf, type XmlElement } from "../xml.ts";
import { isTitle, shapesOf, shapeText } from "./reading-order.ts";
import { writeShape } from "./shape.ts";
import { isHiddenSlide, seenSlide } from "./unseen.ts";

const MAX_TITLE_LENGTH = 150;

export async function readPptx({
  bytes,
  limits,
  out,
  progress,
}: ReadContext): Promise<ReadOutcome> {
  const office = await openOffice(bytes, limits);
  const slides = await slideParts(office);
  if (slides.length === 0) throw corrupt("The presentation has no slides.");
  const size = child(await office.tree(office.main), "sldSz");
  let firstTitle = "";
  for (const [at, part] of slides.entries()) {
    out.at({ slide: at + 1 });
    const title = await writeSlide(out, office, { part, size });
    if (at === 0) firstTitle = title;
    out.report("text");
    progress({ done: at + 1, total: slides.length, unit: "slide" });
  }
  hideInstructions(out, office.properties);
  const title = office.title === "" ? firstTitle : office.title;
  return { method: "text_extraction", ...(title === "" ? {} : { title }) };
}

/** In the order of the presentation. */
export async function slideParts(office: OfficeFile): Promise<readonly string[]> {
  const relations = await office.relations(office.main);
  const list = child(await office.tree(office.main), "sldIdLst");
  return elements(list).flatMap((slide) => {
    const target = relations.get(slide.attributes["r:id"] ?? "")?.target;
    return target !== undefined && office.archive.has(target) ? [target] : [];
  });
}

async function writeSlide(
  out: Writer,
  office: OfficeFile,
  { part, size }: { readonly part: string; readonly size: XmlElement | undefined },
): Promise<string> {
  const root = await office.tree(part);
  const relations = await office.relations(part);
  if (isHiddenSlide(root)) {
    const notes = await Promise.all([...relations.values()].map((each) => notesOf(office, each)));
    const shown = shapesOf(child(root, "cSld", "spTree")).map(shapeText);
    out.hide("hidden", [...shown, ...notes].join("\n"));
    return "";
  }
  const tree = await seenSlide(out, { root, size, below: () => layersBelow(office, part) });
  const shapes = shapesOf(tree);
  const title = shapes.filter(isTitle).map(shapeText).join(" ").trim();
  out.heading(2, title);
  const related = async (id: string | undefined) => {
    const target = relations.get(id ?? "")?.target;
    return target === undefined ? undefined : office.tree(target);
  };
  for (const shape of shapes) {
    if (!isTitle(shape)) await writeShape(out, shape, related);
  }
  for (const relation of relations.values()) await writeNotes(out, office, relation);
  // A cover without a title placeholder still begins with the title.
  const opening = shapes.map(shapeText).find((text) => text.trim() !== "") ?? "";
  return title === "" && opening.length <= MAX_TITLE_LENGTH ? opening : title;
}

/** The slide's layout and master. */
async function layersBelow(office: OfficeFile, part: string): Promise<readonly XmlElement[]> {
  const layout = targetOf(await office.relations(part), "slideLayout");
  if (layout === undefined) return [];
  const master = targetOf(await office.relations(layout), "slideMaster");
  const trees = await Promise.all([office.tree(layout), office.tree(master ?? "")]);
  return trees.filter((tree) => tree !== undefined);
}

async function notesOf(office: OfficeFile, { type, target }: Relation): Promise<string> {
  return type === "notesSlide" ? notesText(await office.tree(target)) : "";
}

async function writeNotes(out: Writer, office: OfficeFile, relation: Relation) {
  const { type, target } = relation;
  out.note("Speaker notes", await notesOf(office, relation));
  if (type !== "comments") return;
  for (const text of commentTexts(await office.tree(target))) out.note("Comment", text);
}

function notesText(root: XmlElement | undefined): string {
  const tree = child(root, "cSld", "spTree");
  const body = shapesOf(tree).filter(
    (shape) => child(shape, "nvSpPr", "nvPr", "ph")?.attributes["type"] === "body",
  );
  return body.map(shapeText).join("\n").trim();
}

function commentTexts(root: XmlElement | undefined): readonly string[] {
  return descendants(root, "cm").map((comment) => {
    const plain = textOf(child(comment, "text"));
    return plain === "" ? descendants(comment, "t").map(textOf).join(" ") : plain;
  });
}
