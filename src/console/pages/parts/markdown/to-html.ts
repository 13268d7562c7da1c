// Markdown → HTML that has yet to be cleaned. Pictures become their names: nothing is fetched from anywhere.
import { Marked, type RendererObject, type Token, type TokenizerObject } from "marked";
import { findPositions, type Positions } from "./positions.ts";
import { escapeAll, escapeText, plainTags } from "./raw-html.ts";

export interface HtmlOptions {
  /** Of source code without a name of its own. */
  readonly language?: string;
  /** A person wrote the Markdown; otherwise it was made of a file's text, which may look like Markdown by chance. */
  readonly authored: boolean;
  /** Added to every position. */
  readonly offset: number;
}

// Rows of a table that was cut: a table without a head is no Markdown, so they get an empty one.
const HEADLESS = /^\|(.*)\|[ \t]*\n(?!\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*(?:\n|$))/;

const nothing = () => undefined;
/** Angle brackets, dashes below a line and spaces before one are the file's own. */
const LITERAL: TokenizerObject = { html: nothing, tag: nothing, lheading: nothing, code: nothing };

export function toHtml(text: string, options: HtmlOptions): string {
  const head = emptyHead(text);
  const source = head + text;
  const marked = new Marked({ gfm: true, breaks: !options.authored });
  if (!options.authored) marked.use({ tokenizer: LITERAL });
  const tokens = marked.lexer(source);
  const positions = findPositions(tokens, source);
  const offset = options.offset - head.length;
  marked.use({ renderer: rendererOf(positions, { ...options, offset }) });
  return marked.parser(tokens);
}

function emptyHead(text: string): string {
  const columns = HEADLESS.exec(text)?.[1]?.split(/(?<!\\)\|/).length;
  return columns === undefined ? "" : `${"| ".repeat(columns)}|\n${"| - ".repeat(columns)}|\n`;
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
