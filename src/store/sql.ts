// Statements that both engines run. Values are bound, never part of the text; what differs between the engines is a
// fragment of the dialect.
import type { Sight } from "../domain/call/sight.ts";

export type Value = string | number | boolean | null | Uint8Array;
export type Operand = Value | Sql | List;

/** A statement or a part of one. */
export class Sql {
  readonly strings: readonly string[];
  readonly operands: readonly Operand[];

  constructor(strings: readonly string[], operands: readonly Operand[]) {
    this.strings = strings;
    this.operands = operands;
  }
}

/** A template with fragments and values in it. */
export function sql(strings: TemplateStringsArray, ...operands: readonly Operand[]): Sql {
  return new Sql(strings, operands);
}

export const NOTHING = sql``;

/** Only for text that the program makes, such as the name of an index. */
export function verbatim(text: string): Sql {
  return new Sql([text], []);
}

export function join(pieces: readonly Sql[]): Sql {
  const strings = pieces.map((_, at) => (at === 0 ? "" : " "));
  return new Sql([...strings, ""], pieces);
}

export type ListType = "text" | "integer" | "bigint";

/** The operator and the list of a condition: `sql\`id ${oneOf("text", ids)}\``. */
export class List {
  readonly type: ListType;
  readonly values: readonly Value[];

  constructor(type: ListType, values: readonly Value[]) {
    this.type = type;
    this.values = values;
  }
}

export function oneOf(type: ListType, values: readonly Value[]): List {
  return new List(type, values);
}

/** For a column with JSON: both engines store it as text. */
export function json(value: unknown): string {
  return JSON.stringify(value);
}

/** Undefined if it cannot be parsed: one unreadable row must not keep the others from being listed. */
export function fromJson(stored: string): unknown {
  try {
    return JSON.parse(stored);
  } catch {
    return undefined;
  }
}

/** What a new row needs of its table: its columns with their types, in PostgreSQL's terms. */
export interface Insertion {
  readonly table: string;
  readonly columns: Readonly<Record<string, ListType | "bytea" | "halfvec">>;
  /** What follows the rows, such as ON CONFLICT; without values. */
  readonly after?: Sql;
}

export interface Connection {
  /** The number of the knowledge base: every key begins with it. */
  readonly kb: number;
  /** What the caller may see of it; everything if absent. */
  readonly sight?: Sight | undefined;
  readonly dialect: Dialect;
  one<Row>(statement: Sql): Promise<Row | undefined>;
  all<Row>(statement: Sql): Promise<readonly Row[]>;
  /** Rows as arrays of their columns, which takes two thirds of the time. */
  cells<Row extends readonly unknown[]>(statement: Sql): Promise<readonly Row[]>;
  /** Returns how many rows changed. */
  run(statement: Sql): Promise<number>;
  /** Runs them in this order; PostgreSQL gets all in one round trip. Returns the rows of each. */
  together(statements: readonly Sql[]): Promise<readonly (readonly unknown[])[]>;
  /** Inserts rows in this order, with one statement on PostgreSQL. Returns how many rows changed. */
  insert(into: Insertion, rows: readonly (readonly Value[])[]): Promise<number>;
}

export interface Engine {
  /** The same for a caller who does not see everything. */
  seenBy(sight: Sight): Engine;
  /** Everything inside sees one state, where the engine has it. */
  read<Result>(work: (db: Connection) => Promise<Result>): Promise<Result>;
  /** One transaction. `work` may run more than once; only one run is committed. */
  write<Result>(work: (db: Connection) => Promise<Result>): Promise<Result>;
}

export interface Dialect {
  /** The place of the nth value in a statement, from 1. */
  placeholder(number: number): string;
  /** The last step of compiling a statement, once for each text. */
  finish?(text: string): string;
  /** The operator and the list, given the list's place. */
  oneOf(type: ListType, place: string): string;
  /** The time as ISO 8601 in UTC. */
  now(): Operand;
  readonly lease: LeaseClock;
  /** At the end of a SELECT: the rows stay as they are until the transaction ends. */
  readonly locked: Sql;
  /** The same, without the rows that another transaction has locked. */
  readonly skipLocked: Sql;
  readonly locks: Locks;
  /** Notes the change of a document. */
  noteChange(kb: number): Sql;
  /** A condition on documents, aliased d. */
  isAtPath(path: string): Sql;
  /** The same: whether a glob matches the path, or the name of a document without one. */
  matchesPaths(globs: readonly string[]): Sql;
  /** Deletes all rows of a knowledge base. */
  empty(table: string, kb: number): Sql;
  /** Before a statement that may take any time. */
  readonly unlimited: Sql;
  /** Sends the new version of the rules to other processes, where they listen for it. */
  announceScopes(kb: number, version: number): Sql;
  /** Reserves numbers for chunks and segments of words. */
  reserveKeys(db: Pick<Connection, "all">, count: number): Promise<readonly number[]>;
}

/**
 * Statements that wait for a lock and hold it until the transaction ends. Each is sent before the statements that rely on
 * it: a statement sees what was committed when it began, not when it got its lock. SQLite has one writer at a time.
 */
interface Locks {
  /** Writers share this lock; a clear takes it exclusively. */
  shareWriting(kb: number): Sql;
  writeAlone(kb: number): Sql;
  /** For processes that store, reference or release the same bytes. */
  originals(kb: number, hashes: readonly string[]): Sql;
  /** For writers of the same ids, paths and contents. All take them in the same order, so they wait instead of deadlocking. */
  names(kb: number, names: readonly string[]): Sql;
  /** Returns whether it was `taken`, without waiting: only one change at a time merges segments of words. */
  tryMerging(kb: number): Sql;
}

interface LeaseClock {
  /** Leases with another name have ended. */
  readonly name: string;
  /** In milliseconds. */
  now(): Operand;
}

export interface CompiledSql {
  readonly text: string;
  readonly values: readonly (Value | List)[];
}

/** A list is bound as one value, whose form is the engine's. */
export function openCompiler(dialect: Pick<Dialect, "placeholder" | "oneOf" | "finish">) {
  const finished = new Map<string, string>();
  return (statement: Sql): CompiledSql => {
    const values: (Value | List)[] = [];
    const text = compile(statement, dialect, values);
    if (!dialect.finish) return { text, values };
    const known = finished.get(text) ?? dialect.finish(text);
    finished.set(text, known);
    return { text: known, values };
  };
}

function compile(
  { strings, operands }: Sql,
  dialect: Pick<Dialect, "placeholder" | "oneOf">,
  values: (Value | List)[],
): string {
  let text = strings[0] ?? "";
  operands.forEach((operand, at) => {
    if (operand instanceof Sql) text += compile(operand, dialect, values);
    else {
      const place = dialect.placeholder(values.push(operand));
      text += operand instanceof List ? dialect.oneOf(operand.type, place) : place;
    }
    text += strings[at + 1];
  });
  return text;
}
