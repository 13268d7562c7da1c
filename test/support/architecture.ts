// The room table of ARCHITECTURE.md and the limits of CONTRIBUTING.md, as a check over the source text.
import { dirname, join } from "node:path/posix";
import { functionsOf } from "./functions.ts";

/** File contents by path from src/. */
export type Sources = ReadonlyMap<string, string>;

interface Room {
  readonly name: string;
  readonly imports: readonly string[];
  /** Which of its files other rooms may import, as a pattern of paths from src/. */
  readonly entries: readonly RegExp[];
}

export interface Rules {
  readonly rooms: readonly Room[];
  readonly maxFileLines: number;
  readonly maxFilesInFolder: number;
  readonly maxFunctionLines: number;
  readonly maxHeldLets: number;
}

const ENVIRONMENT = /^(config\/|main\.ts$)/;
const STDOUT = /^(cli\/|main\.ts$|serve\.ts$|transports\/stdio\.ts$)/;
/** `domain/call/principal.ts` also says whether two callers have the same rights. */
const RIGHTS = /^(tools\/access-control|domain\/call\/principal)\.ts$/;
const BAD_NAME = /(^|\/)(index|utils?|helpers?|common|manager|service|misc)\.tsx?$/;

/** Rows look like `| store | what it owns | domain, text | store.ts | never |`. */
export function readRules(architecture: string, contributing: string): Rules {
  const rows = architecture.matchAll(/^\| ([a-z/]+) \|[^|]*\|([^|]*)\|([^|]*)\|/gm);
  const rooms = [...rows]
    .map(([, name = "", imports = "", entries = ""]) => ({
      name,
      imports: listOf(imports),
      entries: listOf(entries).map((entry) => toPattern(`${name}/${entry}`)),
    }))
    .filter(({ name }) => name !== "room");
  return {
    rooms,
    maxFileLines: numberIn(contributing, /Files have at most (\d+) lines/),
    maxFilesInFolder: numberIn(contributing, /folders at most (\d+) files/),
    maxFunctionLines: numberIn(contributing, /functions at most (\d+) lines/),
    maxHeldLets: numberIn(contributing, /closure has at most (\d+) `let`s/),
  };
}

function listOf(cell: string): readonly string[] {
  const items = cell.split(",").map((item) => item.trim().replaceAll("`", ""));
  return items.filter((item) => item !== "" && item !== "–");
}

/** `any` opens every file; `*` matches within one path segment. */
function toPattern(entry: string): RegExp {
  if (entry.endsWith("/any")) return new RegExp(`^${entry.slice(0, -3)}`);
  return new RegExp(`^${entry.replaceAll(".", "\\.").replaceAll("*", "[^/]+")}$`);
}

function numberIn(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`CONTRIBUTING.md states no limit like ${pattern}`);
  return Number(found);
}

export function findViolations(sources: Sources, rules: Rules): readonly string[] {
  const each = [...sources].flatMap(([path, text]) => [
    ...checkImports(path, text, rules.rooms),
    ...checkReach(path, withoutComments(text)),
    ...checkShape(path, text, rules),
    ...checkFunctions(path, text, rules),
  ]);
  return [...each, ...checkFolders(sources, rules)];
}

function checkImports(path: string, text: string, rooms: readonly Room[]): readonly string[] {
  const room = roomOf(path, rooms);
  if (room === "root") return [];
  if (room === undefined) return [`${path}: its room is not in the table`];
  return importsOf(path, text).flatMap((target) => {
    const other = roomOf(target, rooms);
    if (other === room) return [];
    if (other === undefined || other === "root" || !room.imports.includes(other.name)) {
      return [`${path}: may not import ${target}`];
    }
    const isEntry = other.entries.some((entry) => entry.test(target));
    return isEntry ? [] : [`${path}: enters ${other.name} by ${target}`];
  });
}

/** Files at the root of src/ wire the rooms and may enter any of them anywhere. */
function roomOf(path: string, rooms: readonly Room[]): Room | "root" | undefined {
  if (!path.includes("/") || path.startsWith("..")) return "root";
  const holding = rooms.filter(({ name }) => path.startsWith(`${name}/`));
  return holding.sort((a, b) => b.name.length - a.name.length)[0];
}

function checkReach(path: string, code: string): readonly string[] {
  const found: string[] = [];
  const readsEnvironment = /\bprocess\.env\b|from "(node:)?process"/.test(code);
  if (readsEnvironment && !ENVIRONMENT.test(path)) found.push(`${path}: reads the environment`);
  if (/process\.stdout\b|console\.(log|info)\(/.test(code) && !STDOUT.test(path)) {
    found.push(`${path}: writes stdout`);
  }
  if (/(?:\?\?|\|\||=)\s*(?:OWNER|SERVER)\b/.test(code)) {
    found.push(`${path}: the owner by default`);
  }
  if (/\brequest\.url\b/.test(code)) found.push(`${path}: reads an address that is not parsed`);
  if (/\brights\.has\(|\baccessDenied\(/.test(code) && !RIGHTS.test(path)) {
    found.push(`${path}: compares rights beside access control`);
  }
  return found;
}

function checkShape(path: string, text: string, { maxFileLines }: Rules): readonly string[] {
  const found: string[] = [];
  const lines = text.trimEnd().split("\n").length;
  if (BAD_NAME.test(path)) found.push(`${path}: a name that says nothing`);
  if (!/^[a-z0-9./-]+$/.test(path)) found.push(`${path}: not kebab-case`);
  if (lines > maxFileLines) found.push(`${path}: ${lines} lines`);
  return found;
}

function checkFunctions(path: string, text: string, rules: Rules): readonly string[] {
  return functionsOf(path, text).flatMap(({ name, line, lines, held }) => [
    ...(held.length > rules.maxHeldLets
      ? [`${path}:${line}: ${name} holds ${held.join(", ")}`]
      : []),
    ...(lines > rules.maxFunctionLines ? [`${path}: ${name} has too many lines`] : []),
  ]);
}

function checkFolders(sources: Sources, { maxFilesInFolder }: Rules): readonly string[] {
  const counts = new Map<string, number>();
  for (const path of sources.keys()) {
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  return [...counts].flatMap(([folder, count]) =>
    count > maxFilesInFolder ? [`${folder}: ${count} files`] : [],
  );
}

function importsOf(path: string, text: string): readonly string[] {
  const found = text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g);
  return [...found].map(([, specifier = ""]) => join(dirname(path), specifier));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");
}
