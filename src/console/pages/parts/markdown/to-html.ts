// Markdown → HTML that still has to be sanitised. Pictures become their names, so nothing is fetched.
import { Marked, type RendererObject, type Token, type TokenizerObject } from "marked";
import { findPositions, type Positions } from "./positions.ts";
import { escapeAll, escapeText, plainTags } from "./raw-html.ts";

export interface HtmlOptions {
  /** The language of source code without a file name. */
  readonly language?: string;
  /**
   * A person wrote the Markdown. Otherwise it was made from a file's text, which may look like
   * Markdown by chance.
   */
  readonly authored: boolean;
  /** Added to every position. */
  readonly offset: number;
}

// The line below a table's header.
const DASHES = /^\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$/;
const ROW = /^\|.*\|[ \t]*$/;
const END_OF_ROW = /^[^|].*\|[ \t]*$/;

const nothing = () => undefined;
/** In a file's text, angle brackets, dashes below a line and leading spaces are literal. */
const LITERAL: TokenizerObject = { html: nothing, tag: nothing, lheading: nothing, code: nothing };

export function toHtml(text: string, options: HtmlOptions): string {
  const head = missingHead(text);
  const source = head + text;
  const marked = new Marked({ gfm: true, breaks: !options.authored });
  if (!options.authored) marked.use({ tokenizer: LITERAL });
  const tokens = marked.lexer(source);
  const positions = findPositions(tokens, source);
  const offset = options.offset - head.length;
  marked.use({ renderer: rendererOf(positions, { ...options, offset }) });
  return marked.parser(tokens);
}

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

function rendererOf(positions: Positions, { offset, language }: HtmlOptions): RendererObject {
  const attributes = (token: Token) => {
    const at = positions.get(token);
    return at === undefined ? "" : ` data-at="${at + offset}" data-size="${token.raw.length}"`;
  };
  return {
    code(token) {
      const name = /^[\w+#-]{1,20}/.exec(token.lang ?? "")?.[0] ?? language ?? "";
      return `<pre><code data-language="${name}"${attributes(token)}>${escapeAll(token.text)}</code></pre>`;
    },
    codespan: (token) => `<code${attributes(token)}>${escapeAll(token.text)}</code>`,
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
    html: ({ text }) => plainTags(text),
    image: ({ text }) => `<span data-picture="">${escapeAll(text)}</span>`,
    text(token) {
      if ("tokens" in token && token.tokens) return this.parser.parseInline(token.tokens);
      return `<span${attributes(token)}>${escapeText(token.text)}</span>`;
    },
  };
}
