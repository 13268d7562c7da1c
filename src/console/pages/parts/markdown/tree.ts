// Markdown → a tree that is safe to show: elements by names from one list, with no attributes but those set here, and
// texts as texts. Each text knows where it is in its source, so that a cited span can be marked in it.
import { Marked, type Token, type TokenizerObject, type Tokens } from "marked";
import { type CodePiece, colour } from "./code-colours.ts";

export interface Leaf {
  readonly text: string;
  /** Undefined if the source has it in another form. */
  readonly at?: number | undefined;
  /** Of source code, where every character is literal; undefined for prose. */
  readonly code?: CodePiece["kind"] | "plain";
}

interface Branch {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Piece[];
}

export type Piece = Leaf | Branch;

export interface TreeOptions {
  /** The language of source code without a file name. */
  readonly language?: string;
  /**
   * A person wrote the Markdown. Otherwise it was made from a file's text, which may look like
   * Markdown by chance.
   */
  readonly authored: boolean;
  /** Added to every position. */
  readonly offset: number;
  /** The level of the highest heading. */
  readonly level: number;
  /** The accessible name of a table. */
  readonly tableName: string;
}

interface Build extends TreeOptions {
  readonly source: string;
  /** Where the next text is looked for. */
  at: number;
  /** The levels that are open: the page's outline must have no gaps, whatever levels the text uses. */
  readonly headings: number[];
}

const nothing = () => undefined;
/** In a file's text, angle brackets, dashes below a line and leading spaces are literal. */
const LITERAL: TokenizerObject = { html: nothing, tag: nothing, lheading: nothing, code: nothing };

export function toTree(text: string, options: TreeOptions): readonly Piece[] {
  const head = missingHead(text);
  const source = head + text;
  const marked = new Marked({ gfm: true, breaks: !options.authored });
  if (!options.authored) marked.use({ tokenizer: LITERAL });
  const offset = options.offset - head.length;
  const build = { ...options, offset, source, at: 0, headings: [] };
  return inside(marked.lexer(source), source.length, build);
}

// The line below a table's header.
const DASHES = /^\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$/;
const ROW = /^\|.*\|[ \t]*$/;
const END_OF_ROW = /^[^|].*\|[ \t]*$/;

/** If a text begins inside a table, it gets an empty header, because Markdown tables need one. */
function missingHead(text: string): string {
  const [first = "", second = ""] = text.split("\n", 2);
  const isCut = END_OF_ROW.test(first) && ROW.test(second);
  if (!isCut && !ROW.test(first)) return "";
  const columns = bars(isCut ? second : first) - 1;
  const empty = `${"| ".repeat(columns)}|\n`;
  if (DASHES.test(first)) return empty;
  // The cut row still has its last cells, which belong to the last columns.
  const cells = isCut ? "| ".repeat(Math.max(1, columns - bars(first) + 1)) : "";
  return DASHES.test(second) ? cells : `${empty}${"| - ".repeat(columns)}|\n${cells}`;
}

function bars(line: string): number {
  return line.split(/(?<!\\)\|/).length - 1;
}

interface Open {
  readonly tag: string;
  readonly branch: Branch;
}

/** The tokens' pieces, which are in the source before `limit`. HTML tags open and close elements between them. */
function inside(tokens: readonly Token[], limit: number, build: Build): Piece[] {
  const root = branch("div");
  const open: Open[] = [{ tag: "", branch: root }];
  for (const token of tokens) {
    const start = find(token.raw, limit, build);
    const end = start === undefined ? undefined : start + token.raw.length;
    if (token.type === "html") addHtml(token.raw, open, build);
    else {
      const at = start ?? find(token.raw.slice(0, token.raw.indexOf("\n") + 1), limit, build);
      build.at = start ?? build.at;
      open.at(-1)?.branch.children.push(...piecesOf(token, { at, limit: end ?? limit, build }));
    }
    build.at = end ?? build.at;
  }
  return root.children;
}

/** Inside quotes and lists a token's lines have lost their markers, so it may not occur verbatim. */
function find(raw: string, limit: number, { source, at }: Build): number | undefined {
  const found = raw === "" ? -1 : source.indexOf(raw, at);
  return found === -1 || found + raw.length > limit ? undefined : found;
}

function branch(name: string, children: Piece[] = [], attributes = {}): Branch {
  return { name, attributes, children };
}

interface Around {
  /** Where the token is. */
  readonly at: number | undefined;
  readonly limit: number;
  readonly build: Build;
}

const CONTAINERS = new Map(
  Object.entries({
    ...{ paragraph: "p", strong: "strong", em: "em", del: "del" },
    ...{ blockquote: "blockquote", list_item: "li", br: "br", hr: "hr" },
  }),
);

function piecesOf(token: Token, around: Around): readonly Piece[] {
  const { at, limit, build } = around;
  const children = () => inside("tokens" in token ? (token.tokens ?? []) : [], limit, build);
  const name = CONTAINERS.get(token.type);
  if (name !== undefined) return [branch(name, children())];
  switch (token.type) {
    case "heading":
      return [headingOf(token["depth"], build, children())];
    case "list": {
      const { ordered, start, items } = token as Tokens.List;
      const attributes = ordered && start !== 1 ? { start: String(start) } : {};
      return [branch(ordered ? "ol" : "ul", inside(items, limit, build), attributes)];
    }
    case "checkbox":
      return [{ text: token["checked"] ? "☑ " : "☐ " }];
    case "link":
      return [linkTo(token["href"], children())];
    case "image":
      return [branch("span", [{ text: token["text"] }], { "data-picture": "" })];
    case "table":
      return tableOf(token as Tokens.Table, around);
    case "code":
      return [codeOf(token as Tokens.Code, around)];
    case "codespan":
      return [branch("code", [codeLeaf(token["text"], startOf(token["text"], around), build)])];
    case "text":
    case "escape":
      if ("tokens" in token && token.tokens) return children();
      return [{ text: token["text"], at: at === undefined ? undefined : at + build.offset }];
    default:
      return [];
  }
}

function headingOf(own: number, { headings, level }: Build, children: Piece[] = []): Branch {
  while ((headings.at(-1) ?? 0) >= own) headings.pop();
  headings.push(own);
  const attributes = { role: "heading", "aria-level": String(level + headings.length - 1) };
  return branch("div", children, { ...attributes, class: `md-heading md-h${own}` });
}

/** A link that leads nowhere on the web pointed to a file or place that is not available here. */
function linkTo(href: string, children: Piece[] = []): Branch {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href)) return branch("span", children);
  return branch("a", children, { href, target: "_blank", rel: "noopener noreferrer nofollow" });
}

// Scrollable content must be reachable by keyboard.
const CODE_BOX = { class: "code", tabindex: "0" };

function scrollBox(table: Branch, { tableName }: Build): Branch {
  const attributes = {
    class: "scroll md-table",
    tabindex: "0",
    role: "group",
    "aria-label": tableName,
  };
  return branch("div", [table], attributes);
}

function tableOf({ header, rows }: Tokens.Table, { limit, build }: Around): readonly Piece[] {
  const cellOf = ({ tokens, align, header: isHead, text }: Tokens.TableCell) => {
    const isHeading = isHead && text.trim() !== "";
    const attributes = { ...(align && { align }), ...(isHeading && { scope: "col" }) };
    return branch(isHeading ? "th" : "td", inside(tokens, limit, build), attributes);
  };
  const rowOf = (cells: readonly Tokens.TableCell[]) => branch("tr", cells.map(cellOf));
  const head = header.some(({ text }) => text.trim() !== "") ? [rowOf(header)] : [];
  const body = rows.map(rowOf);
  if (head.length + body.length === 0) return [];
  const parts = [...(head.length > 0 ? [branch("thead", head)] : []), branch("tbody", body)];
  return [scrollBox(branch("table", parts), build)];
}

function codeOf(token: Tokens.Code, around: Around): Branch {
  const { build } = around;
  const language = /^[\w+#-]{1,20}/.exec(token.lang ?? "")?.[0] ?? build.language ?? "";
  const start = startOf(token.text, around);
  let from = 0;
  const leaves = colour(token.text, language).map(({ text, kind }) => {
    const leaf = codeLeaf(text, start === undefined ? undefined : start + from, build, kind);
    from += text.length;
    return leaf;
  });
  return branch("pre", [branch("code", leaves)], CODE_BOX);
}

/** Code has fences or backticks around the text that is shown. */
function startOf(text: string, { at, build }: Around): number | undefined {
  const found = at === undefined ? -1 : build.source.indexOf(text, at);
  return found === -1 ? undefined : found;
}

function codeLeaf(
  text: string,
  at: number | undefined,
  { offset }: Build,
  kind?: CodePiece["kind"],
): Leaf {
  return { text, at: at === undefined ? undefined : at + offset, code: kind ?? "plain" };
}

const PLAIN_TAGS: ReadonlySet<string> = new Set(
  (
    "p br hr h1 h2 h3 h4 h5 h6 strong em b i u s del ins small sub sup kbd code samp var abbr q cite pre blockquote " +
    "ul ol li dl dt dd table caption thead tbody tfoot tr th td span div details summary ruby rt rp a"
  ).split(" "),
);
// Comments, elements whose content is not text, then any tag.
const PART =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|template|noscript|iframe|svg|math|object|title|textarea|select)\b[\s\S]*?(?:<\/\1\s*>|$)|<(\/?)([a-z][a-z0-9]*)((?:"[^"]*"|'[^']*'|[^'">])*)>/gi;
const ADDRESS = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
// Deeper elements are shown beside each other.
const MAX_DEPTH = 40;

/** Plain tags are taken without their attributes, all others are left out. */
function addHtml(html: string, open: Open[], build: Build): void {
  let end = 0;
  const addText = (to: number) => {
    if (to > end) open.at(-1)?.branch.children.push({ text: html.slice(end, to) });
  };
  for (const { index, 0: whole, 2: slash, 3: name = "", 4: attributes = "" } of html.matchAll(
    PART,
  )) {
    addText(index);
    end = index + whole.length;
    const tag = name.toLowerCase();
    if (slash) close(tag, open);
    else if (PLAIN_TAGS.has(tag)) openTag(tag, attributes, open, build);
  }
  addText(html.length);
}

function close(tag: string, open: Open[]): void {
  const at = open.findLastIndex((each) => each.tag === tag);
  if (at > 0) open.length = at;
}

function openTag(tag: string, attributes: string, open: Open[], build: Build): void {
  const made = elementOf(tag, attributes, build);
  open.at(-1)?.branch.children.push(tag === "table" ? scrollBox(made, build) : made);
  if (tag !== "br" && tag !== "hr" && open.length < MAX_DEPTH) open.push({ tag, branch: made });
}

function elementOf(tag: string, attributes: string, build: Build): Branch {
  const [, double, single] = ADDRESS.exec(attributes) ?? [];
  if (tag === "a") return linkTo(double ?? single ?? "");
  if (/^h[1-6]$/.test(tag)) return headingOf(Number(tag[1]), build);
  return branch(tag, [], tag === "pre" ? CODE_BOX : {});
}
