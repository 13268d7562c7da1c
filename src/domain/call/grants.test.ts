import { describe, expect, test } from "vitest";
import {
  chainOf,
  describeHolder,
  formatGrant,
  parseGrant,
  scopesWith,
  toHolder,
} from "./grants.ts";
import { OWNER, type Principal, type Right } from "./principal.ts";

const TREE = {
  parents: new Map([
    ["general", undefined],
    ["webapp", "general"],
    ["checkout", "webapp"],
    ["checkout-api", "checkout"],
    ["billing", "general"],
  ]),
};

function caller(...grants: readonly string[]): Principal {
  const parsed = grants.map((text) => parseGrant(text)).filter((grant) => grant !== undefined);
  return { name: "ann", rights: new Set(parsed.map(({ right }) => right)), grants: parsed };
}

describe("grants", () => {
  test.each([
    ["read:checkout-api", { right: "read", scope: "checkout-api", isDeep: false }],
    ["write:webapp/**", { right: "write", scope: "webapp", isDeep: true }],
    ["read:team/mobile", { right: "read", scope: "team/mobile", isDeep: false }],
    ["admin:*", { right: "admin", scope: "*", isDeep: false }],
    ["admin", { right: "admin", scope: "*", isDeep: false }],
  ])("%s is read, and written the same way", (text, grant) => {
    expect(parseGrant(text)).toEqual(grant);
    expect(parseGrant(formatGrant(grant as never))).toEqual(grant);
  });

  test("rights that all hold everywhere are flat", () => {
    const all = ["read", "write:*"].flatMap((text) => parseGrant(text) ?? []);
    expect(toHolder(all)).toEqual({ rights: new Set(["read", "write"]) });
    const some = [...all, ...all.map((grant) => ({ ...grant, scope: "webapp" }))];
    expect(describeHolder(toHolder(some))).toEqual([
      "read",
      "write",
      "read:webapp",
      "write:webapp",
    ]);
    expect(describeHolder(OWNER)).toEqual(["read", "write", "admin"]);
  });

  test.each([
    ...["", "owner", "owner:webapp", "read:", ":webapp", "read webapp", "read:a\nb", "read: "],
    `read:${"x".repeat(201)}`,
  ])("%j is refused", (text) => expect(parseGrant(text)).toBeUndefined());

  test.each<[string, Right, readonly string[] | undefined]>([
    ["read:checkout-api", "read", ["checkout-api", "checkout", "webapp", "general"]],
    ["read:checkout-api", "write", []],
    ["write:webapp", "write", ["webapp"]],
    ["write:webapp/**", "write", ["webapp", "checkout", "checkout-api"]],
    ["read:webapp/**", "read", ["webapp", "general", "checkout", "checkout-api"]],
    ["read:unknown", "read", ["unknown", "general"]],
    ["admin:*", "admin", undefined],
  ])("%s: where a caller may %s", (text, right, scopes) => {
    const found = scopesWith(caller(text), right, TREE);
    expect(found && [...found].sort()).toEqual(scopes && [...scopes].sort());
  });

  test("without grants a right holds everywhere", () => {
    expect(scopesWith(OWNER, "admin", TREE)).toBeUndefined();
    const reader: Principal = { name: "bob", rights: new Set(["read"]) };
    expect(scopesWith(reader, "write", TREE)).toEqual(new Set());
  });

  test("a loop in the tree ends", () => {
    const tree = {
      parents: new Map([
        ["a", "b"],
        ["b", "a"],
      ]),
    };
    expect(chainOf("a", tree)).toEqual(["a", "b", "general"]);
  });
});
