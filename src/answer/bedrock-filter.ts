// A filter in Bedrock's own form: one condition by its operator, or conditions joined by `andAll` and `orAll`. It goes to
// Bedrock unchanged; local documents support equality, lists and `andAll`.
import { KnowledgeError } from "../domain/errors.ts";
import type { MetadataFilter } from "./answer.ts";

type Scalar = string | number | boolean;

export type Condition =
  | { readonly [Operator in Comparison]?: { readonly key: string; readonly value: Scalar } }
  | {
      readonly [Operator in Membership]?: {
        readonly key: string;
        readonly value: readonly Scalar[];
      };
    }
  | { readonly [Operator in Joining]?: readonly Condition[] };

const COMPARISONS = [
  "equals",
  "notEquals",
  "greaterThan",
  "greaterThanOrEquals",
  "lessThan",
  "lessThanOrEquals",
  "startsWith",
  "listContains",
  "stringContains",
] as const;
const MEMBERSHIPS = ["in", "notIn"] as const;
const JOININGS = ["andAll", "orAll"] as const;
type Comparison = (typeof COMPARISONS)[number];
type Membership = (typeof MEMBERSHIPS)[number];
type Joining = (typeof JOININGS)[number];

const OPERATORS: readonly string[] = [...COMPARISONS, ...MEMBERSHIPS, ...JOININGS];
/** Bedrock's limits: groups may nest once, and each needs at least two conditions. */
const MAX_DEPTH = 2;

/** A plain filter contains values and lists of values; Bedrock's form contains objects. */
export function isCondition(given: Readonly<Record<string, unknown>>): boolean {
  return Object.values(given).some(
    (value) =>
      (typeof value === "object" && value !== null && !Array.isArray(value)) ||
      (Array.isArray(value) && value.some((each) => typeof each === "object")),
  );
}

/** Throws INVALID_PARAMETER for filters that Bedrock would reject. */
export function toCondition(given: unknown, depth = 0): Condition {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw invalid('each condition must be an object such as {"equals": {"key": …, "value": …}}');
  }
  const [[operator, operand] = ["", undefined], ...more] = Object.entries(given);
  if (more.length > 0 || !OPERATORS.includes(operator)) {
    throw invalid(`each condition has exactly one of ${OPERATORS.join(", ")}`);
  }
  if (includes(JOININGS, operator)) return { [operator]: toGroup(operator, operand, depth) };
  return { [operator]: toOperand(operator, operand) };
}

function toGroup(operator: string, operand: unknown, depth: number): readonly Condition[] {
  if (!Array.isArray(operand) || operand.length < 2) {
    throw invalid(`'${operator}' needs a list of two conditions or more`);
  }
  if (depth >= MAX_DEPTH) throw invalid("groups may be nested at most two levels deep");
  return operand.map((each) => toCondition(each, depth + 1));
}

function toOperand(operator: string, operand: unknown) {
  const { key, value, ...rest } = (operand ?? {}) as { key?: unknown; value?: unknown };
  if (typeof key !== "string" || key === "" || Object.keys(rest).length > 0) {
    throw invalid(`'${operator}' needs {"key": …, "value": …}`);
  }
  const isList = Array.isArray(value) && value.length > 0 && value.every(isScalar);
  if (includes(MEMBERSHIPS, operator) ? !isList : !isScalar(value)) {
    const wanted = includes(MEMBERSHIPS, operator) ? "a list of values" : "one value";
    throw invalid(`'${operator}' of '${key}' needs ${wanted}`);
  }
  return { key, value };
}

/** Converts a condition for local documents; throws INVALID_PARAMETER for operators they do not support. */
export function toPlainFilter(condition: Condition): MetadataFilter {
  const plain = new Map<string, readonly Scalar[]>();
  const add = (each: Condition) => {
    const [operator = "", operand] = Object.entries(each)[0] ?? [];
    if (operator === "andAll") {
      for (const inner of operand as readonly Condition[]) add(inner);
      return;
    }
    const { key, value } = (operand ?? {}) as { key?: string; value?: Scalar | readonly Scalar[] };
    if (!["equals", "in"].includes(operator) || key === undefined || value === undefined) {
      throw invalid(
        `'${operator}' works with Bedrock only; local documents are filtered by equals, in and andAll`,
      );
    }
    if (plain.has(key)) {
      throw invalid(`local documents take one condition for '${key}'`);
    }
    plain.set(key, Array.isArray(value) ? value : [value as Scalar]);
  };
  add(condition);
  return Object.fromEntries(plain);
}

function includes<Name extends string>(names: readonly Name[], name: string): name is Name {
  return (names as readonly string[]).includes(name);
}

function isScalar(value: unknown): value is Scalar {
  return ["string", "number", "boolean"].includes(typeof value);
}

function invalid(problem: string): KnowledgeError {
  return new KnowledgeError("INVALID_PARAMETER", `metadata_filter: ${problem}.`, {
    details: { parameter: "metadata_filter" },
  });
}
