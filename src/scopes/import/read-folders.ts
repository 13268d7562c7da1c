// The Markdown files of an import, each read by the importer of its kind, as the topics of the nearest folder with rules.
import type { Tier } from "../../domain/scope.ts";
import { readAgents } from "./formats/agents.ts";
import { readCopilotInstructions } from "./formats/copilot.ts";
import { readCursorRule } from "./formats/cursor.ts";
import { isReadme, readGuide } from "./formats/guide.ts";
import type { Refusal, Topic } from "./formats/rules.ts";
import { type FolderRules, nearestAbove, type SourcedTopic } from "./formats/scope-tree.ts";
import { readSkill, readSkillReference } from "./formats/skill.ts";
import { followReferences } from "./markdown/references.ts";
import { MAX_TEXT_BYTES, readInside, type SourceFile, type Walked } from "./walk.ts";

export interface Target {
  /** The scope that gets the rules; defaults to the folder's name. */
  readonly scope?: string;
  readonly tier?: Tier;
  readonly parent?: string;
  /** Make every bullet an entry. */
  readonly bullets: boolean;
  /** Also import plain Markdown if the folder is a repository or a project with AGENTS.md. */
  readonly guides: boolean;
}

export interface Sink {
  readonly walked: Walked;
  readonly target: Target;
  /** The path as given on the command line, for messages. */
  readonly label: string;
  readonly refused: Refusal[];
  readonly fatal: Refusal[];
  readonly sources: string[];
}

export function nameOf(sink: Sink, file: SourceFile): string {
  return sink.walked.single ? sink.label : `${sink.label}/${file.path}`;
}

interface Folder {
  description: string;
  readonly topics: SourcedTopic[];
  /** Real paths, so that a file with several names is read once. */
  readonly seen: Set<string>;
}

interface Text {
  readonly text: string;
  readonly real: string;
  readonly source: string;
}

export async function readFolders(
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
      sink.refused.push({ source: read.source, line: 0, reason: "has no text to import" });
    }
    folder.topics.push(...topics.map((topic) => ({ ...topic, source: read.source })));
  }
  return [...folders].map(([folder, { description, topics }]) => ({ folder, description, topics }));
}

/** Undefined if the file cannot be read, or links to one that was already read. */
async function readOnce(file: SourceFile, folder: Folder, sink: Sink): Promise<Text | undefined> {
  const source = nameOf(sink, file);
  const read = await readInside(sink.walked.root, file.absolute, {
    source,
    mostBytes: MAX_TEXT_BYTES,
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

/** What the reader of a file needs to know about the files around it. */
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

export function skillFolders(files: readonly SourceFile[]): readonly string[] {
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
