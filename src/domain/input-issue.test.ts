import { expect, test } from "vitest";
import * as z from "zod";
import { describeIssue } from "./input-issue.ts";

const shown = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(describeIssue).join("; ");

test.each<[z.ZodType, unknown, string]>([
  [z.string(), 5, "must be text"],
  [z.number(), "5", "must be a number"],
  [z.coerce.number(), "abc", "must be a number"],
  [z.int(), 1.5, "must be a whole number"],
  [z.boolean(), "yes", "must be true or false"],
  [z.array(z.string()), "git", "must be a list"],
  [z.record(z.string(), z.string()), "x", "must be an object"],
  [z.number().min(0), -1, "must be at least 0"],
  [z.number().max(65_535), 70_000, "must be at most 65535"],
  [z.string().max(3), "four", "must have at most 3 characters"],
  [z.array(z.string()).min(1), [], "must have at least 1 elements"],
  [z.enum(["asc", "desc"]), "up", "must be one of asc, desc"],
  [z.literal(true), false, "must be true"],
  [z.strictObject({}), { from: 1 }, "has no 'from'"],
  [z.union([z.string(), z.number()]), {}, "has an unsupported type"],
])("%# is reported in words for people", (schema, value, words) => {
  expect(shown(schema, value)).toBe(words);
});

test("a schema's own message is kept", () => {
  expect(shown(z.string().min(1, "must not be empty"), "")).toBe("must not be empty");
});
