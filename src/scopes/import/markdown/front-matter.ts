// The block between two `---` lines, parsed leniently: real files contain text that YAML refuses (`globs: **/*`).
import { parse } from "yaml";

export type FrontMatter = Readonly<Record<string, unknown>>;

export interface WithFrontMatter {
  readonly fields: FrontMatter;
  /** The number of lines in the block, including its fences. */
  readonly lines: number;
}

export function readFrontMatter(lines: readonly string[]): WithFrontMatter {
  if (lines[0]?.trimEnd() !== "---") return { fields: {}, lines: 0 };
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  if (end < 0) return { fields: {}, lines: 0 };
  const fields: Record<string, unknown> = Object.create(null);
  for (const field of topLevelFields(lines.slice(1, end))) {
    const colon = field.indexOf(":");
    fields[field.slice(0, colon).trim()] = readValue(field, field.slice(colon + 1));
  }
  return { fields, lines: end + 1 };
}

/** Reads a field that is text, or a list of texts, which are joined by commas. */
export function textField(fields: FrontMatter, name: string): string {
  const value = fields[name];
  if (Array.isArray(value)) return value.map(String).join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}

// Fields are parsed separately, so that invalid YAML in one does not spoil the others.
function topLevelFields(lines: readonly string[]): readonly string[] {
  const fields: string[] = [];
  for (const line of lines) {
    if (/^[\w-]+\s*:/.test(line)) fields.push(line);
    else if (fields.length > 0 && /^(?:\s|-)/.test(line)) fields.push(`${fields.pop()}\n${line}`);
  }
  return fields;
}

function readValue(field: string, raw: string): unknown {
  try {
    const parsed: unknown = parse(field, { maxAliasCount: 0, logLevel: "silent" });
    const value: unknown = Object.values(parsed ?? {})[0];
    // YAML reads "description: Vue: our way" as a map, but its author meant a sentence.
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  } catch {
    // Not valid YAML, so the text is kept.
  }
  return raw
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^(["'])(.*)\1$/, "$2");
}
