// Requests and responses as operations of the model.
import type { Answer, Documents, Request, Settled } from "./calls.ts";
import type { Timed } from "./linearise.ts";
import type { Reply } from "./members.ts";
import { ABSENT, type DocumentOp } from "./models.ts";

export interface Asked {
  readonly member: string;
  readonly request: Request;
  /** The document's name or the rule's keyword, if there is one. */
  readonly key: string;
  /** What a put or put-rule wants to write. */
  readonly value: string;
  readonly from: number;
  readonly to: number;
  readonly reply: Reply;
  /** The task, once it was acknowledged. */
  readonly task: string | undefined;
}

interface Ended extends Pick<Settled, "tasks"> {
  readonly at: number;
}

type Event = Timed<DocumentOp>;

export function documentEvents(asked: readonly Asked[], ended: Ended): readonly Event[] {
  const events = asked.flatMap((each) => toEvents(each, ended));
  const changes = events.filter(({ op }) => op.kind !== "read" && op.kind !== "list");
  // A search during a replacement may see neither version.
  const isTouched = ({ from, to, key }: Asked) =>
    changes.some(
      ({ op, ...change }) =>
        change.from <= to &&
        change.to >= from &&
        (op.kind === "clear" || ("key" in op && op.key === key)),
    );
  const misses = asked.filter((each) => isMiss(each) && !isTouched(each));
  return [
    ...events,
    ...misses.map(
      ({ key, from, to }): Event => ({ op: { kind: "read", key, value: ABSENT }, from, to }),
    ),
  ];
}

function toEvents(each: Asked, ended: Ended): readonly Event[] {
  const { from, request, key } = each;
  const at = (op: DocumentOp): Event => ({ op, from, to: each.to });
  // It may take effect until all tasks are done.
  const maybe = (op: DocumentOp): Event => ({ op, from, to: ended.at, maybe: true });
  const answer = each.reply.kind === "answer" ? each.reply.answer : undefined;
  switch (request.kind) {
    case "put":
      return toPut(each, answer, ended);
    case "remove":
      if (answer === undefined) return [maybe({ kind: "remove", key })];
      if (answer["absent"] === true) return [at({ kind: "read", key, value: ABSENT })];
      return answer["removed"] === true ? [at({ kind: "remove", key })] : [];
    case "clear":
      return [
        answer ? at({ kind: "clear", count: Number(answer["count"]) }) : maybe({ kind: "clear" }),
      ];
    case "read":
      return answer ? [at({ kind: "read", key, value: String(answer["found"] ?? ABSENT) })] : [];
    case "list":
      return answer
        ? [at({ kind: "list", values: toValues(answer["documents"] as Documents) })]
        : [];
    case "search":
      return seenBy(answer).map((seen) => at({ kind: "read", ...seen }));
    default:
      return [];
  }
}

function toPut(
  { key, value, from, to, task }: Asked,
  answer: Answer | undefined,
  ended: Ended,
): readonly Event[] {
  const isPresent = answer?.["present"] === true;
  const op: DocumentOp = { kind: isPresent ? "present" : "put", key, value };
  if (answer?.["status"] === "completed") return [{ op, from, to }];
  const status = task === undefined ? undefined : ended.tasks.get(task);
  if (status === "cancelled") return [];
  // Its process died, and another finished the task.
  if (status === "completed") return [{ op: { kind: "put", key, value }, from, to: ended.at }];
  return [{ op, from, to: ended.at, maybe: true }];
}

export function toValues(documents: Documents): Record<string, string> {
  return Object.fromEntries(documents);
}

/** The documents that a search's passages come from. */
function seenBy(answer: Answer | undefined): { readonly key: string; readonly value: string }[] {
  const texts = (answer?.["texts"] ?? []) as readonly string[];
  const seen = texts.map((text) => /(\S+) in version (\S+)/.exec(text)?.slice(1) ?? []);
  const pairs = new Map(
    seen.map(([key = "?", value = "?"]) => [`${key} ${value}`, { key, value }]),
  );
  return [...pairs.values()];
}

function isMiss({ request, reply, key }: Asked): boolean {
  if (request.kind !== "search" || reply.kind !== "answer") return false;
  return !seenBy(reply.answer).some((seen) => seen.key === key);
}

/** Rules are read from memory; `staleMs` is how late a server may learn of another's change. */
export function ruleEvents(
  asked: readonly Asked[],
  settledAt: number,
  staleMs: number,
): readonly Event[] {
  return asked.flatMap((each): Event[] => {
    const { request, key, value, from, to, reply } = each;
    const isDone = reply.kind === "answer";
    const timed = isDone ? { from, to } : { from, to: settledAt, maybe: true };
    if (request.kind === "put-rule") return [{ op: { kind: "put", key, value }, ...timed }];
    if (request.kind === "remove-rule") {
      const isMissing = reply.kind === "failed" && reply.code === "entry_not_found";
      if (isMissing) return [{ op: { kind: "read", key, value: ABSENT }, from, to }];
      return [{ op: { kind: "remove", key }, ...timed }];
    }
    if (request.kind !== "read-rule" || !isDone) return [];
    const found = String(reply.answer["content"] ?? ABSENT);
    const earliest = Math.max(from - staleMs, ownWriteBefore(asked, each));
    return [{ op: { kind: "read", key, value: found }, from: Math.min(from, earliest), to }];
  });
}

/** A server sees its own changes at once. */
function ownWriteBefore(asked: readonly Asked[], { member, key, from }: Asked): number {
  const own = asked.filter(
    (each) =>
      each.member === member &&
      each.key === key &&
      each.to <= from &&
      each.reply.kind === "answer" &&
      (each.request.kind === "put-rule" || each.request.kind === "remove-rule"),
  );
  return Math.max(Number.NEGATIVE_INFINITY, ...own.map(({ to }) => to));
}
