// Which elements a browser would not show.
import { cssRules } from "./style-sheets.ts";

const HIDING =
  /(?:^|[;{\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|\}|$)|color\s*:\s*transparent|text-indent\s*:\s*-\d{3,}|(?:left|top)\s*:\s*-\d{4,}|clip\s*:\s*rect\(\s*0)/i;
const ZERO_BOX = /(?:^|[;\s])(?:width|height)\s*:\s*[01]px/i;
const FONT_SIZE = /(?:^|[;\s])font-size\s*:\s*([\d.]+|[a-z])/i;
const COLOR = /(?:^|[;\s])color\s*:\s*([^;!]+)/i;
const BACKGROUND = /background(?:-color)?\s*:\s*([^;!]+)/i;

export type Attributes = Readonly<Record<string, string>>;

/** Text of size zero is invisible, but elements inside it may set a size again, as page builders do. */
export function isZeroSized(attributes: Attributes, inherited: boolean): boolean {
  const size = FONT_SIZE.exec(attributes["style"] ?? "")?.[1];
  return size === undefined ? inherited : Number(size) === 0;
}

/** Reads style sheets for rules of one simple selector (`.class`, `#id`, `tag`) that hide what they match. */
export function hiddenRules(sheets: readonly string[]) {
  const selectors = new Set(sheets.flatMap(hidingSelectors));
  return (name: string, attributes: Attributes): boolean => {
    if ("hidden" in attributes || attributes["aria-hidden"] === "true") return true;
    if (styleHides(attributes["style"] ?? "")) return true;
    if (selectors.size === 0) return false;
    if (selectors.has(name) || selectors.has(`#${attributes["id"] ?? ""}`)) return true;
    const classes = (attributes["class"] ?? "").split(/\s+/);
    return classes.some((one) => selectors.has(`.${one}`) || selectors.has(`${name}.${one}`));
  };
}

function styleHides(style: string): boolean {
  if (style === "") return false;
  if (HIDING.test(style)) return true;
  if (ZERO_BOX.test(style) && /overflow\s*:\s*hidden/i.test(style)) return true;
  const color = COLOR.exec(style)?.[1];
  const background = BACKGROUND.exec(style)?.[1];
  return color !== undefined && background !== undefined && sameColor(color, background);
}

function sameColor(a: string, b: string): boolean {
  const plain = (color: string) =>
    color
      .trim()
      .toLowerCase()
      .replace(/^white$/, "#fff")
      .replace(/^black$/, "#000")
      .replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3");
  return plain(a) === plain(b);
}

function hidingSelectors(sheet: string): readonly string[] {
  const hiding = [...cssRules(sheet)].filter(({ body }) => styleHides(body));
  return hiding
    .flatMap(({ head }) => head.split(",").map((selector) => selector.trim()))
    .filter((selector) => /^(?=.)(?:[a-z][a-z0-9]*)?(?:[.#][\w-]+)?$/i.test(selector));
}
