import { expect, test } from "vitest";
import { parseTarget } from "../../../domain/call/request-target.ts";
import { parseRoute, toPath } from "./route.ts";

test.each(["checkout-api", "チーム", "group/shop", "50%", "..", "a b", "x\\y"])(
  "the address of the scope %s leads to it, and the server accepts it",
  (id) => {
    const address = toPath("scopes", id, { q: "a&b" });
    expect(parseTarget(address)).toBeDefined();
    const route = parseRoute(new URL(address, "http://127.0.0.1"));
    expect(route).toMatchObject({ page: "scopes", id });
    expect(route.query.get("q")).toBe("a&b");
  },
);

test("an address without an id has none", () => {
  expect(toPath("documents")).toBe("/documents");
  expect(parseRoute(new URL("/", "http://127.0.0.1")).page).toBe("");
  expect(parseRoute(new URL("/documents", "http://127.0.0.1")).id).toBeUndefined();
});
