// An element as people see it: hidden parts go to the writer, list items get their numbers, charts their tables.

import { type TextAppearance, unseenKind } from "../../hidden/appearance.ts";
import { toRgb, WHITE } from "../../hidden/colour.ts";
import type { Writer } from "../../writer.ts";
import { toNumeral } from "../numeral.ts";
import { child, descendants, elements, textOf, type XmlElement } from "../xml.ts";
import { type Look, lengthOf, openStyles, type Styles, shareOf } from "./styles.ts";

interface Given {
  readonly styles: readonly XmlElement[];
  readonly charts: ReadonlyMap<string, XmlElement>;
  /** Something else than the paper may be behind any text. */
  readonly isPainted: boolean;
}

interface Around {
  readonly look: TextAppearance;
  readonly list?: Level | undefined;
  /** Of a table: which columns it does not show. */
  readonly away?: ReadonlySet<number> | undefined;
}

interface Level {
  readonly style: string | undefined;
  /** The numbers of the items around it: "2.1". */
  readonly path: string;
}

/** Returns undefined for an element that nobody sees. */
export function openSeen(out: Writer, { styles: all, charts, isPainted }: Given) {
  const styles = openStyles(all, LOOK);
  const styleOf = ({ name, attributes }: XmlElement): Look => {
    const family = FAMILIES.get(name);
    return family === undefined ? NO_LOOK : styles.look(family, attributes["style-name"]);
  };
  const seen = (element: XmlElement, around: Around): XmlElement | undefined => {
    const style = styleOf(element);
    if (isHidden(element, style)) {
      out.hide("hidden", `${textOf(element)}${element.attributes["string-value"] ?? ""}`);
      return undefined;
    }
    if (element.name === "object") return chartOf(element, charts);
    const look = style === NO_LOOK ? around.look : lookOf(style, around.look);
    const kind = OWN_TEXT.has(element.name) ? unseenKind(look) : undefined;
    if (kind !== undefined) out.hide(kind, element.children.filter(isText).join(""));
    const list = levelIn(element, around.list);
    const away = element.name === "table" ? hiddenColumns(element) : around.away;
    const isList = element.name === "list";
    const parts = isList ? numbered(element, list, styles) : inColumns(element, away);
    const children = parts.flatMap((part): XmlElement["children"] => {
      if (isText(part)) return kind === undefined ? [part] : [];
      const shown = seen(part, { look, list, away });
      return shown === undefined ? [] : [shown];
    });
    return { ...element, children };
  };
  return (element: XmlElement) => seen(element, { look: { behind: isPainted ? null : WHITE } });
}

const NO_LOOK: Look = {};
const LOOK =
  "visibility display font-size color use-window-font-color loext:opacity fill fill-color background-color".split(
    " ",
  );
const OWN_TEXT = new Set(["p", "h", "span", "a"]);
const FAMILIES = new Map(
  Object.entries({
    p: "paragraph",
    h: "paragraph",
    span: "text",
    table: "table",
    "table-row": "table-row",
    "table-cell": "table-cell",
    frame: "graphic",
    "custom-shape": "graphic",
    page: "drawing-page",
  }),
);
const isText = (part: XmlElement | string) => typeof part === "string";

function isHidden({ name, attributes }: XmlElement, style: Look): boolean {
  if (name === "hidden-text") return true;
  if (name === "section") return attributes["display"] === "none";
  const { visibility = style["visibility"] } = attributes;
  if (/^(?:collapse|filter|hidden)$/.test(visibility ?? "")) return true;
  return /^(?:none|false)$/.test(style["display"] ?? "");
}

function lookOf(style: Look, around: TextAppearance): TextAppearance {
  const isAutomatic = style["use-window-font-color"] === "true";
  const colour = style["color"] === undefined ? around.colour : toRgb(style["color"]);
  return {
    points: lengthOf(style["font-size"]) ?? around.points,
    opacity: isAutomatic ? undefined : (shareOf(style["loext:opacity"]) ?? around.opacity),
    colour: isAutomatic ? undefined : colour,
    behind: behindOf(style, around.behind),
  };
}

function behindOf(style: Look, around: TextAppearance["behind"]): TextAppearance["behind"] {
  const { fill, "fill-color": filled, "background-color": back = "transparent" } = style;
  if (fill === "solid") return toRgb(filled ?? "") ?? null;
  if (fill !== undefined && fill !== "none") return null;
  return back === "transparent" ? around : (toRgb(back) ?? null);
}

const MAX_COLUMNS = 1_000;
const repeated = ({ attributes }: XmlElement) =>
  Math.min(MAX_COLUMNS, Math.max(1, Number(attributes["number-columns-repeated"] ?? 1) || 1));

function hiddenColumns(table: XmlElement): ReadonlySet<number> | undefined {
  const away = new Set<number>();
  let at = 0;
  for (const column of descendants(table, "table-column")) {
    const end = Math.min(MAX_COLUMNS, at + repeated(column));
    for (; at < end; at += 1) if (isHidden(column, NO_LOOK)) away.add(at);
  }
  return away.size === 0 ? undefined : away;
}

/** The children of a row, with cells of hidden columns marked as the row itself would be. */
function inColumns(row: XmlElement, away: Around["away"]): XmlElement["children"] {
  if (row.name !== "table-row" || away === undefined) return row.children;
  let at = 0;
  return row.children.map((cell) => {
    if (isText(cell)) return cell;
    const isAway = away.has(at);
    at += repeated(cell);
    return isAway ? { ...cell, attributes: { ...cell.attributes, visibility: "collapse" } } : cell;
  });
}

function levelIn({ name, attributes }: XmlElement, around: Level = NO_LIST): Level {
  if (name === "list-item") return { ...around, path: attributes[PATH] ?? "" };
  return name === "list" ? { ...around, style: attributes["style-name"] ?? around.style } : around;
}

const NO_LIST: Level = { style: undefined, path: "" };
const PATH = " path";
/** Word's names by the first letter of a format: "1", "a", "①, ②, ③, …". */
const COUNTING = new Map(
  Object.entries({
    a: "lowerLetter",
    A: "upperLetter",
    i: "lowerRoman",
    I: "upperRoman",
    ア: "aiueo",
    イ: "iroha",
    一: "japaneseCounting",
    "①": "decimalEnclosedCircle",
  }),
);

/** The list's children; items of numbered lists have their `marker`. */
function numbered(
  list: XmlElement,
  { style, path }: Level,
  styles: Styles,
): XmlElement["children"] {
  const levels = elements(styles.listStyle(style));
  const depth = path.split(".").length - (path === "" ? 1 : 0) + 1;
  const level = levels.find(({ attributes }) => Number(attributes["level"]) === depth);
  const { "num-format": format = "", "num-prefix": prefix = "", ...rest } = level?.attributes ?? {};
  const { "num-suffix": suffix = "", "display-levels": shown = "1", "start-value": start } = rest;
  let number = Number(start ?? 1) - 1;
  return list.children.map((item) => {
    if (isText(item) || item.name !== "list-item") return item;
    number = Number(item.attributes["start-value"] ?? number + 1);
    const own = path === "" ? String(number) : `${path}.${number}`;
    const numeral = toNumeral(number, COUNTING.get(format.charAt(0)) ?? "decimal");
    const before = own.split(".").slice(-Number(shown), -1);
    const marker = `${prefix}${[...before, numeral].join(".")}${suffix}`;
    const attributes = { ...item.attributes, [PATH]: own, ...(format === "" ? {} : { marker }) };
    return { ...item, attributes };
  });
}

/** The chart that an object shows: its title, and its data as a table. */
function chartOf({ attributes }: XmlElement, charts: Given["charts"]): XmlElement | undefined {
  const chart = charts.get((attributes["href"] ?? "").replace(/^\.\//, ""));
  const parts = [...descendants(child(chart, "title"), "p"), ...descendants(chart, "table")];
  return chart && { name: "g", attributes: {}, children: parts };
}
