// Paths → scopes: scope files name their own, Markdown goes into the scope of the nearest folder with rules.
import { KnowledgeError } from "../../domain/errors.ts";
import { type Message, toMessage } from "../../domain/phrases/messages.ts";
import { type Scope, TIERS, type Tier } from "../../domain/scope.ts";
import type { Gathered, ImportedScope, Refusal } from "./formats/rules.ts";
import { readScopeFile } from "./formats/scope-file.ts";
import { idOf, nearestAbove, placeScopes } from "./formats/scope-tree.ts";
import { mergeLayers } from "./merge-topics.ts";
import { nameOf, readFolders, type Sink, skillFolders, type Target } from "./read-folders.ts";
import { MAX_SCOPE_FILE_BYTES, readInside, type SourceFile, type Walked, walk } from "./walk.ts";

// All Markdown in these folders is written for agents.
const AGENT_FOLDER = /(?:^|\/)\.(?:agents|claude|codex|cursor|windsurf)\//;

export async function gather(
  path: string,
  target: Target,
  known: ReadonlyMap<string, Scope>,
): Promise<Gathered> {
  const walked = await walk(path);
  const refused: Refusal[] = [];
  const fatal: Refusal[] = [];
  const sources: string[] = [];
  const label = path.replace(/[/\\]+$/, "") || path;
  const sink: Sink = { walked, target, label, refused, fatal, sources };
  const scopes: ImportedScope[] = [...(await scopeFiles(sink))];
  const { files, notes } = markdownFiles(walked, target);
  if (scopes.length > 0 && (target.scope ?? target.tier ?? target.parent) !== undefined) {
    notes.push(toMessage("scopesNamed"));
  }
  if (files.length > 0) {
    const folders = await readFolders(files, sink);
    const base = baseOf(folders.length > 1, walked, target, known);
    for (const placed of placeScopes(folders, base)) {
      const { layers, description, ...scope } = placed;
      const said = description === "" ? {} : { description };
      scopes.push({ ...scope, ...said, source: label, line: 0, ...mergeLayers(layers) });
    }
  }
  if (scopes.length === 0 && fatal.length === 0) {
    throw new KnowledgeError("INVALID_PARAMETER", `"${path}" has no rules to import.`);
  }
  return { scopes, refused, fatal, sources, notes };
}

async function scopeFiles(sink: Sink): Promise<readonly ImportedScope[]> {
  const found: ImportedScope[] = [];
  for (const file of sink.walked.files.filter(({ kind }) => kind === "scope-file")) {
    const source = nameOf(sink, file);
    const read = await readInside(sink.walked.root, file.absolute, {
      source,
      mostBytes: MAX_SCOPE_FILE_BYTES,
    });
    if (!read.ok) {
      if (sink.walked.single) sink.fatal.push(read.refusal);
      continue;
    }
    const { scopes, refused, fatal } = await readScopeFile(read.text, source);
    // A walk may find files of other kinds, which is not an error.
    if (scopes === undefined && !sink.walked.single) continue;
    sink.sources.push(source);
    sink.refused.push(...refused);
    sink.fatal.push(...fatal);
    if (scopes === undefined && fatal.length === 0) {
      sink.fatal.push({ source, line: 1, reason: 'has no "scopes"' });
    }
    found.push(...(scopes ?? []));
  }
  return found;
}

function markdownFiles(
  walked: Walked,
  target: Target,
): { readonly files: readonly SourceFile[]; readonly notes: Message[] } {
  const files = walked.files.filter(({ kind }) => kind !== "scope-file");
  if (!walked.isProject || target.guides) return { files, notes: [] };
  const skills = skillFolders(files);
  const isRule = ({ kind, path }: SourceFile) =>
    kind !== "guide" || AGENT_FOLDER.test(path) || nearestAbove(path, skills) !== "";
  const left = files.filter((file) => !isRule(file)).length;
  const notes = left === 0 ? [] : [toMessage(left === 1 ? "oneLeftOut" : "leftOut", left)];
  return { files: files.filter(isRule), notes };
}

function baseOf(
  nested: boolean,
  walked: Walked,
  { scope, tier, parent }: Target,
  known: ReadonlyMap<string, Scope>,
) {
  const id = scope ?? idOf(walked.root);
  const held = known.get(id);
  const above = parent ?? held?.parent;
  return {
    id,
    // Leaves tiers below the folder for subfolders with their own rules, as far as its parent allows.
    tier: tier ?? held?.tier ?? (nested ? tierBelow(known.get(above ?? "")?.tier) : "PROJECT"),
    ...(above === undefined ? {} : { parent: above }),
  } as const;
}

function tierBelow(parent: Tier | undefined): Tier {
  return parent === undefined ? "PRODUCT" : (TIERS[TIERS.indexOf(parent) + 1] ?? "PROJECT");
}
