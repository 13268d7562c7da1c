// How PostgreSQL ran each statement: its own log of plans.
import { POSTGRES_TABLES } from "../../../src/store/schema.ts";

/** Settings of a server that logs the plan of every statement, also of those that references cause. */
export const LOGS_PLANS = {
  shared_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_nested_statements": "on",
  "auto_explain.log_format": "json",
  logging_collector: "on",
  log_destination: "jsonlog",
  log_filename: "plans",
  log_rotation_size: "0",
};

interface Node {
  readonly [member: string]: unknown;
  readonly Plans?: readonly Node[];
}

interface Plan {
  readonly query: string;
  readonly node: Node;
}

interface Scan {
  readonly table: string;
  readonly isWithinOne: boolean;
  readonly query: string;
  readonly conditions: string;
}

type Ask = <Row extends object>(text: string) => Promise<readonly Row[]>;

const READ_BYTES = 16 * 1024 * 1024;

/** When a reference is added to a table, the server looks at all of it. */
const CHECKS_REFERENCE = /^SELECT fk\./;

/** Each form of a statement once. */
export async function readPlans(ask: Ask): Promise<readonly Plan[]> {
  const plans = new Map<string, Plan>();
  let rest = "";
  for (let at = 0; ; at += READ_BYTES) {
    const [row] = await ask<{ part: string }>(
      `SELECT encode(pg_read_binary_file('log/plans.json', ${at}, ${READ_BYTES}), 'base64') AS part`,
    );
    const part = Buffer.from(row?.part ?? "", "base64");
    if (part.length === 0) break;
    const lines = (rest + part.toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) notePlan(plans, line);
  }
  return [...plans.values()];
}

function notePlan(plans: Map<string, Plan>, line: string): void {
  const { message = "" } = JSON.parse(line) as { message?: string };
  const at = message.indexOf("plan:\n");
  if (!message.startsWith("duration:") || at < 0) return;
  const { "Query Text": query, Plan: node } = JSON.parse(message.slice(at + 6)) as {
    readonly "Query Text": string;
    readonly Plan: Node;
  };
  if (CHECKS_REFERENCE.test(query)) return;
  plans.set(`${query} ${shapeOf(node)}`, { query, node });
}

/** Without costs and numbers of rows. */
function shapeOf({ Plans: below = [], ...node }: Node): string {
  const {
    "Node Type": type,
    "Relation Name": table,
    "Index Cond": condition,
    Filter: filter,
  } = node;
  return `${type} ${table} ${condition} ${filter} (${below.map(shapeOf).join()})`;
}

const TABLES = new Set(POSTGRES_TABLES);

/** Whatever reads one of the program's tables. */
export function scansOf({ query, node }: Plan): readonly Scan[] {
  return within(node).flatMap((each): Scan[] => {
    const { "Node Type": type, "Relation Name": table } = each;
    if (!TABLES.has(String(table)) || !String(type).endsWith("Scan")) return [];
    const conditions = conditionsOf(each);
    return [
      {
        table: String(table),
        isWithinOne: /\bkb = (\d+|\$\d+|\w+\.kb)\b|(\b\d+|\$\d+) = kb\b/.test(conditions),
        query,
        conditions,
      },
    ];
  });
}

function within(node: Node): readonly Node[] {
  return [node, ...(node.Plans ?? []).flatMap(within)];
}

/** Its own, and those of the bitmaps that it reads by. */
function conditionsOf(node: Node): string {
  const own = ["Index Cond", "Recheck Cond", "Filter"].map((name) => node[name] ?? "").join(" ");
  const below = node["Node Type"] === "Bitmap Heap Scan" ? (node.Plans ?? []) : [];
  return [own, ...below.map(conditionsOf)].join(" ");
}
