// One file of each format, small, with what must be found in it and where.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Format, Place, ProcessingMethod } from "../../src/domain/document.ts";
import {
  docxTable,
  heading,
  makeDocx,
  makePptx,
  makeXlsx,
  paragraph,
  row,
  shape,
} from "./files/office.ts";
import { makePdf } from "./files/pdf.ts";
import { moreSamples } from "./more-samples.ts";

export interface Sample {
  readonly format: Format;
  readonly filename: string;
  readonly bytes: Buffer;
  readonly method: ProcessingMethod;
  readonly finds: readonly { readonly text: string; readonly place: Place }[];
}

export async function extractSamples(): Promise<readonly Sample[]> {
  const text = (
    format: Format,
    content: string | Buffer,
    ...found: readonly (string | readonly [string, Place])[]
  ) => ({
    format,
    filename: format === "code" ? "sample.py" : `sample.${format}`,
    bytes: Buffer.from(content),
    method: "text_extraction" as const,
    finds: found.map((one) =>
      typeof one === "string" ? { text: one, place: {} } : { text: one[0], place: one[1] },
    ),
  });
  const picture = async (format: Format, name: string, found: string) => ({
    format,
    filename: `sample.${format}`,
    bytes: await readFile(join(import.meta.dirname, "..", "fixtures", name)),
    method: "image_analysis" as const,
    finds: [{ text: found, place: {} }],
  });
  return [
    text(
      "txt",
      "The kettle boils at noon.\n\nTea is served at one.\n",
      "kettle boils",
      "served at one",
    ),
    text(
      "md",
      "# Guide\n\nFirst words.\n\n| Key | Value |\n| --- | --- |\n| port | 8080 |\n",
      "First words",
      "| port | 8080 |",
    ),
    text(
      "csv",
      'name,city\n"Ada, Countess",London\nGrace,"New York"\n',
      "| Ada, Countess | London |",
      "| Grace | New York |",
    ),
    text("json", '[{"name":"Ada","born":1815},{"name":"Grace","born":1906}]', "| Ada | 1815 |"),
    text(
      "html",
      "<title>Tides</title><body><h1>Tide table</h1><p>High water at 06:12.</p></body>",
      "# Tide table",
      "High water at 06:12",
    ),
    text(
      "svg",
      '<svg xmlns="http://www.w3.org/2000/svg"><title>Flow</title><text x="1" y="9">Order service</text></svg>',
      "Order service",
    ),
    text(
      "docx",
      makeDocx({
        body:
          heading(1, "Plan") +
          paragraph("Launch in May.") +
          docxTable([
            ["Task", "Owner"],
            ["Test", "Mia"],
          ]),
      }),
      "# Plan",
      "Launch in May",
      "| Test | Mia |",
    ),
    text(
      "pptx",
      makePptx([
        {
          shapes:
            shape(["Quarter results"], "title") + shape(["Up by a tenth", "Costs fell"], "body"),
        },
        { shapes: shape(["Outlook"], "title") + shape(["Steady growth"]) },
      ]),
      ["Up by a tenth", { slide: 1 }],
      ["Steady growth", { slide: 2 }],
    ),
    text(
      "xlsx",
      makeXlsx({
        strings: ["City", "People", "Oslo", "Stock"],
        formats: ["#,##0"],
        sheets: [
          { name: "Towns", rows: row(1, ["s0", "s1"]) + row(2, ["s2", 709037], 1) },
          { name: "Store", rows: row(1, ["s3", "s1"]) + row(2, ["s2", 12]) },
        ],
      }),
      ["| Oslo | 709037 |", { sheet: "Towns" }],
      ["| Oslo | 12 |", { sheet: "Store" }],
    ),
    text(
      "pdf",
      makePdf([
        [
          { text: "Harbour report", size: 24 },
          "Ships wait two days at the northern pier before they unload.",
        ],
        ["The southern pier is closed for repairs until the end of March."],
      ]),
      ["Ships wait two days", { page: 1 }],
      ["southern pier is closed", { page: 2 }],
    ),
    ...moreSamples().map(({ format, content, finds }) => text(format, content, ...finds)),
    await picture("png", "invoice.png", "INV-20417"),
    await picture("jpg", "invoice-turned.jpg", "Harbour Street 5"),
  ];
}
