// Paths → scopes: scope files name their own, Markdown goes into the scope of the nearest folder with rules.
import { defined } from "../../domain/defined.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import { type Message, toMessage } from "../../domain/phrases/messages.ts";
import { type Scope, TIERS, type Tier } from "../../domain/scope.ts";
import { readExported } from "./formats/exported.ts";
import {
  isReadme,
  readAgents,
  readGuide,
  readRule,
  readSkill,
  readSkillReference,
} from "./formats/markdown-rules.ts";
import type { Gathered, ImportedScope, Refusal, Topic } from "./formats/rules.ts";
import { readScopeFile } from "./formats/scope-file.ts";
import {
  type FolderRules,
  folderOf,
  idOf,
  mergeLayers,
  nearestAbove,
  placeScopes,
  type SourcedTopic,
} from "./formats/scope-tree.ts";
import { followReferences } from "./markdown/references.ts";
import {
  MAX_SCOPE_FILE_BYTES,
  MAX_TEXT_BYTES,
  readInside,
  type SourceFile,
  type Walked,
  walk,
} from "./walk.ts";

export interface Target {
  /** The scope that gets the rules; defaults to the folder's name. */
  readonly scope?: string;
  readonly tier?: Tier;
  readonly parent?: string;
  /** Also import plain Markdown if the folder is a repository or a project with AGENTS.md. */
  readonly guides: boolean;
}

/** Collects what is found below one path. */
interface Sink {
  readonly walked: Walked;
  readonly target: Target;
  /** The path as given on the command line, for messages. */
  readonly label: string;
  readonly refused: Refusal[];
  readonly fatal: Refusal[];
  readonly sources: string[];
}

// All Markdown in these folders is written for agents.
const AGENT_FOLDER = /(?:^|\/)\.(?:agents|claude|codex|cursor|windsurf)\//;

export async function gather(
  path: string,
  target: Target,
  known: ReadonlyMap<string, Scope>,
): Promise<Gathered> {
  const walked = await walk(path);
  const label = path.replace(/[/\\]+$/, "") || path;
  const sink: Sink = { walked, target, label, refused: [], fatal: [], sources: [] };
  const scopes: ImportedScope[] = await scopeFiles(sink);
  const { files, notes } = markdownFiles(walked, target);
  if (scopes.length > 0 && (target.scope ?? target.tier ?? target.parent) !== undefined) {
    notes.push(toMessage("scopesNamed"));
  }
  if (files.length > 0) {
    const folders = await readFolders(files, sink);
    const base = baseOf(folders.length > 1, walked, target, known);
    for (const { layers, description, ...scope } of placeScopes(folders, base)) {
      const stated = defined({ description: description || undefined });
      scopes.push({ ...scope, ...stated, source: label, line: 0, ...mergeLayers(layers) });
    }
  }
  const { refused, fatal, sources } = sink;
  if (scopes.length === 0 && fatal.length === 0) {
    throw new KnowledgeError("INVALID_PARAMETER", `"${path}" has no rules to import.`);
  }
  return { scopes, refused, fatal, sources, notes };
}

function nameOf({ walked, label }: Sink, { path }: SourceFile): string {
  return walked.single ? label : `${label}/${path}`;
}

async function scopeFiles(sink: Sink): Promise<ImportedScope[]> {
  const { root, files, single } = sink.walked;
  const found: ImportedScope[] = [];
  for (const file of files.filter(({ kind }) => kind === "scope-file")) {
    const source = nameOf(sink, file);
    const maxBytes = MAX_SCOPE_FILE_BYTES;
    const read = await readInside(root, file.absolute, { source, maxBytes });
    if (!read.ok) {
      if (single) sink.fatal.push(read.refusal);
      continue;
    }
    const { scopes, refused, fatal } = await readScopeFile(read.text, source);
    // A walk may find files of other kinds, which is not an error.
    if (scopes === undefined && !single) continue;
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

function markdownFiles(walked: Walked, target: Target) {
  const files = walked.files.filter(({ kind }) => kind !== "scope-file");
  const notes: Message[] = [];
  if (!walked.isProject || target.guides) return { files, notes };
  const skills = skillFolders(files);
  const isRule = ({ kind, path }: SourceFile) =>
    kind !== "guide" || AGENT_FOLDER.test(path) || nearestAbove(path, skills) !== "";
  const left = files.filter((file) => !isRule(file)).length;
  if (left > 0) notes.push(toMessage(left === 1 ? "oneLeftOut" : "leftOut", left));
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
  // Leaves tiers below the folder for subfolders with their own rules, as far as its parent allows.
  const free = nested ? tierBelow(known.get(above ?? "")?.tier) : "PROJECT";
  return { id, tier: tier ?? held?.tier ?? free, ...defined({ parent: above }) };
}

function tierBelow(parent: Tier | undefined): Tier {
  return parent === undefined ? "PRODUCT" : (TIERS[TIERS.indexOf(parent) + 1] ?? "PROJECT");
}

interface Folder {
  description: string;
  readonly topics: SourcedTopic[];
  /** Real paths, so that a file with several names is read once. */
  readonly seen: Set<string>;
}

/** The Markdown files, each read by its kind, as the topics of the nearest folder with rules. */
async function readFolders(
  files: readonly SourceFile[],
  sink: Sink,
): Promise<readonly FolderRules[]> {
  const folders = new Map<string, Folder>();
  const own = files.filter(({ kind }) => kind === "agents").map(({ path }) => folderOf(path));
  for (const folder of ["", ...own]) {
    folders.set(folder, { description: "", topics: [], seen: new Set() });
  }
  const names = [...folders.keys()];
  const around: Around = {
    skills: skillFolders(files),
    readmes: files.filter(({ path }) => isReadme(path)).map(({ path }) => folderOf(path)),
    skillTopics: new Map(),
  };
  // A skill's own file is read before its references.
  for (const file of [...files].sort((a, b) => rank(a) - rank(b))) {
    const folder = folders.get(nearestAbove(file.path, names));
    if (folder) await readFile(file, folder, { ...sink, ...around });
  }
  return [...folders].map(([folder, { description, topics }]) => ({ folder, description, topics }));
}

/** What the reader of a file needs to know about the files around it. */
interface Around {
  readonly skills: readonly string[];
  readonly readmes: readonly string[];
  readonly skillTopics: Map<string, Topic>;
}

/** Passes over a file that links to one that was already read. */
async function readFile(file: SourceFile, folder: Folder, sink: Sink & Around): Promise<void> {
  const { root } = sink.walked;
  const source = nameOf(sink, file);
  const read = await readInside(root, file.absolute, { source, maxBytes: MAX_TEXT_BYTES });
  if (!read.ok) {
    sink.refused.push(read.refusal);
    return;
  }
  if (folder.seen.has(read.real)) return;
  folder.seen.add(read.real);
  sink.sources.push(source);
  const topics: Topic[] = [];
  const exported = readExported(read.text);
  if (exported) {
    folder.description ||= exported.description;
    topics.push(...exported.topics);
  } else if (file.kind === "agents") {
    const followed = await followReferences({ ...read, source }, root, folder.seen);
    sink.refused.push(...followed.refused);
    const agents = readAgents(followed.text, folderOf(file.path));
    folder.description ||= agents.description;
    topics.push(...agents.topics);
  } else topics.push(readTopic(file, read.text, sink));
  if (topics.every((topic) => topic.rules.length === 0)) {
    sink.refused.push({ source, line: 0, reason: "has no text to import" });
  }
  folder.topics.push(...topics.map((topic) => ({ ...topic, source })));
}

function readTopic({ kind, path }: SourceFile, text: string, sink: Sink & Around): Topic {
  const { skills, readmes, skillTopics } = sink;
  if (kind === "cursor") return readRule(text, path, "globs");
  if (kind === "copilot") return readRule(text, path, "applyTo");
  if (kind === "skill") {
    const topic = readSkill(text, path);
    skillTopics.set(folderOf(path), topic);
    return topic;
  }
  const skill = skillTopics.get(nearestAbove(path, skills));
  if (skill !== undefined) return readSkillReference(text, path, skill);
  return readGuide(text, path, nearestAbove(path, readmes));
}

function skillFolders(files: readonly SourceFile[]): readonly string[] {
  return files.filter(({ kind }) => kind === "skill").map(({ path }) => folderOf(path));
}

function rank({ kind, path }: SourceFile): number {
  if (kind === "agents") return path.endsWith("AGENTS.md") ? 0 : 1;
  if (kind === "skill") return 2;
  return isReadme(path) ? 3 : 4;
}
