// Rights are compared here and nowhere else; every change leaves a line in the audit log before it is made and one
// after it.
import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import type {
  AuditEvent,
  AuditOutcome,
  ChangeEffect,
  Perform,
  Target,
} from "../domain/call/audit-event.ts";
import { holdsEverywhere } from "../domain/call/grants.ts";
import { isJsonObject } from "../domain/call/json-object.ts";
import {
  accessDenied,
  accessTooNarrow,
  notOffered,
  type Principal,
  type Right,
  SERVER,
} from "../domain/call/principal.ts";
import { defined } from "../domain/defined.ts";
import { KnowledgeError, toKnowledgeError } from "../domain/errors.ts";
import { type Message, toMessage } from "../domain/phrases/messages.ts";
import type { Audit, AuditEntry } from "../observe/audit.ts";
import type { Log } from "../observe/log.ts";
import type { Effect, ToolOutput } from "./tool.ts";

export interface AccessControlOptions {
  readonly audit: Audit;
  /** When a line cannot be written: `refuse` the change, or `degrade` the health and make it. */
  readonly onAuditFailure: "refuse" | "degrade";
  readonly log: Log;
}

export interface AccessControl {
  /** Why the caller is refused; undefined if it is allowed. */
  refusal(who: Principal, right: Right): KnowledgeError | undefined;
  /** The same for what concerns every scope. */
  wideRefusal(who: Principal, right: Right): KnowledgeError | undefined;
  readonly perform: Perform;
  /** False while every change would be refused: background work waits. */
  allowsChanges(): Promise<boolean>;
  /** The problem with the audit log, for health reports; checks whether it persists. */
  auditIssue(): Promise<Message | undefined>;
  /** Lines that could not be written since the start. */
  lostLines(): number;
}

export const RIGHT_NEEDED: Readonly<Record<Effect | ChangeEffect, Right>> = {
  read: "read",
  open: "read",
  write: "write",
  destroy: "admin",
  export: "admin",
  govern: "admin",
};

type Line = Omit<AuditEntry, "outcome" | "error">;

/** The log of changes, and whether it can be written. */
interface AuditState extends AccessControlOptions {
  isFailing: boolean;
  lost: number;
}

export function openAccessControl(options: AccessControlOptions): AccessControl {
  const state: AuditState = { ...options, isFailing: false, lost: 0 };
  const refuses = options.onAuditFailure === "refuse";
  return {
    refusal,
    wideRefusal,
    perform: openPerform(state),
    async allowsChanges() {
      if (!refuses) return true;
      await probe(state);
      return !state.isFailing;
    },
    async auditIssue() {
      await probe(state);
      if (!state.isFailing) return undefined;
      return toMessage(refuses ? "auditRefuses" : "auditDegraded");
    },
    lostLines: () => state.lost,
  };
}

function refusal(who: Principal, right: Right): KnowledgeError | undefined {
  return who.rights.has(right) ? undefined : accessDenied(right);
}

function wideRefusal(who: Principal, right: Right): KnowledgeError | undefined {
  return refusal(who, right) ?? (holdsEverywhere(who, right) ? undefined : accessTooNarrow(right));
}

function refusalOf(event: AuditEvent): KnowledgeError | undefined {
  const { actor, effect, needs, isWide = false, isOffered = true } = event;
  const check = isWide ? wideRefusal : refusal;
  const denied = check(actor, RIGHT_NEEDED[effect]) ?? (needs && check(actor, needs));
  return denied ?? (isOffered ? undefined : notOffered());
}

function openPerform(state: AuditState): Perform {
  const { log, onAuditFailure } = state;
  return async (event, work, endOf) => {
    const line = toLine(event);
    const denied = refusalOf(event);
    if (denied) {
      log.info("audit.write", { ...line, outcome: "refused" });
      await append(state, { ...line, outcome: "refused" });
      throw denied;
    }
    const isNoted = await append(state, { ...line, outcome: "started" });
    if (!isNoted && onAuditFailure === "refuse") throw auditUnavailable();
    try {
      const result = await work();
      await end(state, line, endOf?.(result) ?? {});
      return result;
    } catch (thrown) {
      await end(state, line, { error: toKnowledgeError(thrown).code.toLowerCase() });
      throw thrown;
    }
  };
}

async function end(state: AuditState, line: Line, { target, error }: AuditOutcome): Promise<void> {
  const whole = { ...line, to: { ...line.to, ...target } };
  const entry: AuditEntry =
    error === undefined ? { ...whole, outcome: "done" } : { ...whole, outcome: "failed", error };
  state.log.info("audit.write", { ...entry });
  // The change is made or not, whether or not this line is written; the caller gets the true result.
  await append(state, entry);
}

/** True when the line is on disk. */
async function append(state: AuditState, entry: AuditEntry): Promise<boolean> {
  try {
    await state.audit.append(entry);
    if (state.isFailing) state.log.warn("audit.resumed", { lost: state.lost });
    state.isFailing = false;
    return true;
  } catch (error) {
    fail(state, error, entry);
    return false;
  }
}

function fail(state: AuditState, error: unknown, entry?: AuditEntry): void {
  const isProbe = entry === undefined || entry.outcome === "resumed";
  if (!isProbe) state.lost += 1;
  // Background work checks every second and reports only the first failure; changes report each.
  if (!isProbe || !state.isFailing) {
    const changes = state.onAuditFailure === "refuse" ? "refused" : "made";
    const code = (error as NodeJS.ErrnoException).code ?? "incomplete";
    state.log.error("audit.failed", { did: entry?.did, outcome: entry?.outcome, changes, code });
  }
  state.isFailing = true;
}

/** Checks the file; after a failure it writes a line, because only writing shows a full disk. */
async function probe(state: AuditState): Promise<void> {
  if (state.isFailing) await append(state, { ...toLine(RESUMED), outcome: "resumed" });
  else await state.audit.check().catch((error: unknown) => fail(state, error));
}

const RESUMED: AuditEvent = { actor: SERVER, action: "audit", effect: "write", target: {} };

function toLine({ actor, action, target, trace }: AuditEvent): Line {
  return { id: randomUUID(), who: actor.name, did: action, ...defined({ trace }), to: target };
}

function auditUnavailable(): KnowledgeError {
  const message =
    "The audit log cannot be written, so nothing was changed. Ask the server's administrator to check the audit file and its disk, then try again.";
  return new KnowledgeError("AUDIT_UNAVAILABLE", message);
}

// The target of a change, for its audit line: names and ids from the request and the result.
const NAMES = [
  "document_id",
  "task_id",
  "source_id",
  "action",
  "scope",
  "scope_id",
  "category",
  "keyword",
  "parent",
  "tier",
];

export function fileTarget(path: string): Target {
  return { file: basename(path) };
}

export function targetOf(args: unknown): Target {
  if (!isJsonObject(args)) return {};
  const { file_path: path, filename = path, url, address } = args;
  // Only the host of a web address: the rest may be a secret.
  const host = typeof url === "string" ? URL.parse(url)?.host : undefined;
  const file = typeof filename === "string" ? fileTarget(filename) : {};
  const source = typeof address === "string" ? sourceName(address) : undefined;
  return { ...file, ...defined({ host, source }), ...namesIn(args) };
}

/** A host, or the last part of a path. */
export function sourceName(address: string): string {
  return URL.parse(address)?.host || basename(address);
}

/** A tool returns its failures instead of throwing them. */
export function endOf({ payload, isError }: ToolOutput): AuditOutcome {
  const returned = isJsonObject(payload) ? payload : {};
  const { error } = returned;
  return {
    target: namesIn(returned),
    ...(isError ? { error: typeof error === "string" ? error : "failed" } : {}),
  };
}

function namesIn(record: Readonly<Record<string, unknown>>): Target {
  const found = NAMES.map((name) => [name, record[name]] as const);
  return Object.fromEntries(
    found.filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}
