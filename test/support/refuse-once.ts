// Makes SQLite refuse every call on a file once, as it does while another process recovers the log after a crash.
import { basename } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";

/** SQLITE_BUSY_RECOVERY */
const RECOVERING = 261;

const counts = { refused: 0 };
const owners = new WeakMap<StatementSync, DatabaseSync>();
const tried = new Map<string, number>();

/** Throws at the first of two calls with the same text. Inside a transaction nothing is refused: its lock is held. */
function refuse(connection: DatabaseSync, filename: string, call: string): void {
  if (connection.isTransaction || basename(connection.location() ?? "") !== filename) return;
  const turn = tried.get(call) ?? 0;
  tried.set(call, turn + 1);
  if (turn % 2 === 1) return;
  counts.refused += 1;
  throw Object.assign(new Error("database is locked"), { errcode: RECOVERING });
}

/** For the rest of this process. Returns how many calls were refused so far. */
export function refuseOnce(filename: string): () => number {
  const { exec, prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function refusedExec(sql) {
    refuse(this, filename, sql);
    return exec.call(this, sql);
  };
  DatabaseSync.prototype.prepare = function refusedPrepare(sql) {
    refuse(this, filename, `prepare ${sql}`);
    const statement = prepare.call(this, sql);
    owners.set(statement, this);
    return statement;
  };
  refuseStatements(filename);
  return () => counts.refused;
}

function refuseStatements(filename: string): void {
  const probe = new DatabaseSync(":memory:");
  const methods = Object.getPrototypeOf(probe.prepare("SELECT 1")) as Record<string, unknown>;
  probe.close();
  for (const name of ["get", "all", "run", "iterate"]) {
    const original = methods[name] as (...args: unknown[]) => unknown;
    methods[name] = function refusedCall(this: StatementSync, ...args: unknown[]) {
      const owner = owners.get(this);
      if (owner) refuse(owner, filename, `${name} ${this.sourceSQL}`);
      return original.apply(this, args);
    };
  }
}
