// What callers may add: nothing that is read with the server's own rights.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Principal } from "../../../src/domain/call/principal.ts";
import { openTestApp, type TestApp } from "../../support/app.ts";

let at: TestApp;
beforeAll(async () => {
  at = await openTestApp();
});
afterAll(() => at.close());

const writer: Principal = { name: "writer", rights: new Set(["read", "write", "admin"]) };

test.each(["s3://our-docs/x", "/etc", "ssh://git@host.example/a.git", "git@host.example:a.git"])(
  "%s can be added by a person at the machine only",
  async (address) => {
    const { addSource } = at.app.operationsFor(writer);
    const added = addSource({ kind: "git", address, settings: {} });
    await expect(added).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  },
);

test("a site can be added by everybody who may write", async () => {
  const { addSource } = at.app.operationsFor(writer);
  const added = await addSource({ address: "https://docs.example/guide/", settings: {} });
  expect(added).toMatchObject({ kind: "site" });
});
