// What the pages ask for beside the protocol, as JSON: an address, what may be sent there, and the operation it calls.
import type { ServerResponse } from "node:http";
import * as z from "zod";
import type { Principal } from "../domain/call/principal.ts";
import { defined } from "../domain/defined.ts";
import { KnowledgeError } from "../domain/errors.ts";
import { describeIssues } from "../domain/input-issue.ts";
import { SOURCE_KINDS } from "../domain/source.ts";
import type { Operations } from "../tools/operations.ts";
import { RULE_DROP, type RuleDrop } from "../tools/scopes/contract.ts";

interface Caller {
  readonly operations: Operations;
  readonly principal: Principal;
  readonly view: (viewer: Principal, name: string) => string | undefined;
  /** Aborted when the page is left. */
  readonly signal: AbortSignal;
}

type Answer = (value: unknown, caller: Caller) => Promise<object>;

function answer<Call extends z.ZodType>(
  schema: Call,
  run: (call: z.output<Call>, caller: Caller) => Promise<object>,
): Answer {
  return (value, caller) => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return run(parsed.data, caller);
    throw new KnowledgeError("INVALID_PARAMETER", describeIssues(parsed.error.issues));
  };
}

const MADE = 200;
const PIN = z.object({
  question: z.string().trim().min(1).max(1_000),
  documentId: z.string().min(1).max(200),
  phrase: z.string().max(4_000).optional(),
});
const CHECK_CALL = z.union([
  z.object({ pin: PIN }),
  z.object({ make: z.literal(true) }),
  z.object({ remove: z.array(z.string().max(64)).max(2_000) }),
  z.object({ run: z.literal(true), accept: z.boolean().default(false) }),
]);

async function runCheckCall(call: z.output<typeof CHECK_CALL>, { operations, signal }: Caller) {
  if ("pin" in call) {
    const { phrase, ...pin } = call.pin;
    return operations.pinCheck({ ...pin, ...defined({ phrase }) });
  }
  if ("make" in call) return { made: await operations.makeChecks(MADE) };
  if ("remove" in call) return { removed: await operations.removeChecks(call.remove) };
  return operations.runChecks({ accept: call.accept, signal, onProgress: () => {} });
}

const CHOICE = z.strictObject({
  program: z.string().min(1).max(40),
  model: z.string().min(1).max(200),
});
const QUESTIONS = z.array(z.string().min(1).max(500)).min(1).max(3);
const MODEL_CALL = z.discriminatedUnion("act", [
  z.strictObject({ act: z.literal("find") }),
  z.strictObject({ act: z.literal("try"), choice: CHOICE, questions: QUESTIONS }),
  z.strictObject({ act: z.literal("choose"), choice: CHOICE.optional() }),
]);

/** The language model on this machine, as the settings page looks for it, tries it and chooses it. */
async function runModelCall(call: z.output<typeof MODEL_CALL>, { operations, signal }: Caller) {
  if (call.act === "find") return { found: await operations.findModels(signal) };
  if (call.act === "try")
    return { tried: await operations.tryModel(call.choice, call.questions, signal) };
  await operations.chooseModel(call.choice);
  return operations.model();
}

const id = z.string().min(1).max(200);
const GLOBS = z.array(z.string().min(1).max(500)).max(50).optional();
const SOURCE_CALL = z.discriminatedUnion("act", [
  z.strictObject({
    act: z.literal("add"),
    kind: z.enum(SOURCE_KINDS).optional(),
    address: z.string().trim().min(1).max(2_048),
    everySeconds: z.int().min(60).max(31_536_000).optional(),
    scope: id.optional(),
    include: GLOBS,
    exclude: GLOBS,
  }),
  z.strictObject({ act: z.literal("sync"), id }),
  z.strictObject({ act: z.literal("pause"), id, isPaused: z.boolean() }),
  z.strictObject({ act: z.literal("remove"), id, documents: z.boolean() }),
  z.strictObject({ act: z.literal("failures"), id }),
]);

async function runSourceCall(call: z.output<typeof SOURCE_CALL>, { operations }: Caller) {
  switch (call.act) {
    case "add": {
      const { address, kind, everySeconds, scope, include, exclude } = call;
      const settings = defined({ everySeconds, scope, include, exclude });
      const { id: added } = await operations.addSource({ kind, address, settings });
      return operations.syncSource({ id: added });
    }
    case "sync":
      return operations.syncSource({ id: call.id });
    case "pause":
      return operations.pauseSource({ id: call.id, isPaused: call.isPaused });
    case "remove":
      return { removed: await operations.removeSource({ id: call.id, documents: call.documents }) };
    case "failures":
      return { failures: await operations.sourceFailures(call.id) };
  }
}

const MOVE = z.strictObject({ documentId: id, scope: id });
/** What the page then sends instead of its own token. */
const VIEW_AS = z.object({ name: z.string() });

const POSTS = new Map(
  Object.entries<Answer>({
    // Files with rules, dropped on the scopes page: previewed first, written when the person confirms.
    "/api/scopes/import": answer(RULE_DROP, (drop, { operations }) =>
      (drop.write ? operations.importDrop : operations.previewDrop)(drop as RuleDrop),
    ),
    "/api/view-as": answer(VIEW_AS, async ({ name }, { operations, principal, view }) => ({
      token: await operations.viewAs(name, () => view(principal, name)),
    })),
    "/api/check": answer(CHECK_CALL, runCheckCall),
    "/api/samples/remove": answer(z.object({}), (_, { operations }) => operations.removeSamples()),
    "/api/model": answer(MODEL_CALL, runModelCall),
    "/api/sources": answer(SOURCE_CALL, runSourceCall),
    "/api/documents/move": answer(MOVE, ({ documentId, scope }, { operations }) =>
      operations.move(documentId, scope),
    ),
  }),
);

const GETS = new Map(
  Object.entries<Answer>({
    "/api/access": (_, { operations }) => operations.access(),
    "/api/check": (_, { operations }) => operations.checks(),
    "/api/samples": (_, { operations }) => operations.samples(),
    "/api/model": (_, { operations }) => operations.model(),
    "/api/sources": async (_, { operations }) => ({ sources: await operations.sources() }),
  }),
);

/** Undefined if the pages ask for nothing at this address. */
export function callAt(method: string | undefined, path: string): Answer | undefined {
  if (method === "GET") return GETS.get(path);
  return method === "POST" ? POSTS.get(path) : undefined;
}

export function untilClosed(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  response.once("close", () => closed.abort());
  return closed.signal;
}
