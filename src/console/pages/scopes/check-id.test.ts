import { expect, test } from "vitest";
import { RULE_LIMITS } from "../../../domain/scope.ts";
import { accept } from "../../../scopes/names.ts";
import { checkId, easierId } from "./check-id.ts";

const IDS = ["shop", " shop ", "", "  ", "a\u0000b", "a\nb", "shop/api", "店", "x".repeat(201)];

test.each(IDS)("the form and the server agree on %j", (id) => {
  const isTaken = () => accept("id", id, "scope_id");
  if (checkId(id, []) === undefined) expect(isTaken).not.toThrow();
  else expect(isTaken).toThrow();
});

test("an id that a scope already has is taken, in any spelling", () => {
  expect(checkId(" cafe\u0301 ", ["caf\u00e9"])).toBe("taken");
  expect(checkId("x".repeat(RULE_LIMITS.id), [])).toBeUndefined();
});

test.each([
  ["bad id !!", "bad-id"],
  ["shop/api", undefined],
  ["決済 API", "決済-API"],
  ["!!", undefined],
])("instead of %j, %j is suggested", (id, easier) => {
  expect(easierId(id)).toBe(easier);
});
