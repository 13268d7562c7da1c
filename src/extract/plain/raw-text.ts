// A text file as it is, looked through for invisible characters before anything removes them.
import type { ReadContext } from "../reader.ts";
import { decodeText } from "./charset.ts";

export function rawText({ bytes, out }: Pick<ReadContext, "bytes" | "out">): string {
  const { text } = decodeText(bytes);
  out.inspect(text);
  return text;
}
