// Where each piece of rendered text is in its source, so that a cited span can be marked in it.
import type { Token, Tokens } from "marked";

export type Positions = WeakMap<Token, number>;

interface Cursor {
  readonly source: string;
  readonly positions: Positions;
  at: number;
}

export function findPositions(tokens: readonly Token[], source: string): Positions {
  const cursor: Cursor = { source, positions: new WeakMap(), at: 0 };
  visitAll(tokens, cursor, source.length);
  return cursor.positions;
}

function visitAll(tokens: readonly Token[], cursor: Cursor, limit: number): void {
  for (const token of tokens) visit(token, cursor, limit);
}

function visit(token: Token, cursor: Cursor, limit: number): void {
  const start = find(token.raw, cursor, limit);
  const inner = childrenOf(token);
  if (inner.length === 0) {
    const at = leafStart(token, cursor, start ?? find(firstLine(token.raw), cursor, limit));
    if (at !== undefined) cursor.positions.set(token, at);
  } else {
    if (start !== undefined) cursor.at = start;
    visitAll(inner, cursor, start === undefined ? limit : start + token.raw.length);
  }
  if (start !== undefined) cursor.at = start + token.raw.length;
}

/** Inside quotes and lists a token's lines have lost their markers, so it may not occur verbatim. */
function find(raw: string, { source, at }: Cursor, limit: number): number | undefined {
  const found = raw === "" ? -1 : source.indexOf(raw, at);
  return found === -1 || found + raw.length > limit ? undefined : found;
}

function firstLine(text: string): string {
  return text.slice(0, text.indexOf("\n") + 1);
}

/** Code has fences or backticks around the text that is shown. */
function leafStart(token: Token, { source }: Cursor, start: number | undefined) {
  if (start === undefined) return undefined;
  if (token.type !== "code" && token.type !== "codespan") return start;
  const found = source.indexOf((token as Tokens.Code).text, start);
  return found === -1 ? undefined : found;
}

function childrenOf(token: Token): readonly Token[] {
  if (token.type === "list") return (token as Tokens.List).items;
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].flatMap((row) => row.flatMap((cell) => cell.tokens));
  }
  return "tokens" in token ? (token.tokens ?? []) : [];
}
