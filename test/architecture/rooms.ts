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
  readonly maxFunctionLines: number;
  readonly maxHeldLets: number;
}

/** The installed git runs in the server's environment: its proxies, certificates and SSH agent. */
const ENVIRONMENT = /^(config\/|main\.ts$|ingest\/sources\/git\.ts$)/;
const STDOUT = /^(cli\/|main\.ts$|serve\.ts$|transports\/stdio\.ts$)/;
/** Keyed by the names of our own tools, and filled by the build. */
const TRANSLATED = "tools/translated-schemas.ts";
/** `domain/call/` says in which scopes a right holds, and whether two callers have the same rights. */
const RIGHTS = /^(tools\/(access-control|sights)|domain\/call\/(principal|grants))\.ts$/;
/** Where bytes of callers arrive. Pages in the browser read what this server sent them. */
const WIRE = /^(transports|mcp)\/|^console\/(?!pages\/)/;
/** The one place that builds values from them, and the one that takes them from a request. */
const JSON_PARSER = "transports/bounded-json.ts";
const BODY_READER = "transports/http/request-body.ts";
const READS_BODY =
  /\brequest\.(?:on|once|addListener|pipe|read|resume|iterator|setEncoding)\(|\bof request\b|\brequest as (?:unknown as )?(?:AsyncIterable|Readable)|\b(?:pipeline|text|json|buffer|arrayBuffer|Readable\.\w+)\(\s*request\b/;
/** Which store there is concerns the store alone. */
const DRIVER = /^store\/(?:sqlite|postgres)\//;
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
  return [...sources].flatMap(([path, text]) => [
    ...checkImports(path, text, rules.rooms),
    ...checkReach(path, withoutComments(text)),
    ...checkShape(path, text, rules),
    ...checkFunctions(path, text, rules),
  ]);
}

function checkImports(path: string, text: string, rooms: readonly Room[]): readonly string[] {
  const room = roomOf(path, rooms);
  if (room === "root") {
    const drivers = importsOf(path, text).filter((target) => DRIVER.test(target));
    return drivers.map((target) => `${path}: names the driver ${target}`);
  }
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
  const hasOpenTable = /^(?:export )?const [A-Z_0-9]+: (?:Readonly<)?Record<string,/m.test(code);
  const isOpenCheck = /\(\w+ in [A-Z][A-Z_0-9]+\)/.test(code);
  if ((hasOpenTable || isOpenCheck) && path !== TRANSLATED) {
    found.push(`${path}: a table that also has what every object inherits; make it a Map`);
  }
  return [...found, ...checkWire(path, code)];
}

function checkWire(path: string, code: string): readonly string[] {
  if (!WIRE.test(path)) return [];
  const found: string[] = [];
  if (/\bJSON\.parse\b/.test(code) && path !== JSON_PARSER) {
    found.push(`${path}: parses JSON without bounds`);
  }
  if (READS_BODY.test(code) && path !== BODY_READER) found.push(`${path}: reads a body itself`);
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

function importsOf(path: string, text: string): readonly string[] {
  const found = text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g);
  return [...found].map(([, specifier = ""]) => join(dirname(path), specifier));
}

export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");
}
