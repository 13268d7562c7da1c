// What the functions of a file look like, read from its syntax tree: how long each is, and what state it holds.
import { parseSync } from "vite";

export interface FunctionShape {
  readonly name: string;
  readonly line: number;
  /** Of its body, both braces included, without blank lines and comments: these need not be held in mind. */
  readonly lines: number;
  /** Its `let`s that functions inside it use: state that only reading all of them explains. */
  readonly held: readonly string[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Names by where they are used: an inner function's use of an outer `let` makes it state. */
interface Scope {
  readonly lets: Set<string>;
  readonly used: Set<string>;
  readonly usedInside: Set<string>;
}

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

export function functionsOf(path: string, text: string): readonly FunctionShape[] {
  const { program } = parseSync(path, text);
  const found: FunctionShape[] = [];
  const visit = (node: Node, scope: Scope, parent: Node | undefined): void => {
    const isFunction = FUNCTIONS.has(node.type);
    const here = isFunction ? newScope() : scope;
    if (node.type === "Identifier") here.used.add(String(node["name"]));
    if (node.type === "VariableDeclaration" && node["kind"] === "let") addLets(node, here);
    for (const child of childrenOf(node)) visit(child, here, node);
    if (!isFunction) return;
    hand(here, scope);
    found.push({
      name: nameOf(node, parent),
      line: lineAt(text, node.start),
      lines: codeLines(bodyOf(node, text)),
      held: [...here.lets].filter((name) => here.usedInside.has(name)),
    });
  };
  visit(program as unknown as Node, newScope(), undefined);
  return found;
}

/** What a function uses without having it is used inside the one around it. */
function hand({ lets, used, usedInside }: Scope, outer: Scope): void {
  for (const name of [...used, ...usedInside]) if (!lets.has(name)) outer.usedInside.add(name);
}

function newScope(): Scope {
  return { lets: new Set(), used: new Set(), usedInside: new Set() };
}

function addLets(declaration: Node, { lets }: Scope): void {
  for (const { id } of declaration["declarations"] as { id: Node }[]) {
    for (const name of namesIn(id)) lets.add(name);
  }
}

function namesIn(pattern: Node): readonly string[] {
  if (pattern.type === "Identifier") return [String(pattern["name"])];
  return childrenOf(pattern).flatMap(namesIn);
}

function childrenOf(node: Node): readonly Node[] {
  const children: Node[] = [];
  for (const key in node) {
    const value = node[key];
    if (typeof value !== "object" || value === null || key === "parent") continue;
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each === "object" && each !== null && "type" in each) children.push(each);
    }
  }
  return children;
}

function nameOf(node: Node, parent: Node | undefined): string {
  const id = (node["id"] ?? parent?.["id"] ?? parent?.["key"]) as Node | null | undefined;
  return typeof id?.["name"] === "string" ? id["name"] : "a function";
}

function bodyOf(node: Node, text: string): string {
  const { start, end } = node["body"] as Node;
  return text.slice(start, end);
}

function codeLines(code: string): number {
  const isComment = (line: string) => /^(\/\/|\/\*|\*)/.test(line);
  const lines = code.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "" && !isComment(line)).length;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
