// HTML: the text that a reader of the page sees, in order, without navigation and the like.
import { Parser } from "htmlparser2";
import type { HiddenKind } from "../../domain/document.ts";
import { oneLine } from "../../text/clean/clean.ts";
import { overLimit } from "../failures.ts";
import { type TextAppearance, unseenKind } from "../hidden/appearance.ts";
import { isEnough } from "../hidden/hidden.ts";
import { hideInstructions } from "../hidden/metadata.ts";
import type { ExtractLimits } from "../limits.ts";
import { declaredCharset, decodeText } from "../plain/charset.ts";
import type { ReadContext, ReadOutcome } from "../reader.ts";
import type { Writer } from "../writer.ts";
import { type HtmlPiece, openHtmlBlocks } from "./blocks.ts";
import { type Look, openLooks, within } from "./style.ts";
import { type Attributes, styleSheets } from "./style-sheets.ts";

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
  const { pieces, title, unseen, metadata } = parseHtml(text, limits);
  writePieces(out, mainOf(pieces), title);
  for (const { kind, text: hidden } of unseen) if (isEnough(hidden)) out.hide(kind, hidden);
  hideInstructions(out, metadata);
  out.report("text");
  return { method: "text_extraction", ...(title === "" ? {} : { title }) };
}

interface Open {
  readonly name: string;
  readonly hidden: boolean;
  readonly main: boolean;
  readonly furniture: boolean;
  readonly header: boolean;
  /** Why people do not see it; undefined for scripts, menus and the like. */
  readonly why?: HiddenKind | undefined;
  readonly seen: TextAppearance;
}

const OUTSIDE: Open = {
  name: "",
  hidden: false,
  main: false,
  furniture: false,
  header: false,
  seen: {},
};

interface ParsedHtml {
  readonly pieces: readonly HtmlPiece[];
  readonly title: string;
  readonly unseen: readonly UnseenText[];
  /** The page's description and keywords. */
  readonly metadata: readonly string[];
}

function parseHtml(html: string, limits: Pick<ExtractLimits, "htmlDepth">): ParsedHtml {
  const looks = openLooks(styleSheets(html), !/<link[^>]{0,500}stylesheet/i.test(html));
  const blocks = openHtmlBlocks();
  const unseen = openUnseen();
  const metadata: string[] = [];
  const stack: Open[] = [];
  let title = "";
  let inTitle = false;
  const outside = { ...OUTSIDE, seen: looks.page };
  const top = (): Open => stack.at(-1) ?? outside;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (stack.length >= limits.htmlDepth) {
          throw overLimit(`its elements are nested more than ${limits.htmlDepth} deep`);
        }
        const above = top();
        if (name === "title" && title === "") inTitle = true;
        if (name === "meta") metadata.push(attributes["content"] ?? "");
        const open = opened(name, attributes, above, looks.of(name, attributes));
        stack.push(open);
        if (!open.hidden) blocks.open(name, attributes, open);
      },
      ontext(text) {
        const { hidden, why, seen, furniture } = top();
        if (inTitle) title += text;
        else if (hidden) unseen.add(furniture ? undefined : why, text);
        else if (unseen.add(unseenKind(seen), text)) blocks.text(text);
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
  return { pieces: blocks.finish(), title: oneLine(title), unseen: unseen.finish(), metadata };
}

interface UnseenText {
  readonly kind: HiddenKind;
  readonly text: string;
}

/** Gathers text that is not shown, up to the next text that is. */
function openUnseen() {
  const found: UnseenText[] = [];
  let held: { kind: HiddenKind; parts: string[] } | undefined;
  const flush = () => {
    if (held !== undefined) found.push({ kind: held.kind, text: held.parts.join(" ") });
    held = undefined;
  };
  return {
    /** Returns whether the text is shown, unless its element is hidden. */
    add(kind: HiddenKind | undefined, text: string): boolean {
      if (kind === undefined) {
        if (text.trim() !== "") flush();
        return true;
      }
      if (held?.kind !== kind) flush();
      held ??= { kind, parts: [] };
      held.parts.push(text);
      return false;
    },
    finish(): readonly UnseenText[] {
      flush();
      return found;
    },
  };
}

function opened(name: string, attributes: Attributes, above: Open, look: Look): Open {
  const role = attributes["role"] ?? "";
  const { hidden, why } = hiddenOf(name, attributes, above, look);
  const main = above.main || name === "main" || name === "article" || role === "main";
  const header = above.header || name === "header";
  // Keep the article's header, which has its title, but not its lists: they are navigation.
  const menu = header && (name === "ul" || name === "ol");
  const around = FURNITURE.has(name) && !(main && name === "header");
  const furniture = above.furniture || menu || around || FURNITURE_ROLES.has(role);
  // What is behind the labels of a drawing is known only when it is painted.
  const seen = within(above.seen, name === "svg" ? { ...look, behind: null } : look);
  return { name, hidden, main, furniture, header, why, seen };
}

function hiddenOf(name: string, attributes: Attributes, above: Open, look: Look) {
  if (above.hidden) return above;
  // What only screen readers leave out, such as icons, is shown but no text.
  if (UNSEEN.has(name) || attributes["aria-hidden"] === "true") return { hidden: true };
  // Pages that fade in start with a hidden body.
  const why = name === "body" || name === "html" ? undefined : look.hides;
  return { hidden: why !== undefined, why };
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
