// Word documents: headings, lists, tables, text boxes, notes and comments, in the order of the text.

import { corrupt } from "../../failures.ts";
import { hideInstructions } from "../../hidden/metadata.ts";
import type { ReadContext, ReadOutcome } from "../../reader.ts";
import { type OfficeFile, openOffice, type Relation, targetOf } from "../office.ts";
import { descendants, eachElement, elements, textOf, type XmlElement } from "../xml.ts";
import { openDocxFlow } from "./flow.ts";
import { openNumbering } from "./numbering.ts";
import { openStyles } from "./styles.ts";

const BLOCKS = new Set(["p", "tbl"]);

export async function readDocx({
  bytes,
  limits,
  out,
  progress,
}: ReadContext): Promise<ReadOutcome> {
  const office = await openOffice(bytes, limits);
  const relations = await office.relations(office.main);
  const body = await office.part(office.main);
  if (body === undefined) throw corrupt("The Word file has no document part.");
  const related = (type: string) => office.tree(targetOf(relations, type) ?? "");
  const flow = openDocxFlow(out, {
    styleOf: openStyles(await related("styles")),
    isWhite: !/<w:background|behindDoc="(?:1|true)"/.test(body.toString("latin1")),
    nextNumber: openNumbering(await related("numbering")),
    footnotes: notes(await related("footnotes")),
    endnotes: notes(await related("endnotes")),
    comments: notes(await related("comments")),
  });
  eachElement(body, limits.xmlDepth, BLOCKS, (element) => flow.add(element));
  flow.finish();
  for (const text of await headers(office, [...relations.values()]))
    out.note("Header or footer", text);
  hideInstructions(out, office.properties);
  out.report("text");
  progress({ done: 1, total: 1, unit: "page" });
  return { method: "text_extraction", ...(office.title === "" ? {} : { title: office.title }) };
}

function notes(root: XmlElement | undefined): ReadonlyMap<string, XmlElement> {
  const found = elements(root).filter(
    ({ attributes }) =>
      attributes["type"] !== "separator" && attributes["type"] !== "continuationSeparator",
  );
  return new Map(found.map((note) => [note.attributes["id"] ?? "", note]));
}

/** Running headers and footers: each text once, without those that are only page numbers. */
async function headers(
  office: OfficeFile,
  relations: readonly Relation[],
): Promise<ReadonlySet<string>> {
  const texts = new Set<string>();
  for (const { type, target } of relations) {
    if (type !== "header" && type !== "footer") continue;
    const lines = descendants(await office.tree(target), "p").map((line) =>
      descendants(line, "t").map(textOf).join(""),
    );
    const text = lines.join("\n").trim();
    const bare = text.replace(/[\s\d]+/g, "");
    if (/\p{L}{3,}/u.test(text) && !/^(?:page|ページ)?(?:of|\/)?$/i.test(bare)) texts.add(text);
  }
  return texts;
}
