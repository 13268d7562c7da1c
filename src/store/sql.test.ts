import { expect, test } from "vitest";
import { join, NOTHING, oneOf, openCompiler, type Sql, sql, verbatim } from "./sql.ts";

const open = () =>
  openCompiler({
    placeholder: (number) => `$${number}`,
    oneOf: (type, place) => `= ANY(${place}::${type}[])`,
  });

test("values are bound in their order, also those of fragments", () => {
  const held = sql`worker = ${"w"} AND id = ${"a"}`;
  const { text, values } = open()(sql`UPDATE tasks SET n = ${1} WHERE ${held} AND kb = ${2}`);
  expect(text).toBe("UPDATE tasks SET n = $1 WHERE worker = $2 AND id = $3 AND kb = $4");
  expect(values).toEqual([1, "w", "a", 2]);
});

test("a list is one value, and text of the program is no value", () => {
  const list = oneOf("text", ["a", "b"]);
  const { text, values } = open()(sql`SELECT ${verbatim("name")} FROM t WHERE id ${list}`);
  expect(text).toBe("SELECT name FROM t WHERE id = ANY($1::text[])");
  expect(values).toEqual([list]);
});

test("statements of one template have the text that their operands ask for", () => {
  const compile = open();
  const nested = (first: Sql | number, second: Sql | number) => sql`f(${first}, ${second})`;
  const operands = [1, NOTHING, sql`x`, sql`g(${1})`, nested(1, sql`x`), nested(sql`x`, 1)];
  const pieces = operands.flatMap((a) => operands.map((b) => nested(a, b)));
  const all = [...pieces, join(pieces), join(pieces.slice(1)), join([])];
  const fresh = all.map((each) => open()(each));
  expect(all.map(compile)).toEqual(fresh);
  // Again, when each text is known.
  expect(all.map(compile)).toEqual(fresh);
});
