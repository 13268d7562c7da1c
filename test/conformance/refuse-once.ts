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

export interface Refusing {
  /** How many calls were refused so far. */
  count(): number;
  /** Other test files share this process. */
  stop(): void;
}

export function refuseOnce(filename: string): Refusing {
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
  const stopStatements = refuseStatements(filename);
  return {
    count: () => counts.refused,
    stop() {
      Object.assign(DatabaseSync.prototype, { exec, prepare });
      stopStatements();
    },
  };
}

function refuseStatements(filename: string): () => void {
  const probe = new DatabaseSync(":memory:");
  const methods = Object.getPrototypeOf(probe.prepare("SELECT 1")) as Record<string, unknown>;
  probe.close();
  const originals = Object.fromEntries(
    ["get", "all", "run", "iterate"].map((name) => [name, methods[name]]),
  );
  for (const [name, method] of Object.entries(originals)) {
    const original = method as (...args: unknown[]) => unknown;
    methods[name] = function refusedCall(this: StatementSync, ...args: unknown[]) {
      const owner = owners.get(this);
      if (owner) refuse(owner, filename, `${name} ${this.sourceSQL}`);
      return original.apply(this, args);
    };
  }
  return () => void Object.assign(methods, originals);
}
