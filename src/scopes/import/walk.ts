// Finds the files under a path that contain rules, and their kinds. Stays inside the path, also through links.
import { readdir, realpath } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { KnowledgeError } from "../../domain/errors.ts";
import { lookAt, openRegular, placeOf, readWhole } from "../../files/regular-file.ts";
import type { Refusal } from "./formats/rules.ts";

type SourceKind = "scope-file" | "agents" | "skill" | "cursor" | "copilot" | "guide";

export interface SourceFile {
  readonly kind: SourceKind;
  /** Relative to the root, separated by `/`. */
  readonly path: string;
  readonly absolute: string;
}

export interface Walked {
  /** The folder's real path; no file outside it is read. */
  readonly root: string;
  readonly files: readonly SourceFile[];
  readonly isProject: boolean;
  /** The path itself is a file, which is read even if a walk would skip it. */
  readonly single: boolean;
}

const RULE_FOLDERS = new Set([".cursor", ".github", ".agents", ".claude", ".codex", ".windsurf"]);
const SKIPPED_FOLDERS = new Set(["node_modules", "vendor", "dist", "build", "target", "venv"]);
const NOT_RULES =
  /^(?:licen[cs]e|changelog|code_of_conduct|contributors|authors|(?:pull_request|issue)_template)\b.*\.md$/i;
const MAX_FILES = 20_000;

export const MAX_TEXT_BYTES = 4 * 1024 * 1024;
/** 100,000 entries are about 15 MB, and take some 40 times as much memory while they are parsed. */
export const MAX_SCOPE_FILE_BYTES = 32 * 1024 * 1024;

function kindOf(path: string): SourceKind | undefined {
  const name = basename(path);
  if (/^(?:AGENTS|CLAUDE)\.md$/.test(name)) return "agents";
  if (/^SKILL\.md$/i.test(name)) return "skill";
  if (/\.mdc$/i.test(name) || name === ".cursorrules") return "cursor";
  if (/\.instructions\.md$/i.test(name) || name === "copilot-instructions.md") return "copilot";
  if (/\.(?:md|markdown)$/i.test(name)) return NOT_RULES.test(name) ? undefined : "guide";
  if (/\.(?:json|ya?ml)$/i.test(name)) return "scope-file";
  return undefined;
}

export async function walk(path: string): Promise<Walked> {
  const real = await realpath(path).catch(() => {
    throw new KnowledgeError("FILE_NOT_FOUND", `No such file or folder: "${path}".`);
  });
  const found = await lookAt(real);
  if (!found.isDirectory()) return single(path, real);
  const files: SourceFile[] = [];
  for await (const { name, absolute } of filesBelow(real)) {
    const kind = kindOf(name);
    if (kind === undefined) continue;
    files.push({ kind, absolute, path: relative(real, absolute).split(sep).join("/") });
    if (files.length > MAX_FILES) throw tooMany(path);
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const isProject =
    files.some((file) => file.kind === "agents" && !file.path.includes("/")) ||
    (await exists(join(real, ".git")));
  return { root: real, files, isProject, single: false };
}

async function* filesBelow(root: string) {
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const absolute = join(folder, entry.name);
      if (!entry.isDirectory()) yield { name: entry.name, absolute };
      else if (isWalked(entry.name)) folders.push(absolute);
    }
  }
}

function tooMany(path: string): KnowledgeError {
  return new KnowledgeError(
    "INVALID_PARAMETER",
    `"${path}" has more than ${MAX_FILES} files that may be rules. Name only the folders that have rules.`,
  );
}

async function single(path: string, real: string): Promise<Walked> {
  const kind = kindOf(path);
  if (kind === undefined) {
    throw new KnowledgeError(
      "UNSUPPORTED_FORMAT",
      `"${path}" is not a rules file. Use JSON, YAML, Markdown or .mdc.`,
    );
  }
  const root = real.slice(0, Math.max(1, real.lastIndexOf(sep)));
  const file = { kind, absolute: real, path: basename(path) };
  return { root, files: [file], isProject: false, single: true };
}

function isWalked(name: string): boolean {
  return name.startsWith(".") ? RULE_FOLDERS.has(name) : !SKIPPED_FOLDERS.has(name);
}

async function exists(path: string): Promise<boolean> {
  return lookAt(path).then(
    () => true,
    () => false,
  );
}

export type ReadResult =
  | { readonly ok: true; readonly text: string; readonly real: string }
  | { readonly ok: false; readonly refusal: Refusal };

/** Reads a file inside `root`; links that lead outside are refused. */
export async function readInside(
  root: string,
  absolute: string,
  options: { readonly source: string; readonly maxBytes: number },
): Promise<ReadResult> {
  const refuse = (reason: string): ReadResult => ({
    ok: false,
    refusal: { source: options.source, line: 0, reason },
  });
  const real = await realpath(absolute).catch(() => undefined);
  if (real === undefined) return refuse("there is no such file");
  if (!isInside(root, real)) return refuse(OUTSIDE);
  const bytes = await readBytes(real, root, options.maxBytes);
  if (typeof bytes === "string") return refuse(bytes);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\u0000") ? refuse("is not a text file") : { ok: true, text, real };
  } catch {
    return refuse("is not UTF-8 text");
  }
}

const OUTSIDE = "leads outside the imported folder";

/** The bytes, or why there are none. */
async function readBytes(real: string, root: string, maxBytes: number): Promise<Buffer | string> {
  const opened = await openRegular(real, maxBytes);
  const tooLarge = `has more than ${maxBytes} bytes, which is the most that is read`;
  if (opened.kind === "too-large") return tooLarge;
  if (opened.kind !== "open") return "is not a file";
  try {
    const place = await placeOf(opened.stats, real);
    if (place === undefined || !isInside(root, place)) return OUTSIDE;
    return (await readWhole(opened.handle, maxBytes)) ?? tooLarge;
  } finally {
    await opened.handle.close();
  }
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}
