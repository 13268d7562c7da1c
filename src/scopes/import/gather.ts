// Paths → scopes: each file is read by the importer of its kind and put into the nearest folder's scope.
import { KnowledgeError } from "../../domain/errors.ts";
import { type Scope, TIERS, type Tier } from "../../domain/scope.ts";
import { readAgents } from "./formats/agents.ts";
import { readCopilotInstructions } from "./formats/copilot.ts";
import { readCursorRule } from "./formats/cursor.ts";
import { isReadme, readGuide } from "./formats/guide.ts";
import type { Gathered, ImportedScope, Refusal, Topic } from "./formats/rules.ts";
import { readScopeFile } from "./formats/scope-file.ts";
import {
  type FolderRules,
  idOf,
  nearestAbove,
  placeScopes,
  type SourcedTopic,
} from "./formats/scope-tree.ts";
import { readSkill, readSkillReference } from "./formats/skill.ts";
import { followReferences } from "./markdown/references.ts";
import { mergeLayers } from "./merge.ts";
import {
  MOST_SCOPE_FILE_BYTES,
  MOST_TEXT_BYTES,
  readInside,
  type SourceFile,
  type Walked,
  walk,
} from "./walk.ts";

export interface Target {
  /** The scope that the rules go to; without it, the folder's name. */
  readonly scope?: string;
  readonly tier?: Tier;
  readonly parent?: string;
  /** Every bullet an entry of its own. */
  readonly bullets: boolean;
  /** Plain Markdown too, where a folder is a project with AGENTS.md or a repository. */
  readonly guides: boolean;
}

// Whatever Markdown is in these was written for agents.
const AGENT_FOLDER = /(?:^|\/)\.(?:agents|claude|codex|cursor|windsurf)\//;

interface Sink {
  readonly walked: Walked;
  readonly target: Target;
  /** What the path was called on the command line, for messages. */
  readonly label: string;
  readonly refused: Refusal[];
  readonly fatal: Refusal[];
  readonly sources: string[];
}

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
    notes.push(
      "Scope files name their own scopes: --scope, --tier and --parent change nothing in them.",
    );
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
    throw new KnowledgeError("INVALID_PARAMETER", `"${path}" holds no rules that can be imported.`);
  }
  return { scopes, refused, fatal, sources, notes };
}

function nameOf(sink: Sink, file: SourceFile): string {
  return sink.walked.single ? sink.label : `${sink.label}/${file.path}`;
}

async function scopeFiles(sink: Sink): Promise<readonly ImportedScope[]> {
  const found: ImportedScope[] = [];
  for (const file of sink.walked.files.filter(({ kind }) => kind === "scope-file")) {
    const source = nameOf(sink, file);
    const read = await readInside(sink.walked.root, file.absolute, {
      source,
      mostBytes: MOST_SCOPE_FILE_BYTES,
    });
    if (!read.ok) {
      if (sink.walked.single) sink.fatal.push(read.refusal);
      continue;
    }
    const { scopes, refused, fatal } = await readScopeFile(read.text, source);
    // Met on a walk, a file that is something else is nobody's fault.
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
): { readonly files: readonly SourceFile[]; readonly notes: string[] } {
  const files = walked.files.filter(({ kind }) => kind !== "scope-file");
  if (!walked.isProject || target.guides) return { files, notes: [] };
  const skills = skillFolders(files);
  const isRule = ({ kind, path }: SourceFile) =>
    kind !== "guide" || AGENT_FOLDER.test(path) || nearestAbove(path, skills) !== "";
  const left = files.filter((file) => !isRule(file)).length;
  const notes =
    left === 0
      ? []
      : [`${left} Markdown files of the project are left out; --guides takes them too.`];
  return { files: files.filter(isRule), notes };
}

interface Folder {
  description: string;
  readonly topics: SourcedTopic[];
  /** Real paths: a file is taken once, however many names it has here. */
  readonly seen: Set<string>;
}

interface Text {
  readonly text: string;
  readonly real: string;
  readonly source: string;
}

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
    const read = folder && (await readOnce(file, folder, sink));
    if (folder === undefined || read === undefined) continue;
    const topics =
      file.kind === "agents"
        ? await readAgentsFile(file, read, folder, sink)
        : readTopics(file, read.text, around, sink.target);
    if (topics.every((topic) => topic.rules.length === 0)) {
      sink.refused.push({ source: read.source, line: 0, reason: "holds no text to take" });
    }
    folder.topics.push(...topics.map((topic) => ({ ...topic, source: read.source })));
  }
  return [...folders].map(([folder, { description, topics }]) => ({ folder, description, topics }));
}

/** Undefined when it cannot be read, or is a link to what was read here already. */
async function readOnce(file: SourceFile, folder: Folder, sink: Sink): Promise<Text | undefined> {
  const source = nameOf(sink, file);
  const read = await readInside(sink.walked.root, file.absolute, {
    source,
    mostBytes: MOST_TEXT_BYTES,
  });
  if (!read.ok) {
    sink.refused.push(read.refusal);
    return undefined;
  }
  if (folder.seen.has(read.real)) return undefined;
  folder.seen.add(read.real);
  sink.sources.push(source);
  return { text: read.text, real: read.real, source };
}

async function readAgentsFile(
  file: SourceFile,
  read: Text,
  folder: Folder,
  sink: Sink,
): Promise<readonly Topic[]> {
  const followed = await followReferences(read, sink.walked.root, folder.seen);
  sink.refused.push(...followed.refused);
  const agents = readAgents(followed.text, folderOf(file.path), sink.target);
  folder.description ||= agents.description;
  return agents.topics;
}

/** What files have to know of the files around them. */
interface Around {
  readonly skills: readonly string[];
  readonly readmes: readonly string[];
  readonly skillTopics: Map<string, Topic>;
}

function readTopics(
  { kind, path }: SourceFile,
  text: string,
  { skills, readmes, skillTopics }: Around,
  { bullets }: Target,
): readonly Topic[] {
  if (kind === "cursor") return readCursorRule(text, path, { bullets });
  if (kind === "copilot") return readCopilotInstructions(text, path, { bullets });
  if (kind === "skill") {
    const topics = readSkill(text, path, { bullets });
    for (const topic of topics) skillTopics.set(folderOf(path), topic);
    return topics;
  }
  const skill = skillTopics.get(nearestAbove(path, skills));
  if (skill !== undefined) return readSkillReference(text, path, skill);
  return readGuide(text, path, { bullets, guideFolder: nearestAbove(path, readmes) });
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
    // Room below it for the folders that have rules of their own, as far as its parent leaves any.
    tier: tier ?? held?.tier ?? (nested ? tierBelow(known.get(above ?? "")?.tier) : "PROJECT"),
    ...(above === undefined ? {} : { parent: above }),
  } as const;
}

function tierBelow(parent: Tier | undefined): Tier {
  return parent === undefined ? "PRODUCT" : (TIERS[TIERS.indexOf(parent) + 1] ?? "PROJECT");
}

function skillFolders(files: readonly SourceFile[]): readonly string[] {
  return files.filter(({ kind }) => kind === "skill").map(({ path }) => folderOf(path));
}

function rank({ kind, path }: SourceFile): number {
  if (kind === "agents") return path.endsWith("AGENTS.md") ? 0 : 1;
  if (kind === "skill") return 2;
  return isReadme(path) ? 3 : 4;
}

function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}
