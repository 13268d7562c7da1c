// HTML: the text that a reader of the page sees, in order, without navigation and the like.
import { Parser } from "htmlparser2";
import { oneLine } from "../../text/clean/clean.ts";
import { type ExtractLimits, overLimit } from "../limits.ts";
import { declaredCharset, decodeText } from "../plain/charset.ts";
import type { ReadContext, ReadOutcome } from "../reader.ts";
import type { Writer } from "../writer.ts";
import { type HtmlPiece, openHtmlBlocks } from "./blocks.ts";
import { type Attributes, hiddenRules, isZeroSized } from "./style.ts";
import { styleSheets } from "./style-sheets.ts";

const UNSEEN = new Set(
  "script style template noscript head nav dialog select option button datalist iframe object audio video canvas map".split(
    " ",
  ),
);
const FURNITURE = new Set(["header", "footer", "aside", "form", "menu"]);
const FURNITURE_ROLES = new Set(
  "navigation banner contentinfo complementary search menu dialog".split(" "),
);

export function readHtml({ bytes, out, limits }: ReadContext): ReadOutcome {
  const { text } = decodeText(bytes, declaredCharset(bytes));
  const { pieces, title } = parseHtml(text, limits);
  writePieces(out, mainOf(pieces), title);
  out.report("text");
  return { method: "text_extraction", ...(title === "" ? {} : { title }) };
}

interface Open {
  readonly name: string;
  readonly hidden: boolean;
  readonly main: boolean;
  readonly furniture: boolean;
  readonly header: boolean;
  readonly zeroSized: boolean;
}

const OUTSIDE: Open = {
  name: "",
  hidden: false,
  main: false,
  furniture: false,
  header: false,
  zeroSized: false,
};

function parseHtml(
  html: string,
  limits: Pick<ExtractLimits, "htmlDepth">,
): { pieces: readonly HtmlPiece[]; title: string } {
  const isHidden = hiddenRules(styleSheets(html));
  const blocks = openHtmlBlocks();
  const stack: Open[] = [];
  let title = "";
  let inTitle = false;
  const top = (): Open => stack.at(-1) ?? OUTSIDE;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (stack.length >= limits.htmlDepth) {
          throw overLimit(`its elements are nested more than ${limits.htmlDepth} deep`);
        }
        const above = top();
        if (name === "title" && title === "") inTitle = true;
        const open = opened(name, attributes, above, isHidden(name, attributes));
        stack.push(open);
        if (!open.hidden) blocks.open(name, attributes, open);
      },
      ontext(text) {
        if (inTitle) title += text;
        else if (!top().hidden && !top().zeroSized) blocks.text(text);
      },
      onclosetag(name) {
        if (name === "title") inTitle = false;
        const open = stack.pop();
        if (open !== undefined && !open.hidden) blocks.close(name, top());
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return { pieces: blocks.finish(), title: oneLine(title) };
}

function opened(name: string, attributes: Attributes, above: Open, hides: boolean): Open {
  const role = attributes["role"] ?? "";
  // Pages that fade in start with a hidden body.
  const hidden = above.hidden || UNSEEN.has(name) || (hides && name !== "body" && name !== "html");
  const main = above.main || name === "main" || name === "article" || role === "main";
  const header = above.header || name === "header";
  // Keep the article's header, which has its title, but not its lists: they are navigation.
  const menu = header && (name === "ul" || name === "ol");
  const around = FURNITURE.has(name) && !(main && name === "header");
  const furniture = above.furniture || menu || around || FURNITURE_ROLES.has(role);
  const zeroSized = isZeroSized(attributes, above.zeroSized);
  return { name, hidden, main, furniture, header, zeroSized };
}

/** If the page marks its main part and most text is there, everything around it is dropped. */
function mainOf(pieces: readonly HtmlPiece[]): readonly HtmlPiece[] {
  const size = (some: readonly HtmlPiece[]) => some.reduce((sum, piece) => sum + piece.size, 0);
  const main = pieces.filter((piece) => piece.main && !piece.furniture);
  if (size(main) >= 400 && size(main) >= size(pieces) * 0.4) return main;
  const body = pieces.filter((piece) => !piece.furniture);
  return size(body) >= size(pieces) * 0.5 ? body : pieces;
}

function writePieces(out: Writer, pieces: readonly HtmlPiece[], title: string): void {
  const headed = pieces.some((piece) => piece.kind === "heading" && piece.level === 1);
  if (!headed && title !== "" && pieces.length > 0) out.heading(1, title);
  for (const piece of pieces) out.write(piece);
}
