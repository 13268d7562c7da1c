// Whether a history can be explained by a knowledge base that works sequentially and loses nothing.
import type { Settled } from "./calls.ts";
import { linearise, type Timed } from "./linearise.ts";
import { type DocumentOp, documentModel, type Values } from "./models.ts";
import { type Asked, documentEvents, ruleEvents, toValues } from "./record.ts";
import type { Stretch } from "./session.ts";

export interface Known {
  readonly documents: Values;
  readonly rules: Values;
}

export interface Judged {
  readonly violations: readonly string[];
  readonly undecided: number;
  /** The initial state of the next history. */
  readonly after: Known;
}

interface JudgeOptions {
  readonly before: Known;
  readonly staleMs: number;
}

export function judgeStretch(stretch: Stretch, { before, staleMs }: JudgeOptions): Judged {
  const { asked, settled, settledAt } = stretch;
  const { tasks, rules: rulesAfter } = settled;
  const after = { documents: toValues(settled.documents), rules: rulesAfter };
  const last = (values: Values): Timed<DocumentOp> => ({
    op: { kind: "list", values },
    from: settledAt,
    to: settledAt,
  });
  const documents = documentEvents(asked, { at: settledAt, tasks });
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
      ...rulesGoingBack(asked),
    ],
  };
}

function describe({ op, from, to }: Timed<DocumentOp>): string {
  return `${JSON.stringify(op)} between ${from.toFixed(1)} and ${to.toFixed(1)} ms`;
}

/** Every acknowledged task has ended, and failed only if that was reported or its processes were killed. */
function lostTasks(asked: readonly Asked[], tasks: ReadonlyMap<string, string>): readonly string[] {
  return asked.flatMap(({ task, key, reply, from }) => {
    if (task === undefined) return [];
    const status = tasks.get(task);
    if (status === "completed") return [];
    if (status === "cancelled" && asked.some((each) => cancels(each, from))) return [];
    if (reply.kind === "answer" && reply.answer["status"] === status)
      return [`${key}: failed with ${reply.answer["failure"]}`];
    return [`the acknowledged task of ${key} is ${status ?? "lost"}`];
  });
}

/** A clear also cancels open adds. */
function cancels({ request, to }: Asked, from: number): boolean {
  return request.kind === "clear" && to >= from;
}

function brokenFiles({ broken }: Settled): readonly string[] {
  return broken.map((name) => `${name} has lost its original`);
}

/** No server reads an older version of a rule after a newer one. */
function rulesGoingBack(asked: readonly Asked[]): readonly string[] {
  const puts = asked.filter(({ request }) => request.kind === "put-rule");
  const reads = asked.flatMap(({ member, key, from, to, request, reply }) => {
    if (request.kind !== "read-rule" || reply.kind !== "answer") return [];
    const put = puts.find(({ value }) => value === reply.answer["content"]);
    return put === undefined ? [] : [{ member, key, from, to, put }];
  });
  const isBack = (read: (typeof reads)[number]) =>
    reads.some(
      ({ member, key, to, put }) =>
        member === read.member && key === read.key && to < read.from && read.put.to < put.from,
    );
  return reads
    .filter(isBack)
    .map(({ member, key, put }) => `${member} saw ${key} go back to ${put.value}`);
}
