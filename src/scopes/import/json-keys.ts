// JSON.parse keeps neither lines nor doubled keys; one pass over the tokens finds both.

export interface JsonKeys {
  /** The line of the innermost part of the path that the text contains. */
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

interface KeyReading {
  readonly root: Node;
  readonly doubled: { key: string; line: number }[];
  readonly stack: Open[];
  line: number;
  /** The last string that was read; it is a key if a colon follows. */
  text: string;
}

/** `text` must be valid JSON. */
export function readJsonKeys(text: string): JsonKeys {
  const root: Node = { line: 1, inside: new Map() };
  const reading: KeyReading = { root, doubled: [], stack: [], line: 1, text: '""' };
  for (const [token] of text.matchAll(TOKEN)) readToken(reading, token);
  return { doubled: reading.doubled, lineOf: (path) => lineIn(root, path) };
}

function readToken(reading: KeyReading, token: string): void {
  const top = reading.stack.at(-1);
  if (token === "\n") reading.line++;
  else if (token === "{" || token === "[") enter(reading, token === "[");
  else if (token === "}" || token === "]") reading.stack.pop();
  else if (token === ":" && top !== undefined) nameMember(reading, top);
  else if (token !== ",") reading.text = token;
  else if (typeof top?.key === "number") top.key++;
}

function enter({ root, stack, line }: KeyReading, isArray: boolean): void {
  const top = stack.at(-1);
  if (top?.isArray) top.node.inside.set(top.key, { line, inside: new Map() });
  const node = top === undefined ? root : (top.node.inside.get(top.key) ?? root);
  stack.push({ node, isArray, key: isArray ? 0 : "" });
}

function nameMember({ doubled, line, text }: KeyReading, top: Open): void {
  top.key = JSON.parse(text) as string;
  if (top.node.inside.has(top.key)) doubled.push({ key: top.key, line });
  top.node.inside.set(top.key, { line, inside: new Map() });
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
