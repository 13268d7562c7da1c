// XML of any kind: running text as paragraphs, fields as lines of a list, titles as headings.
import { Parser } from "htmlparser2";
import { clean } from "../../text/clean/clean.ts";
import { corrupt, overLimit } from "../failures.ts";
import type { ReadContext, ReadOutcome } from "../reader.ts";
import type { ListItem, Writer } from "../writer.ts";
import { declaredCharset, decodeText } from "./charset.ts";

interface Open {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
  children: number;
  /** The attributes are written on a separate line before the content. */
  isShown: boolean;
}

const TITLE = /^(?:title|heading|head|h[1-6]|subject|headline)$/i;
/** Elements inside a sentence, whose text belongs to the surrounding text. */
const INLINE =
  /^(?:a|b|i|u|em|strong|emphasis|code|tt|literal|command|filename|option|link|ulink|xref|span|sub|sup|quote|acronym|term|application|function|parameter|varname|replaceable|systemitem|guilabel|guimenu|userinput|email|ref|hi|bold|italic)$/i;
// A field has a few words; longer text is prose.
const MAX_FIELD_LENGTH = 160;

export function readXml({ bytes, out, limits }: ReadContext): ReadOutcome {
  const { text } = decodeText(bytes, declaredCharset(bytes));
  const lists = openFields(out);
  const stack: Open[] = [];
  const state = { title: "", hasElement: false };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (stack.length >= limits.xmlDepth)
          throw overLimit(`its elements are nested more than ${limits.xmlDepth} deep`);
        state.hasElement = true;
        if (!INLINE.test(localOf(name))) showAttributes(stack, lists);
        stack.push({ name: localOf(name), attributes, text: "", children: 0, isShown: false });
      },
      ontext(part) {
        const open = stack.at(-1);
        if (open) open.text += part;
      },
      onclosetag() {
        const title = closeElement(stack, { out, lists });
        state.title ||= title;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(clean(text));
  if (!state.hasElement) throw corrupt("The file is not XML.");
  lists.end();
  out.report("text");
  return { method: "text_extraction", ...(state.title === "" ? {} : { title: state.title }) };
}

/** If an element has children, its attributes are written before them on a separate line. */
function showAttributes(stack: readonly Open[], lists: Fields): void {
  const parent = stack.at(-1);
  if (parent === undefined || parent.isShown || INLINE.test(parent.name)) return;
  parent.isShown = true;
  lists.add({ text: fieldText(parent, ""), depth: stack.length - 1 });
}

/** Returns the element's text if it is a title, otherwise "". */
function closeElement(stack: Open[], to: Pick<Place, "out" | "lists">): string {
  const done = stack.pop();
  if (done === undefined) return "";
  const above = stack.at(-1);
  if (above) above.children += 1;
  if (above && INLINE.test(done.name) && above.text.trim() !== "") {
    above.text += done.text;
    return "";
  }
  return write(done, { ...to, depth: stack.length });
}

type Fields = ReturnType<typeof openFields>;

interface Place {
  readonly out: Writer;
  readonly lists: Fields;
  readonly depth: number;
}

/** Returns the element's text if it is a title, otherwise "". */
function write(done: Open, { out, lists, depth }: Place): string {
  const content = done.text.trim().replace(/\s+/g, " ");
  if (content !== "" && TITLE.test(done.name)) {
    lists.end();
    out.heading(Math.min(6, Math.max(1, depth)), content);
    return content;
  }
  if (content.length > MAX_FIELD_LENGTH || (content !== "" && done.children > 0)) {
    lists.end();
    out.paragraph(content);
  } else if (!done.isShown) lists.add({ text: fieldText(done, content), depth });
  return "";
}

function fieldText({ name, attributes }: Open, content: string): string {
  const pairs = Object.entries(attributes)
    .filter(([key]) => !key.startsWith("xmlns") && !key.startsWith("xsi:"))
    .map(([key, value]) => `${localOf(key)}=${value}`);
  if (content === "" && pairs.length === 0) return "";
  return `${[name, ...pairs].join(" ")}${content === "" ? "" : `: ${content}`}`;
}

function localOf(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function openFields(out: Writer) {
  const items: ListItem[] = [];
  return {
    add(item: ListItem) {
      if (item.text !== "") items.push(item);
    },
    end() {
      if (items.length > 0) out.list(items.splice(0));
    },
  };
}
