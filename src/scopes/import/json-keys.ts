// JSON.parse keeps neither lines nor doubled keys; one pass over the tokens finds both.

export interface JsonKeys {
  /** Of the innermost part of the path that is in the text. */
  lineOf(path: readonly (string | number)[]): number;
  readonly doubled: readonly { readonly key: string; readonly line: number }[];
}

interface Node {
  readonly line: number;
  readonly inside: Map<string | number, Node>;
}

interface Open {
  readonly node: Node;
  readonly isArray: boolean;
  key: string | number;
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:\n]/g;

/** `text` must be valid JSON. */
export function readJsonKeys(text: string): JsonKeys {
  const doubled: { key: string; line: number }[] = [];
  const root: Node = { line: 1, inside: new Map() };
  const stack: Open[] = [];
  let line = 1;
  let string = '""';
  const enter = (isArray: boolean) => {
    const top = stack.at(-1);
    if (top?.isArray) top.node.inside.set(top.key, { line, inside: new Map() });
    const node = top === undefined ? root : (top.node.inside.get(top.key) ?? root);
    stack.push({ node, isArray, key: isArray ? 0 : "" });
  };
  const name = (top: Open) => {
    top.key = JSON.parse(string) as string;
    if (top.node.inside.has(top.key)) doubled.push({ key: top.key, line });
    top.node.inside.set(top.key, { line, inside: new Map() });
  };
  const tokens = new RegExp(TOKEN);
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const token = match[0];
    const top = stack.at(-1);
    if (token === "\n") line++;
    else if (token === "{" || token === "[") enter(token === "[");
    else if (token === "}" || token === "]") stack.pop();
    else if (token === ":" && top !== undefined) name(top);
    else if (token !== ",") string = token;
    else if (typeof top?.key === "number") top.key++;
  }
  return { doubled, lineOf: (path) => lineIn(root, path) };
}

function lineIn(root: Node, path: readonly (string | number)[]): number {
  let node = root;
  for (const step of path) {
    const next = node.inside.get(step);
    if (next === undefined) break;
    node = next;
  }
  return node.line;
}
