// Picks the dropped files that may contain rules, and reads them.
import type { RuleDrop } from "../../../tools/scopes/contract.ts";
import type { NamedFile } from "../uploads/dropped-files.ts";
import { easierId } from "./check-id.ts";

export type RuleFiles = RuleDrop["files"];

const RULE_FOLDERS = new Set([".cursor", ".github", ".agents", ".claude", ".codex", ".windsurf"]);
const OTHERS = new Set(["node_modules", "vendor", "dist", "build", "target", "venv"]);
const RULE_FILE = /(?:\.(?:md|markdown|mdc|json|ya?ml)|^\.cursorrules)$/i;
const SCOPE_FILE = /\.(?:json|ya?ml)$/i;
const MAX_FILES = 2_000;

/** True for files worth sending; the server decides what each one is. */
export function mayHoldRules(name: string): boolean {
  if (name.startsWith(".")) return RULE_FOLDERS.has(name) || name === ".cursorrules";
  return !OTHERS.has(name);
}

export async function readRuleFiles(found: readonly NamedFile[]): Promise<RuleFiles> {
  const chosen = found.filter(({ name }) => {
    const parts = name.split("/");
    return RULE_FILE.test(parts.at(-1) ?? "") && parts.every(mayHoldRules);
  });
  return Promise.all(
    chosen
      .slice(0, MAX_FILES)
      .map(async ({ file, name }) => ({ path: name, text: await file.text() })),
  );
}

/** A folder's name becomes its scope's name, and YAML names its scopes; other files need one. */
export function needsScope(files: RuleFiles): boolean {
  return files.some(({ path }) => !path.includes("/") && !SCOPE_FILE.test(path));
}

// Every project has files with these names, so the names do not say whose rules they are.
const COMMON =
  /^(?:agents|claude|gemini|skill|readme|copilot-instructions|index|rules|\.cursorrules)$/i;

/** The first heading of a file that is named like many others. */
function headingOf(text: string): string {
  const heading = /^# +(.{1,60})$/m.exec(text)?.[1] ?? "";
  return heading.trim().toLowerCase();
}

/**
 * The name of the only folder, as on the command line, or of the only file, or its heading; empty if none is
 * informative.
 */
export function offeredScope(files: RuleFiles): string {
  const isInFolder = (path: string) => path.includes("/");
  const folders = new Set(
    files.flatMap(({ path }) => (isInFolder(path) ? path.split("/", 1) : [])),
  );
  const [folder] = folders;
  if (folder !== undefined) return folders.size === 1 ? folder : "";
  const [only, another] = files;
  if (only === undefined || another !== undefined || SCOPE_FILE.test(only.path)) return "";
  const name = only.path.replace(/(?<=.)(?:\.instructions)?\.\w+$/, "");
  const shown = COMMON.test(name) ? headingOf(only.text) : name;
  return easierId(shown) ?? shown;
}
