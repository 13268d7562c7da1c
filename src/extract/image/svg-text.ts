// The text in a drawing: titles, descriptions and labels, in the order of the file.
import { Parser } from "htmlparser2";
import { oneLine } from "../../text/clean/clean.ts";
import { type Attributes, hiddenRules, isZeroSized } from "../html/style.ts";
import { styleSheets } from "../html/style-sheets.ts";
import { overLimit } from "../limits.ts";

const UNSEEN = new Set("script style defs metadata clippath mask filter symbol".split(" "));
const BREAKS = new Set("div p br li tr h1 h2 h3 h4 foreignobject text".split(" "));
const WRITTEN = new Set(["text", "foreignobject"]);
const NOTES = new Set(["title", "desc"]);

export interface SvgText {
  readonly title: string;
  readonly descriptions: readonly string[];
  readonly texts: readonly string[];
}

interface Open {
  readonly name: string;
  readonly hidden: boolean;
  /** Inside a <switch> whose foreignObject was already read: what follows is the same text, truncated. */
  readonly fallback: boolean;
  readonly zeroSized: boolean;
  /** Inside an element whose text is shown. */
  readonly written: boolean;
  readRich: boolean;
}

const OUTSIDE: Open = {
  name: "",
  hidden: false,
  fallback: false,
  zeroSized: false,
  written: false,
  readRich: false,
};

export function svgText(source: string, maxDepth: number): SvgText {
  const isHidden = hiddenRules(styleSheets(source));
  const stack: Open[] = [];
  const lines = openLines();
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        if (stack.length >= maxDepth)
          throw overLimit(`its elements are nested more than ${maxDepth} deep`);
        const name = local(tag);
        stack.push(opened(name, attributes, stack.at(-1), isHidden(name, attributes)));
        lines.open(name, attributes);
      },
      ontext(text) {
        const { hidden, fallback, zeroSized, written } = stack.at(-1) ?? OUTSIDE;
        if (written && !hidden && !fallback && !zeroSized) lines.text(text);
      },
      onclosetag() {
        const open = stack.pop();
        const above = stack.at(-1);
        if (open === undefined) return;
        lines.close(open.name, stack.length);
        if (open.name === "foreignobject" && above?.name === "switch") above.readRich = true;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(source);
  return lines.finish();
}

function opened(
  name: string,
  attributes: Attributes,
  parent: Open | undefined,
  hides: boolean,
): Open {
  const above = parent ?? OUTSIDE;
  const invisible = attributes["display"] === "none" || attributes["visibility"] === "hidden";
  return {
    name,
    hidden: above.hidden || UNSEEN.has(name) || hides || invisible,
    fallback: above.fallback || (above.name === "switch" && above.readRich),
    zeroSized: isZeroSized(attributes, above.zeroSized),
    written: NOTES.has(name) || WRITTEN.has(name) || (above.written && !NOTES.has(above.name)),
    readRich: false,
  };
}

/** Gathers text until an element ends the line, and adds the line to the right list. */
function openLines() {
  const texts: string[] = [];
  const titles: string[] = [];
  const descriptions: string[] = [];
  let line = "";
  const flush = (into: string[]) => {
    const text = oneLine(line);
    line = "";
    if (text !== "" && into.at(-1) !== text) into.push(text);
  };
  return {
    open(name: string, { y, dy }: Attributes): void {
      if (BREAKS.has(name)) flush(texts);
      if (NOTES.has(name)) line = "";
      // The lines of a label are tspans with a new vertical position.
      if (name === "tspan" && (y !== undefined || dy !== undefined) && line.trim() !== "")
        line += " ";
    },
    text(text: string): void {
      line += text;
    },
    close(name: string, depth: number): void {
      if (name === "title") flush(depth <= 1 ? titles : texts);
      else if (name === "desc") flush(descriptions);
      else if (BREAKS.has(name)) flush(texts);
    },
    finish: (): SvgText => ({
      title: titles[0] ?? "",
      descriptions: usable(descriptions),
      texts: usable(texts),
    }),
  };
}

/** Removes notices that drawing programs add for viewers without rich text. */
function usable(texts: readonly string[]): readonly string[] {
  return texts.filter(
    (text) =>
      !/^(?:text is not svg|viewer does not support|created with \w+|produced by omnigraffle)/i.test(
        text,
      ),
  );
}

function local(name: string): string {
  return name.slice(name.indexOf(":") + 1).toLowerCase();
}
