// Markdown → elements, with cited spans and the words of a query marked. Loaded with the first text. There is one
// instance, because the page's policy allows a sanitiser only once.
import purify from "dompurify";
import { highlighterOf } from "../marked-text.tsx";
import { type Leaf, type Piece, type TreeOptions, toTree } from "./tree.ts";

export interface SourceSpan {
  readonly start: number;
  readonly end: number;
  readonly className: string;
  /** Shown when the pointer rests on it. */
  readonly title?: string;
}

interface RenderOptions extends TreeOptions {
  readonly text: string;
  readonly query: string;
  readonly spans: readonly SourceSpan[];
}

export type Engine = ReturnType<typeof openEngine>;

export function openEngine() {
  return {
    render({ text, query, spans, ...options }: RenderOptions): DocumentFragment {
      const root = document.createDocumentFragment();
      root.append(...toTree(text, options).flatMap((piece) => toNodes(piece, spans)));
      if (query !== "") markWords(root, query);
      return root;
    },
    /** Removes anything that could run or fetch from an SVG. */
    cleanSvg: (source: string): string =>
      purify.sanitize(source, {
        USE_PROFILES: { svg: true, svgFilters: true },
        NAMESPACE: "http://www.w3.org/2000/svg",
        PARSER_MEDIA_TYPE: "application/xhtml+xml",
      }),
  };
}

function toNodes(piece: Piece, spans: readonly SourceSpan[]): readonly Node[] {
  if (!("name" in piece)) return textNodes(piece, spans);
  const element = document.createElement(piece.name);
  for (const [name, value] of Object.entries(piece.attributes)) {
    element.setAttribute(name, decode(value));
  }
  element.append(...piece.children.flatMap((child) => toNodes(child, spans)));
  return [element];
}

function textNodes({ text, at, code }: Leaf, spans: readonly SourceSpan[]): readonly Node[] {
  const shown = code === undefined ? decode(text) : text;
  const nodes = at === undefined ? [new Text(shown)] : markSpans(shown, at, spans);
  return code === undefined || code === "plain" ? nodes : [wrap("span", `code-${code}`, nodes)];
}

/** The entities of prose as the characters that they stand for; no tag is left in the text that is parsed. */
function decode(text: string): string {
  if (!/&[#\w]+;/.test(text)) return text;
  const escaped = text.replaceAll("<", "&lt;");
  const options = { ALLOWED_TAGS: ["#text"], RETURN_DOM_FRAGMENT: true as const };
  return purify.sanitize(escaped, options).textContent ?? text;
}

function markSpans(text: string, at: number, spans: readonly SourceSpan[]): readonly Node[] {
  const own = spans.filter(({ start, end }) => start < at + text.length && end > at);
  const edges = new Set([0, text.length]);
  for (const { start, end } of own) {
    edges.add(Math.max(0, start - at)).add(Math.min(text.length, end - at));
  }
  const points = [...edges].sort((a, b) => a - b);
  return points.slice(0, -1).map((from, index) => {
    const to = points[index + 1] ?? text.length;
    const piece = new Text(text.slice(from, to));
    const over = own.filter(({ start, end }) => start - at <= from && end - at >= to);
    if (over.length === 0 || piece.data.trim() === "") return piece;
    const mark = wrap("mark", over.map(({ className }) => className).join(" "), [piece]);
    mark.title = over.find(({ title }) => title)?.title ?? "";
    return mark;
  });
}

function wrap(name: string, className: string, nodes: readonly Node[]): HTMLElement {
  const element = document.createElement(name);
  element.className = className;
  element.append(...nodes);
  return element;
}

function markWords(root: DocumentFragment, query: string): void {
  const find = highlighterOf(query);
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (walker.nextNode()) found.push(walker.currentNode as Text);
  for (const node of found) {
    for (const { start, end } of find(node.data).toReversed()) {
      const middle = node.splitText(start);
      middle.splitText(end - start);
      const mark = document.createElement("mark");
      middle.replaceWith(mark);
      mark.append(middle);
    }
  }
}
