// Prepares cleaned Markdown for the page: safe links, headings in order, tables and code that scroll in their own box.
import { colour } from "./code-colours.ts";

export function finishElements(root: DocumentFragment, level: number, tableName: string): void {
  for (const link of root.querySelectorAll("a")) finishLink(link);
  finishHeadings(root, level);
  for (const table of root.querySelectorAll("table")) finishTable(table, tableName);
  for (const code of root.querySelectorAll<HTMLElement>("pre > code")) finishCode(code);
}

/** A link without an address pointed to a file or place that is not available here. */
function finishLink(link: HTMLAnchorElement): void {
  if (!link.hasAttribute("href")) {
    link.replaceWith(...link.childNodes);
    return;
  }
  link.target = "_blank";
  link.rel = "noopener noreferrer nofollow";
}

/** The page's outline must have no gaps, whatever levels the text uses. */
function finishHeadings(root: DocumentFragment, level: number): void {
  const open: number[] = [];
  for (const heading of root.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const own = Number(heading.tagName.slice(1));
    while ((open.at(-1) ?? 0) >= own) open.pop();
    open.push(own);
    const element = document.createElement("div");
    element.className = `md-heading md-h${own}`;
    element.setAttribute("role", "heading");
    element.ariaLevel = String(level + open.length - 1);
    element.append(...heading.childNodes);
    heading.replaceWith(element);
  }
}

function finishTable(table: HTMLTableElement, name: string): void {
  for (const cell of table.querySelectorAll("th")) {
    if (cell.textContent?.trim()) cell.scope = "col";
    else cell.replaceWith(document.createElement("td"));
  }
  if (!table.tHead?.textContent?.trim()) table.tHead?.remove();
  if (table.rows.length === 0) return void table.remove();
  const box = document.createElement("div");
  box.className = "md-table";
  // Scrollable content must be reachable by keyboard.
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.ariaLabel = name;
  table.replaceWith(box);
  box.append(table);
}

function finishCode(code: HTMLElement): void {
  const pieces = colour(code.textContent ?? "", code.dataset["language"] ?? "");
  code.replaceChildren(
    ...pieces.map(({ text, kind }) => {
      if (kind === undefined) return document.createTextNode(text);
      const span = document.createElement("span");
      span.className = `code-${kind}`;
      span.textContent = text;
      return span;
    }),
  );
  if (code.parentElement) code.parentElement.tabIndex = 0;
}
