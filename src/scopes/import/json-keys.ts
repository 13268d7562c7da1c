// JSON.parse keeps neither lines nor doubled keys; one pass over the tokens finds both.

export interface JsonKeys {
  lineOf(path: readonly (string | number)[]): number;
  readonly doubled: readonly { readonly path: string; readonly line: number }[];
}

interface Open {
  readonly path: string;
  /** Keys met so far; absent in an array. */
  readonly keys?: Set<string>;
  key: string;
  index: number;
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:\n]/g;
const STEP = "\u0000";

/** `text` must be valid JSON. */
export function readJsonKeys(text: string): JsonKeys {
  const lines = new Map<string, number>();
  const doubled: { path: string; line: number }[] = [];
  const stack: Open[] = [];
  let line = 1;
  let string: string | undefined;
  const here = () => {
    const top = stack.at(-1);
    if (top === undefined) return "";
    return `${top.path}${STEP}${top.keys === undefined ? top.index : top.key}`;
  };
  for (const [token] of text.matchAll(TOKEN)) {
    const top = stack.at(-1);
    if (token === "\n") line++;
    else if (token === "{" || token === "[") {
      const path = here();
      lines.set(path, lines.get(path) ?? line);
      stack.push({ path, key: "", index: 0, ...(token === "{" ? { keys: new Set() } : {}) });
    } else if (token === "}" || token === "]") stack.pop();
    else if (token === "," && top !== undefined) top.index++;
    else if (token === ":" && top?.keys !== undefined) {
      top.key = JSON.parse(string ?? '""') as string;
      if (top.keys.has(top.key)) doubled.push({ path: top.key, line });
      top.keys.add(top.key);
      lines.set(here(), line);
    } else if (token.startsWith('"')) string = token;
  }
  return {
    doubled,
    lineOf: (path) => lines.get(path.map((step) => `${STEP}${step}`).join("")) ?? 0,
  };
}
