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
  const { value, lineOf, faults } = await parse(text, /\.json$/i.test(source));
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

const NO_LINES = { value: undefined, lineOf: () => 0 };

/** JSON is YAML too, whose parser knows the lines and keys that appear twice. */
async function parse(text: string, isJson: boolean): Promise<Parsed> {
  const fault = isJson ? jsonFault(text) : undefined;
  if (fault !== undefined) return { ...NO_LINES, faults: fault === "other" ? [] : [fault] };
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: "silent" });
  const lineOf = (path: Path) => {
    const node = document.getIn(path, true);
    const range = isJsonObject(node) ? (node as { range?: readonly number[] }).range : undefined;
    return range?.[0] === undefined ? 0 : lines.linePos(range[0]).line;
  };
  const faults = document.errors.map(({ code, linePos, pos }) => ({
    line: linePos?.[0].line ?? 0,
    reason:
      code === "DUPLICATE_KEY"
        ? `${keyAt(text, pos[0])} appears twice`
        : `is not valid YAML: ${code.toLowerCase().replaceAll("_", " ")}`,
  }));
  if (faults.length > 0) return { ...NO_LINES, faults };
  try {
    // Aliases can repeat a text; more than a hundred are an attack on memory, not rules.
    return { value: document.toJS({ maxAliasCount: 100 }), lineOf, faults };
  } catch {
    return { ...NO_LINES, faults: [{ line: 0, reason: "has too many aliases" }] };
  }
}

/** `other`: it has no scopes, as most JSON files that a walk finds. */
function jsonFault(text: string): Parsed["faults"][number] | "other" | undefined {
  const clean = text.replace(/^\uFEFF/, "");
  try {
    const value: unknown = JSON.parse(clean);
    return isJsonObject(value) && "scopes" in value ? undefined : "other";
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1];
    const line = position === undefined ? 0 : clean.slice(0, Number(position)).split("\n").length;
    return { line, reason: "is not valid JSON" };
  }
}

function keyAt(text: string, at: number): string {
  const [key = ""] =
    /^(?:"(?:[^"\\]|\\.){0,200}"|[^:\n]{0,200})/.exec(text.slice(at, at + 500)) ?? [];
  return key.startsWith('"') ? key : `"${key}"`;
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
