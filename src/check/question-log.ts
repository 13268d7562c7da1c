// The questions and the runs: a file of JSON lines in the data folder, which is only ever appended to, so
// that no process can overwrite what another one has added.
import { mkdir, open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod";
import { defined } from "../domain/defined.ts";
import { KnowledgeError } from "../domain/errors.ts";
import { QUESTION_KINDS, type Question } from "./question.ts";
import { STEPS } from "./run-questions.ts";

const question = z.object({
  id: z.string(),
  question: z.string(),
  kind: z.enum(QUESTION_KINDS),
  documentId: z.string(),
  filename: z.string(),
  phrase: z.string().optional(),
});
const run = z.object({
  at: z.string(),
  score: z.number(),
  /** By question. */
  ranks: z.record(z.string(), z.number()),
  lost: z.record(z.string(), z.enum(STEPS)),
  /** What is not found is no loss from now on. */
  accepted: z.boolean().optional(),
});
const Line = z.union([
  z.object({ add: z.array(question) }),
  z.object({ remove: z.array(z.string()) }),
  z.object({ run }),
]);

type Line = z.input<typeof Line>;

export type Run = Readonly<Omit<z.output<typeof run>, "accepted">>;

export interface QuestionLog {
  readonly questions: Map<string, Question>;
  /** Found in a run since the last one that was accepted. */
  readonly found: Set<string>;
  last?: Run;
  /** The latest, oldest first. */
  scores: readonly Score[];
}

export type Score = Pick<Run, "at" | "score">;

// As many as a small chart shows.
const MAX_SCORES = 60;
// Thousands of runs.
const MAX_BYTES = 64 * 1024 * 1024;

export async function readQuestionLog(path: string): Promise<QuestionLog> {
  const known: QuestionLog = { questions: new Map(), found: new Set(), scores: [] };
  for (const line of (await textOf(path)).split("\n")) replay(known, parse(line));
  return known;
}

function replay(known: QuestionLog, line: z.output<typeof Line> | undefined): void {
  if (line === undefined) return;
  if ("run" in line) {
    if (line.run.accepted) known.found.clear();
    for (const id of Object.keys(line.run.ranks)) known.found.add(id);
    known.last = line.run;
    const { at, score } = line.run;
    known.scores = [...known.scores, { at, score }].slice(-MAX_SCORES);
  } else if ("add" in line) {
    for (const { phrase, ...each } of line.add)
      known.questions.set(each.id, { ...each, ...defined({ phrase }) });
  } else for (const id of line.remove) known.questions.delete(id);
}

export async function append(path: string, line: Line): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, "a", 0o600);
  try {
    // A line break first, too: the last line may be half of one.
    await file.write(`\n${JSON.stringify(line)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function textOf(path: string): Promise<string> {
  try {
    const bytes = await readFile(path);
    if (bytes.length <= MAX_BYTES) return bytes.toString("utf8");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw thrown;
  }
  throw new KnowledgeError("FILE_TOO_LARGE", "The file of questions is too large; remove it.");
}

/** Undefined for half a line, and for one of a later version. */
function parse(line: string): z.output<typeof Line> | undefined {
  if (line === "") return undefined;
  try {
    return Line.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
