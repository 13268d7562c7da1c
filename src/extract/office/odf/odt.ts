// Texts of LibreOffice and its relatives.
import type { ReadContext, ReadOutcome } from "../../reader.ts";
import { eachElement } from "../xml.ts";
import { BLOCKS, writeBlock } from "./flow.ts";
import { openOdf } from "./odf.ts";

export async function readOdt({ bytes, limits, out }: ReadContext): Promise<ReadOutcome> {
  const { content, title } = await openOdf(bytes, limits);
  eachElement(content, limits.xmlDepth, BLOCKS, (block) => writeBlock(out, block));
  out.report("text");
  return { method: "text_extraction", ...(title === "" ? {} : { title }) };
}
