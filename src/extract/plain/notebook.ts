// Jupyter notebooks: text cells as Markdown, code cells as code with their printed output.
import * as z from "zod";
import { clean } from "../../text/clean/clean.ts";
import { corrupt } from "../failures.ts";
import type { ReadContext, ReadOutcome } from "../reader.ts";
import type { Writer } from "../writer.ts";
import { decodeText } from "./charset.ts";

const text = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(""))]);
const output = z.object({
  text: text.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
});
const cell = z.object({
  cell_type: z.string(),
  source: text.optional(),
  input: text.optional(),
  level: z.number().optional(),
  outputs: z.array(output).optional(),
});
const notebook = z.object({
  cells: z.array(cell).optional(),
  /** Before version 4, cells were in worksheets. */
  worksheets: z.array(z.object({ cells: z.array(cell) })).optional(),
});
type Cell = z.output<typeof cell>;

// Long output adds little; its beginning shows what it is.
const MAX_OUTPUT_LENGTH = 4_000;

export function readNotebook({ bytes, out }: ReadContext): ReadOutcome {
  const { cells, worksheets } = parse(decodeText(bytes).text);
  for (const each of cells ?? worksheets?.flatMap((sheet) => sheet.cells) ?? []) write(out, each);
  out.report("text");
  return { method: "text_extraction" };
}

function parse(content: string): z.output<typeof notebook> {
  try {
    return notebook.parse(JSON.parse(content));
  } catch (cause) {
    throw corrupt("The file is not a Jupyter notebook.", cause);
  }
}

function write(out: Writer, { cell_type: kind, source, input, level, outputs }: Cell): void {
  const content = clean(source ?? input ?? "");
  if (kind === "markdown") out.markdown(content);
  else if (kind === "heading") out.heading(level ?? 1, content);
  else if (kind === "code") out.code(content);
  else out.paragraph(content);
  for (const each of outputs ?? []) out.code(shown(each).slice(0, MAX_OUTPUT_LENGTH));
}

function shown({ text: printed, data, ename, evalue }: z.output<typeof output>): string {
  const plain = text.safeParse(data?.["text/markdown"] ?? data?.["text/plain"]);
  const failure = ename === undefined ? "" : `${ename}: ${evalue ?? ""}`;
  return clean([printed ?? "", plain.data ?? "", failure].filter((part) => part !== "").join("\n"));
}
