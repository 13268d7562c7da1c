// What the pages ask for beside the protocol, as JSON: an address, what may be sent there, and the operation it calls.
import type { ServerResponse } from "node:http";
import * as z from "zod";
import type { Principal } from "../domain/call/principal.ts";
import { defined } from "../domain/defined.ts";
import { KnowledgeError } from "../domain/errors.ts";
import { describeIssues } from "../domain/input-issue.ts";
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
const OLD_DAYS = 365;
const MAX_STALE = 5;
const NOTHING = z.object({});
const id = z.string().min(1).max(200);
const PIN = z.object({
  question: z.string().trim().min(1).max(1_000),
  documentId: id,
  phrase: z.string().max(4_000).optional(),
});
const CHOICE = z.strictObject({ program: z.string().min(1).max(40), model: id });
const QUESTIONS = z.array(z.string().min(1).max(500)).min(1).max(3);
const GLOBS = z.array(z.string().min(1).max(500)).max(50).optional();
const SOURCE = z.strictObject({
  address: z.string().trim().min(1).max(2_048),
  everySeconds: z.int().min(60).max(31_536_000).optional(),
  scope: id.optional(),
  include: GLOBS,
});

const POSTS = new Map(
  Object.entries<Answer>({
    // Files with rules, dropped on the scopes page: previewed first, written when the person confirms.
    "/api/scopes/import": answer(RULE_DROP, (drop, { operations }) =>
      (drop.write ? operations.importDrop : operations.previewDrop)(drop as RuleDrop),
    ),
    // What the page then sends instead of its own token.
    "/api/view-as": answer(
      z.object({ name: z.string() }),
      async ({ name }, { operations, principal, view }) => ({
        token: await operations.viewAs(name, () => view(principal, name)),
      }),
    ),
    "/api/check/pin": answer(PIN, ({ phrase, ...pin }, { operations }) =>
      operations.pinCheck({ ...pin, ...defined({ phrase }) }),
    ),
    "/api/check/make": answer(NOTHING, async (_, { operations }) => ({
      made: await operations.makeChecks(MADE),
    })),
    "/api/check/remove": answer(z.object({ id }), async ({ id: checkId }, { operations }) => ({
      removed: await operations.removeChecks([checkId]),
    })),
    "/api/check/run": answer(
      z.object({ accept: z.boolean().default(false) }),
      ({ accept }, { operations, signal }) =>
        operations.runChecks({ accept, signal, onProgress: () => {} }),
    ),
    "/api/samples/remove": answer(NOTHING, (_, { operations }) => operations.removeSamples()),
    // The language model on this machine, as the settings page looks for it, tries it and chooses it.
    "/api/model/find": answer(NOTHING, async (_, { operations, signal }) => ({
      found: await operations.findModels(signal),
    })),
    "/api/model/try": answer(
      z.strictObject({ choice: CHOICE, questions: QUESTIONS }),
      async ({ choice, questions }, { operations, signal }) => ({
        tried: await operations.tryModel(choice, questions, signal),
      }),
    ),
    "/api/model/choose": answer(
      z.strictObject({ choice: CHOICE.optional() }),
      async ({ choice }, { operations }) => {
        await operations.chooseModel(choice);
        return operations.model();
      },
    ),
    "/api/sources/add": answer(SOURCE, async ({ address, ...settings }, { operations }) => {
      const added = await operations.addSource({ address, settings: defined(settings) });
      return operations.syncSource({ id: added.id });
    }),
    "/api/sources/sync": answer(z.strictObject({ id }), (sync, { operations }) =>
      operations.syncSource(sync),
    ),
    "/api/sources/pause": answer(
      z.strictObject({ id, isPaused: z.boolean() }),
      (change, { operations }) => operations.pauseSource(change),
    ),
    "/api/sources/remove": answer(
      z.strictObject({ id, documents: z.boolean() }),
      async (source, { operations }) => ({ removed: await operations.removeSource(source) }),
    ),
    "/api/sources/failures": answer(z.strictObject({ id }), async (source, { operations }) => ({
      failures: await operations.sourceFailures(source.id),
    })),
    "/api/documents/move": answer(
      z.strictObject({ documentId: id, scope: id }),
      ({ documentId, scope }, { operations }) => operations.move(documentId, scope),
    ),
  }),
);

const GETS = new Map(
  Object.entries<Answer>({
    "/api/access": (_, { operations }) => operations.access(),
    "/api/check": (_, { operations }) => operations.checks(),
    "/api/samples": (_, { operations }) => operations.samples(),
    "/api/model": (_, { operations }) => operations.model(),
    "/api/stale": async (_, { operations }) => ({
      documents: await operations.staleDocuments({ olderThanDays: OLD_DAYS, limit: MAX_STALE }),
    }),
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
