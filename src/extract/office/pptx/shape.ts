// One shape of a slide: text, table, chart, diagram or picture.

import { toGrid } from "../../tables/grid.ts";
import type { ListItem, Writer } from "../../writer.ts";
import { writeChart } from "../chart.ts";
import { child, descendants, elements, type XmlElement } from "../xml.ts";
import { paragraphLine, placeholder } from "./reading-order.ts";

type Related = (id: string | undefined) => Promise<XmlElement | undefined>;

export async function writeShape(out: Writer, shape: XmlElement, related: Related): Promise<void> {
  const table = descendants(shape, "tbl")[0];
  if (table !== undefined) return out.table(tableRows(table));
  const chart = descendants(shape, "chart")[0];
  if (chart !== undefined) {
    const root = await related(chart.attributes["r:id"]);
    if (root !== undefined) writeChart(out, root);
    return;
  }
  const diagram = descendants(shape, "relIds")[0];
  if (diagram !== undefined) return writeDiagram(out, await related(diagram.attributes["r:dm"]));
  if (shape.name === "pic") return writePicture(out, shape);
  writeText(out, shape);
}

function writeText(out: Writer, shape: XmlElement): void {
  const body = child(shape, "txBody");
  if (body === undefined) return;
  const lines: ListItem[] = elements(body).flatMap((paragraph) => {
    if (paragraph.name !== "p") return [];
    const text = paragraphLine(paragraph).trim();
    const depth = Number(child(paragraph, "pPr")?.attributes["lvl"] ?? 0);
    return text === "" ? [] : [{ text, depth }];
  });
  const type = placeholder(shape);
  const bulleted = type === "body" || type === "obj" || lines.some((line) => line.depth > 0);
  if (lines.length > 1 && bulleted) out.list(lines);
  else out.paragraph(lines.map((line) => line.text).join("\n"));
}

function tableRows(table: XmlElement): readonly (readonly string[])[] {
  const named = (parent: XmlElement, name: string) =>
    elements(parent).filter((element) => element.name === name);
  const rows = named(table, "tr").map((row) =>
    named(row, "tc").map((cell) => ({
      text: descendants(cell, "p").map(paragraphLine).join("\n").trim(),
      continues: cell.attributes["vMerge"] === "1",
    })),
  );
  return toGrid(rows);
}

/** SmartArt stores its text in points; points between and around the nodes only concern drawing. */
function writeDiagram(out: Writer, root: XmlElement | undefined): void {
  const items = descendants(root, "pt").flatMap((point) => {
    const type = point.attributes["type"] ?? "node";
    const text = descendants(point, "p").map(paragraphLine).join(" ").trim();
    return text === "" || (type !== "node" && type !== "asst") ? [] : [{ text, depth: 0 }];
  });
  out.list(items);
}

function writePicture(out: Writer, shape: XmlElement): void {
  const description = child(shape, "nvPicPr", "cNvPr")?.attributes["descr"]?.trim() ?? "";
  const words = description.split(/\s+/).length;
  // Names that a program or camera generated are not descriptions.
  if (words < 3 || /\.(?:png|jpe?g|gif|emf|wmf|bmp)$/i.test(description)) return;
  out.figure(description);
}
