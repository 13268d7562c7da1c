// Cell style → how a number in it is shown.

import { child, elements, type XmlElement } from "../xml.ts";
import { builtInFormat } from "./format-code.ts";
import { general, type NumberFormat, numberFormat } from "./number-format.ts";

export type FormatOf = (style: string | undefined) => NumberFormat;

export function openCellStyles(root: XmlElement | undefined, date1904: boolean): FormatOf {
  const codes = new Map<number, string>();
  for (const format of elements(child(root, "numFmts"))) {
    codes.set(Number(format.attributes["numFmtId"]), format.attributes["formatCode"] ?? "General");
  }
  const ids = elements(child(root, "cellXfs")).map((cell) =>
    Number(cell.attributes["numFmtId"] ?? 0),
  );
  const made = new Map<number, NumberFormat>();
  return (style) => {
    const id = style === undefined ? 0 : (ids[Number(style)] ?? 0);
    if (id === 0) return general;
    const known = made.get(id) ?? numberFormat(codes.get(id) ?? builtInFormat(id), date1904);
    made.set(id, known);
    return known;
  };
}
