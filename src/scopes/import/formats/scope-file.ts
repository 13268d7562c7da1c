// The JSON and YAML of scopes: { scopes: [ { id, tier, parent?, description?, categories } ] }.
import { isJsonObject } from "../../../domain/call/json-object.ts";
import { TIERS, type Tier } from "../../../domain/scope.ts";
import { toContent, toDescription, toName } from "../../names.ts";
import type { ImportedCategory, ImportedEntry, ImportedScope, Refusal } from "./rules.ts";

type Path = readonly (string | number)[];

interface Parsed {
  readonly value: unknown;
  readonly lineOf: (path: Path) => number;
  readonly faults: readonly { readonly line: number; readonly reason: string }[];
}

interface ScopeFile {
  /** Undefined if the file is not a scope file, such as a package.json found on a walk. */
  readonly scopes: readonly ImportedScope[] | undefined;
  readonly refused: readonly Refusal[];
  readonly fatal: readonly Refusal[];
}

export async function readScopeFile(text: string, source: string): Promise<ScopeFile> {
  const { value, lineOf, faults } = /\.json$/i.test(source)
    ? parseJson(text)
    : await parseYaml(text);
  const at = (path: Path, reason: string): Refusal => ({ source, line: lineOf(path), reason });
  const fatal = faults.map((fault) => ({ source, ...fault }));
  if (!isJsonObject(value) || !("scopes" in value))
    return { scopes: undefined, refused: [], fatal };
  if (!Array.isArray(value["scopes"])) {
    return { scopes: [], refused: [], fatal: [...fatal, at(["scopes"], "scopes is not a list")] };
  }
  const refused: Refusal[] = [];
  const scopes = value["scopes"].flatMap((item: unknown, index): readonly ImportedScope[] => {
    const path = ["scopes", index];
    const problem = scopeProblem(item);
    if (problem === undefined)
      return [toImported(item as FileScope, path, { source, at, refused, lineOf })];
    fatal.push(at(path, problem));
    return [];
  });
  return { scopes, refused, fatal };
}

interface FileScope {
  readonly id: string;
  readonly tier: Tier;
  readonly parent?: string | null;
  readonly description?: string;
  readonly categories?: Readonly<Record<string, unknown>>;
}

interface Sink {
  readonly source: string;
  readonly at: (path: Path, reason: string) => Refusal;
  readonly lineOf: (path: Path) => number;
  readonly refused: Refusal[];
}

function scopeProblem(item: unknown): string | undefined {
  if (!isJsonObject(item)) return "a scope is an object with id, tier and categories";
  const { id, tier, parent, description, categories } = item;
  if (typeof id !== "string" || id.trim() === "") return "the scope has no id";
  if (!TIERS.some((one) => one === tier)) {
    return `the tier of "${id}" is none of ${TIERS.join(", ")}`;
  }
  if (parent != null && typeof parent !== "string") return `the parent of "${id}" is not an id`;
  if (description != null && typeof description !== "string") {
    return `the description of "${id}" is not text`;
  }
  if (categories != null && !isJsonObject(categories)) {
    return `the categories of "${id}" are not an object of names`;
  }
  return undefined;
}

function toImported(item: FileScope, path: Path, sink: Sink): ImportedScope {
  const categories: ImportedCategory[] = [];
  const entries: ImportedEntry[] = [];
  for (const [raw, value] of Object.entries(item.categories ?? {})) {
    const here = [...path, "categories", raw];
    if (!isJsonObject(value) || (value["entries"] != null && !isJsonObject(value["entries"]))) {
      sink.refused.push(sink.at(here, `the category "${raw}" is not { description, entries }`));
      continue;
    }
    const description = typeof value["description"] === "string" ? value["description"] : "";
    const name = toName(raw);
    const line = sink.lineOf(here);
    categories.push({ name, description: toDescription(description), source: sink.source, line });
    entries.push(...toEntries(name, value["entries"] ?? {}, [...here, "entries"], sink));
  }
  return {
    id: toName(item.id),
    tier: item.tier,
    ...(item.parent == null ? {} : { parent: toName(item.parent) }),
    // A file defines its scopes completely: a missing description means none.
    description: toDescription(item.description ?? ""),
    source: sink.source,
    line: sink.lineOf(path),
    categories,
    entries,
  };
}

function toEntries(
  category: string,
  given: object,
  path: Path,
  sink: Sink,
): readonly ImportedEntry[] {
  return Object.entries(given).flatMap(([keyword, content]) => {
    const place = [...path, keyword];
    if (!isScalar(content)) {
      sink.refused.push(sink.at(place, `the content of "${keyword}" is not text`));
      return [];
    }
    return [
      {
        category,
        keyword: toName(keyword),
        content: toContent(String(content)),
        source: sink.source,
        line: sink.lineOf(place),
      },
    ];
  });
}

function parseJson(text: string): Parsed {
  const clean = text.replace(/^\uFEFF/, "");
  try {
    const value: unknown = JSON.parse(clean);
    if (!isJsonObject(value) || !("scopes" in value)) return { value, lineOf: () => 0, faults: [] };
    const { doubled, lineOf } = readJsonKeys(clean);
    const faults = doubled.map(({ key, line }) => ({
      line,
      reason: `"${key}" appears twice`,
    }));
    return { value, lineOf, faults };
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1];
    const line = position === undefined ? 0 : clean.slice(0, Number(position)).split("\n").length;
    return { value: undefined, lineOf: () => 0, faults: [{ line, reason: "is not valid JSON" }] };
  }
}

async function parseYaml(text: string): Promise<Parsed> {
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: "silent" });
  const faults = document.errors.map((error) => ({
    line: error.linePos?.[0].line ?? 0,
    reason: `is not valid YAML: ${error.code.toLowerCase().replaceAll("_", " ")}`,
  }));
  if (faults.length > 0) return { value: undefined, lineOf: () => 0, faults };
  const lineOf = (path: Path) => {
    const node = document.getIn(path, true);
    const range = isJsonObject(node) ? (node as { range?: readonly number[] }).range : undefined;
    return range?.[0] === undefined ? 0 : lines.linePos(range[0]).line;
  };
  try {
    // Aliases can repeat a text; more than a hundred are an attack on memory, not rules.
    return { value: document.toJS({ maxAliasCount: 100 }), lineOf, faults };
  } catch {
    return { value: undefined, lineOf, faults: [{ line: 0, reason: "has too many aliases" }] };
  }
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

// JSON.parse keeps neither lines nor doubled keys; one pass over the tokens finds both.

interface JsonKeys {
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
function readJsonKeys(text: string): JsonKeys {
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
