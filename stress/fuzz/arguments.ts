// Arguments generated from a tool's own JSON schema: valid, at the limits, invalid, and arbitrary.
import type { Random } from "./random.ts";

type Schema = Readonly<Record<string, unknown>>;

const WILD = [
  "",
  " ",
  "\u0000",
  "\ud800",
  "\u202e\u200b",
  "../../../etc/passwd",
  "/proc/self/environ",
  "file:///etc/shadow",
  "日本語の質問",
  "' OR 1=1 --",
  '"unclosed',
  '"" "" ""',
  "%_\\",
  "{}()[]*?+|^$",
  "NaN",
  "2025-02-30",
  "9999-12-31T23:59:60Z",
  "x".repeat(501),
  "é".normalize("NFD").repeat(300),
  "__proto__",
  "constructor",
] as const;

const WRONG = [null, true, 0, -1, 1.5, 1e308, 2 ** 53, "x", [], {}, [[]], { a: 1 }] as const;

export function wildText(random: Random): string {
  return random.pick(WILD);
}

/** `known`: ids and names that exist, so that some calls reach real data. */
export function toolArguments(
  schema: Schema,
  random: Random,
  known: readonly [string, ...string[]],
): Record<string, unknown> {
  const properties = (schema["properties"] ?? {}) as Record<string, Schema>;
  const required = new Set((schema["required"] ?? []) as string[]);
  const made: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    if (random.chance(required.has(name) ? 0.03 : 0.65)) continue;
    made[name] = random.chance(0.06) ? random.pick(WRONG) : makeValue(property, random, known);
  }
  if (random.chance(0.05))
    Object.defineProperty(made, wildText(random), { value: 1, enumerable: true });
  return made;
}

function makeValue(schema: Schema, random: Random, known: readonly [string, ...string[]]): unknown {
  const choices = (schema["anyOf"] ?? schema["oneOf"]) as
    | readonly [Schema, ...Schema[]]
    | undefined;
  if (choices) return makeValue(random.pick(choices), random, known);
  if ("const" in schema) return schema["const"];
  const values = schema["enum"] as readonly [unknown, ...unknown[]] | undefined;
  if (values) return random.chance(0.9) ? random.pick(values) : wildText(random);
  switch (schema["type"]) {
    case "boolean":
      return random.chance(0.5);
    case "integer":
    case "number":
      return numberOf(schema, random);
    case "string":
      return textOf(schema, random, known);
    case "array": {
      const items = (schema["items"] ?? {}) as Schema;
      return Array.from({ length: random.below(4) }, () => makeValue(items, random, known));
    }
    case "object":
      return objectOf(schema, random, known);
    default:
      return random.pick(WRONG);
  }
}

function numberOf(schema: Schema, random: Random): number {
  const least = Number(schema["minimum"] ?? 0);
  const most = Math.min(Number(schema["maximum"] ?? 100), 1e9);
  const inside = Math.round(least + random.next() * Math.min(most - least, 50));
  return random.pick([least, most, least - 1, most + 1, inside, inside, inside]);
}

function textOf(schema: Schema, random: Random, known: readonly [string, ...string[]]): string {
  const most = Number(schema["maxLength"] ?? 2_000);
  const roll = random.next();
  if (roll < 0.5) return random.pick(known);
  if (roll < 0.9) return wildText(random);
  return "a".repeat(Math.min(roll < 0.95 ? most : most + 1, 100_001));
}

function objectOf(schema: Schema, random: Random, known: readonly [string, ...string[]]) {
  if (schema["properties"] !== undefined) return toolArguments(schema, random, known);
  const value = (schema["additionalProperties"] ?? {}) as Schema;
  const names = Array.from({ length: random.below(3) }, () => wildText(random));
  return Object.fromEntries(names.map((name) => [name, makeValue(value, random, known)]));
}
