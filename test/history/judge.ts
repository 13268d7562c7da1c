// Whether a history can be explained by a knowledge base that works sequentially and loses nothing.
import { linearise, type Timed } from "./linearise.ts";
import type { Answer } from "./member.ts";
import { type DocumentOp, documentModel, type Values } from "./models.ts";
import { type Asked, documentEvents, type Names, ruleEvents, toValues } from "./record.ts";
import type { Stretch } from "./session.ts";

export interface Known {
  readonly documents: Values;
  readonly rules: Values;
}

export interface Judged {
  readonly violations: readonly string[];
  readonly undecided: number;
  /** What the next history begins with. */
  readonly after: Known;
}

interface JudgeOptions {
  readonly before: Known;
  readonly names: Names;
  readonly staleMs: number;
}

export function judgeStretch(stretch: Stretch, { before, names, staleMs }: JudgeOptions): Judged {
  const { asked, settled, settledAt } = stretch;
  const tasks = new Map(settled["tasks"] as [string, string][]);
  const after = {
    documents: toValues(settled["documents"], names),
    rules: Object.fromEntries(settled["rules"] as [string, string][]),
  };
  const last = (values: Values): Timed<DocumentOp> => ({
    op: { kind: "list", values },
    from: settledAt,
    to: settledAt,
  });
  const documents = documentEvents(asked, { at: settledAt, tasks }, names);
  const rules = ruleEvents(asked, settledAt, staleMs);
  const verdicts = [
    linearise([...documents, last(after.documents)], before.documents, documentModel),
    linearise([...rules, last(after.rules)], before.rules, documentModel),
  ];
  return {
    after,
    undecided: verdicts.filter(({ kind }) => kind === "undecided").length,
    violations: [
      ...verdicts.flatMap((verdict) =>
        verdict.kind === "violation" ? [`no order explains ${describe(verdict.stuckAt)}`] : [],
      ),
      ...lostTasks(asked, tasks),
      ...brokenFiles(settled),
      ...fallingVersions(asked),
    ],
  };
}

function describe({ op, from, to }: Timed<DocumentOp>): string {
  return `${JSON.stringify(op)} between ${from.toFixed(1)} and ${to.toFixed(1)} ms`;
}

/** Every acknowledged task has ended, and failed only if that was reported or its processes were killed. */
function lostTasks(asked: readonly Asked[], tasks: ReadonlyMap<string, string>): readonly string[] {
  return asked.flatMap(({ task, key, reply }) => {
    if (task === undefined) return [];
    const status = tasks.get(task);
    if (status === "completed") return [];
    if (reply.kind === "answer" && reply.answer["status"] === status)
      return [`${key}: failed with ${reply.answer["failure"]}`];
    return [`the acknowledged task of ${key} is ${status ?? "lost"}`];
  });
}

function brokenFiles(settled: Answer): readonly string[] {
  return (settled["broken"] as readonly string[]).map((name) => `${name} has lost its original`);
}

/** Each process sees the rules' version grow. */
function fallingVersions(asked: readonly Asked[]): readonly string[] {
  const reads = asked
    .filter(({ request, reply }) => request.kind === "read-rule" && reply.kind === "answer")
    .map(({ member, from, to, reply }) => ({
      member,
      from,
      to,
      version: reply.kind === "answer" ? Number(reply.answer["version"]) : 0,
    }));
  const falls = reads.filter((read) =>
    reads.some(
      (other) =>
        other.member === read.member && other.to < read.from && other.version > read.version,
    ),
  );
  return falls.map(({ member, version }) => `${member} saw the rules' version fall to ${version}`);
}
