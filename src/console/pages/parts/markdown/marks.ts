// Marks on rendered text: the words of a query, and spans of the source.
import { highlighterOf } from "../marked-text.tsx";

export interface SourceSpan {
  readonly start: number;
  readonly end: number;
  readonly className: string;
  /** Shown when the pointer rests on it. */
  readonly title?: string;
}

export function markWords(root: DocumentFragment, query: string): void {
  const find = highlighterOf(query);
  for (const node of textNodes(root)) {
    for (const { start, end } of find(node.data).toReversed()) {
      wrap(node, start, end, document.createElement("mark"));
    }
  }
}

/** A piece whose text differs from its source, such as an entity, is marked as a whole. */
export function markSpans(root: DocumentFragment, spans: readonly SourceSpan[]): void {
  if (spans.length === 0) return;
  for (const piece of root.querySelectorAll<HTMLElement>("[data-at]")) {
    const start = Number(piece.dataset["at"]);
    for (const span of spans) {
      if (span.start < start + Number(piece.dataset["size"]) && span.end > start) {
        markPiece(piece, start, span);
      }
    }
  }
}

function markPiece(piece: HTMLElement, start: number, span: SourceSpan): void {
  let at = start;
  for (const node of textNodes(piece)) {
    const { length } = node.data;
    const from = Math.max(0, span.start - at);
    const to = Math.min(length, span.end - at);
    at += length;
    if (from >= to || node.data.slice(from, to).trim() === "") continue;
    const mark = document.createElement("mark");
    mark.className = span.className;
    if (span.title !== undefined) mark.title = span.title;
    wrap(node, from, to, mark);
  }
}

function textNodes(root: Node): readonly Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (walker.nextNode()) found.push(walker.currentNode as Text);
  return found;
}

function wrap(node: Text, from: number, to: number, element: HTMLElement): void {
  const middle = node.splitText(from);
  middle.splitText(to - from);
  middle.replaceWith(element);
  element.append(middle);
}
