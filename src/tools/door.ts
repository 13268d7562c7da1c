// The one door for changes. Rights are compared here and nowhere else; every change leaves a line in the audit
// log before it is made and one after it.
import { randomUUID } from "node:crypto";
import type { Act, ActEffect, ActEnd, Perform } from "../domain/call/act.ts";
import { accessDenied, type Principal, type Right, SERVER } from "../domain/call/principal.ts";
import { KnowledgeError, toKnowledgeError } from "../domain/errors.ts";
import type { Audit, AuditEntry } from "../observe/audit.ts";
import type { Log } from "../observe/log.ts";
import type { Effect } from "./tool.ts";

export interface DoorOptions {
  readonly audit: Audit;
  /** When a line cannot be written: `refuse` the change, or `degrade` the health and make it. */
  readonly onAuditFailure: "refuse" | "degrade";
  readonly log: Log;
}

export interface Door {
  /** Why the caller may not; undefined when they may. */
  refusal(who: Principal, right: Right): KnowledgeError | undefined;
  readonly perform: Perform;
  /** False while every change would be refused: background work waits. */
  isOpen(): Promise<boolean>;
  /** What is wrong with the audit log, for health reports; tries whether it still is. */
  auditIssue(): Promise<string | undefined>;
  /** Lines that could not be written since the start. */
  lostLines(): number;
}

export const RIGHT_NEEDED: Readonly<Record<Effect | ActEffect, Right>> = {
  read: "read",
  open: "read",
  write: "write",
  destroy: "admin",
  export: "admin",
};

type Line = Omit<AuditEntry, "outcome" | "error">;

export function openDoor({ audit, onAuditFailure, log }: DoorOptions): Door {
  const state = { isFailing: false, lost: 0 };
  const refuses = onAuditFailure === "refuse";

  const refusal = (who: Principal, right: Right) =>
    who.rights.has(right) ? undefined : accessDenied();

  /** True when the line is on disk. */
  const append = async (entry: AuditEntry): Promise<boolean> => {
    try {
      await audit.append(entry);
      if (state.isFailing) log.warn("audit.resumed", { lost: state.lost });
      state.isFailing = false;
      return true;
    } catch (error) {
      fail(error, entry);
      return false;
    }
  };

  const fail = (error: unknown, entry?: AuditEntry) => {
    const isProbe = entry === undefined || entry.outcome === "resumed";
    if (!isProbe) state.lost += 1;
    // Background work looks every second: it reports the first failure, changes report each.
    if (!isProbe || !state.isFailing) {
      const changes = refuses ? "refused" : "made";
      const code = (error as NodeJS.ErrnoException).code ?? "incomplete";
      log.error("audit.failed", { did: entry?.did, outcome: entry?.outcome, changes, code });
    }
    state.isFailing = true;
  };

  const end = async (line: Line, { to, error }: ActEnd): Promise<void> => {
    const whole = { ...line, to: { ...line.to, ...to } };
    const entry: AuditEntry =
      error === undefined ? { ...whole, outcome: "done" } : { ...whole, outcome: "failed", error };
    log.info("audit.write", { ...entry });
    // The change is made or not, whatever becomes of this line: the caller hears what is true.
    await append(entry);
  };

  const perform: Perform = async (act, work, endOf = () => ({})) => {
    const line = toLine(act);
    const denied = refusal(act.who, RIGHT_NEEDED[act.effect]);
    if (denied) {
      log.info("audit.write", { ...line, outcome: "refused" });
      await append({ ...line, outcome: "refused" });
      throw denied;
    }
    if (!(await append({ ...line, outcome: "started" })) && refuses) throw auditUnavailable();
    try {
      const result = await work();
      await end(line, endOf(result));
      return result;
    } catch (thrown) {
      await end(line, { error: toKnowledgeError(thrown).code.toLowerCase() });
      throw thrown;
    }
  };

  /** A look at the file; after a failure a line, because a full disk is seen by writing alone. */
  const probe = async (): Promise<void> => {
    if (state.isFailing) await append({ ...toLine(RESUMED), outcome: "resumed" });
    else await audit.check().catch(fail);
  };

  return {
    refusal,
    perform,
    async isOpen() {
      if (!refuses) return true;
      await probe();
      return !state.isFailing;
    },
    async auditIssue() {
      await probe();
      if (!state.isFailing) return undefined;
      return refuses ? REFUSING : DEGRADED;
    },
    lostLines: () => state.lost,
  };
}

const RESUMED: Act = { who: SERVER, did: "audit", effect: "write", to: {} };

function toLine({ who, did, to }: Act): Line {
  return { id: randomUUID(), who: who.name, did, to };
}

const REFUSING =
  "The audit log cannot be written, so changes are refused; check --audit-file and its disk";
const DEGRADED =
  "The audit log cannot be written, so changes leave no line; check --audit-file and its disk";

function auditUnavailable(): KnowledgeError {
  const message =
    "The audit log cannot be written, so nothing was changed. Ask the server's administrator to check the audit file and its disk, then try again.";
  return new KnowledgeError("AUDIT_UNAVAILABLE", message);
}
