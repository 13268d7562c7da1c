// The room table of ARCHITECTURE.md as a check over the source text.
import { dirname, join } from "node:path/posix";

/** Paths from src/ to what the files say. */
export type Sources = ReadonlyMap<string, string>;

const ROOMS: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  observe: ["domain"],
  config: ["domain"],
  kbfile: ["domain", "observe"],
  extract: ["domain", "observe"],
  chunk: ["domain"],
  embed: ["domain", "observe"],
  store: ["domain", "observe"],
  scopes: ["domain", "observe", "store"],
  ingest: ["domain", "observe", "extract", "chunk", "embed", "store", "search"],
  search: ["domain", "observe", "embed", "store"],
  answer: ["domain", "observe", "search"],
  tools: [
    "domain",
    "observe",
    "kbfile",
    "extract",
    "chunk",
    "embed",
    "store",
    "scopes",
    "ingest",
    "search",
    "answer",
  ],
  mcp: ["domain", "observe", "tools"],
  console: ["domain", "observe", "tools"],
  cli: ["domain", "observe", "tools"],
  transports: ["domain", "observe", "mcp", "console"],
};

/** Files at the root of src/: they wire the rooms and may enter any of them anywhere. */
const ROOT = "";

/** Rooms that are words and shapes are entered at any file, the tools at what the fronts share. */
const DOORS: Readonly<Record<string, RegExp>> = {
  domain: /./,
  observe: /./,
  tools: /^tools\/(tool|offer|operations)\.ts$/,
};

const ENVIRONMENT = /^(config\/|main\.ts$)/;
const STDOUT = /^(cli\/|main\.ts$|serve\.ts$|transports\/stdio\.ts$)/;
/** `domain/principal.ts` also says whether two callers have the same rights. */
const RIGHTS = /^(tools\/door|domain\/principal)\.ts$/;
const BAD_NAME = /(^|\/)(index|utils?|helpers?|common|manager|service|misc)\.ts$/;
const MAX_LINES = 400;

export function findViolations(sources: Sources): readonly string[] {
  return [...sources].flatMap(([path, text]) => [
    ...checkImports(path, text),
    ...checkReach(path, withoutComments(text)),
    ...checkShape(path, text),
  ]);
}

function checkImports(path: string, text: string): readonly string[] {
  const room = roomOf(path);
  if (room === ROOT) return [];
  const allowed = ROOMS[room];
  if (!allowed) return [`${path}: the room '${room}' is not in the table`];
  return importsOf(path, text).flatMap((target) => {
    const other = roomOf(target);
    if (other === room) return [];
    if (other === ROOT || !allowed.includes(other)) return [`${path}: may not import ${target}`];
    const door = DOORS[other] ?? new RegExp(`^${other}/${other}\\.ts$`);
    return door.test(target) ? [] : [`${path}: enters ${other} by ${target}`];
  });
}

function checkReach(path: string, code: string): readonly string[] {
  const found: string[] = [];
  if (/process\.env\b/.test(code) && !ENVIRONMENT.test(path))
    found.push(`${path}: reads process.env`);
  if (/process\.stdout\b|console\.(log|info)\(/.test(code) && !STDOUT.test(path)) {
    found.push(`${path}: writes stdout`);
  }
  if (/(?:\?\?|\|\||=)\s*(?:OWNER|SERVER)\b/.test(code))
    found.push(`${path}: the owner by default`);
  if (/\brequest\.url\b/.test(code)) found.push(`${path}: reads an address that is not parsed`);
  if (/\brights\.has\(|\baccessDenied\(/.test(code) && !RIGHTS.test(path)) {
    found.push(`${path}: compares rights beside the door`);
  }
  return found;
}

function checkShape(path: string, text: string): readonly string[] {
  const found: string[] = [];
  const lines = text.split("\n").length;
  if (BAD_NAME.test(path)) found.push(`${path}: a name that says nothing`);
  if (!/^[a-z0-9./-]+$/.test(path)) found.push(`${path}: not kebab-case`);
  if (lines > MAX_LINES) found.push(`${path}: ${lines} lines`);
  return found;
}

function importsOf(path: string, text: string): readonly string[] {
  const found = text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g);
  return [...found].map(([, specifier = ""]) => join(dirname(path), specifier));
}

function roomOf(path: string): string {
  return path.includes("/") ? (path.split("/")[0] ?? ROOT) : ROOT;
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");
}
