// The title in the properties of a binary Office file.
import { decodeCodePage } from "../../plain/charset.ts";
import type { CompoundFile } from "./compound-file.ts";

const TITLE = 2;
const CODE_PAGE = 1;

/** An empty string if there is none; damaged properties are no reason to refuse the text. */
export function summaryTitle(file: CompoundFile): string {
  const bytes = file.stream("\u0005SummaryInformation");
  if (bytes === undefined || bytes.length < 56) return "";
  const base = bytes.readUInt32LE(44);
  const places = new Map<number, number>();
  const count = base + 8 > bytes.length ? 0 : Math.min(100, bytes.readUInt32LE(base + 4));
  for (let at = base + 8; at < base + 8 + count * 8 && at + 8 <= bytes.length; at += 8) {
    places.set(bytes.readUInt32LE(at), base + bytes.readUInt32LE(at + 4));
  }
  const title = places.get(TITLE);
  if (title === undefined || title + 8 > bytes.length) return "";
  const codePage = places.get(CODE_PAGE);
  const page =
    codePage === undefined || codePage + 6 > bytes.length ? 1252 : bytes.readUInt16LE(codePage + 4);
  const isWide = bytes.readUInt16LE(title) === 31;
  const length = bytes.readUInt32LE(title + 4) * (isWide ? 2 : 1);
  const text = bytes.subarray(title + 8, title + 8 + Math.min(length, 2_000));
  return (isWide ? text.toString("utf16le") : decodeCodePage(text, page))
    .replace(/\0[\s\S]*$/, "")
    .trim();
}
