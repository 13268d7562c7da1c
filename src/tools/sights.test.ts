import { beforeEach, describe, expect, test } from "vitest";
import { testAccess } from "../../test/support/access-control.ts";
import { openMemoryScopes } from "../../test/support/memory-scopes.ts";
import { someOperations } from "../../test/support/operations.ts";
import { silentLog } from "../../test/support/silent-log.ts";
import { parseGrant, RIGHTS, type Right, scopesWith, toHolder } from "../domain/call/grants.ts";
import { OWNER, type Principal } from "../domain/call/principal.ts";
import { openTracing } from "../observe/tracing.ts";
import { openScopes, type Scopes } from "../scopes/scopes.ts";
import type { Change } from "./family.ts";
import { openSights, type Sights } from "./sights.ts";
import { openChangeListeners, openToolbox } from "./toolbox.ts";

function caller(...texts: readonly string[]): { readonly principal: Principal } {
  const grants = texts.flatMap((text) => parseGrant(text) ?? []);
  return { principal: { name: "ann", rights: new Set(grants.map(({ right }) => right)), grants } };
}

let scopes: Scopes;
let sights: Sights;
beforeEach(async () => {
  scopes = openScopes({ store: openMemoryScopes(), log: silentLog() });
  sights = openSights(async () => scopes);
  await scopes.putScope({ id: "general", tier: "GENERAL" });
  await scopes.putScope({ id: "shop", tier: "PRODUCT", parent: "general" });
  await scopes.putScope({ id: "api", tier: "PROJECT", parent: "shop" });
  await scopes.putScope({ id: "bank", tier: "PRODUCT", parent: "general" });
});

describe("what a caller sees", () => {
  test("a scope without the right is refused as one that does not exist", async () => {
    const who = caller("read:api");
    const seen = await sights.chain(who, "bank").catch(({ message }: Error) => message);
    const missing = await sights.chain(who, "bonk").catch(({ message }: Error) => message);
    expect(seen).toBe(String(missing).replace("bonk", "bank"));
    expect(seen).not.toContain('"bank", ');
    expect(await sights.chain(who, "api")).toEqual(["api", "shop", "general"]);
  });

  test("who may not write in a scope learns where it may", async () => {
    const who = caller("read:shop/**", "write:api");
    await sights.allow(who, "write", "api");
    await expect(sights.allow(who, "write", "shop")).rejects.toMatchObject({
      code: "ACCESS_DENIED",
      message: expect.stringContaining('"api"'),
    });
  });

  test.each([
    ["to write where one may", "api", "shop", true],
    ["to take a scope of others", "bank", "shop", false],
    ["to give a scope away", "api", "bank", false],
    ["to add one below", "web", "shop", true],
    ["to add one elsewhere", "web", "general", false],
  ])("%s: %s below %s", async (_what, id, parent, isAllowed) => {
    const own = await sights.scopes(caller("read:general/**", "write:shop/**"));
    const put = own.putScope({ id, tier: "PROJECT", parent }).then(
      () => true,
      ({ code }: { code: string }) => code !== "ACCESS_DENIED",
    );
    expect(await put).toBe(isAllowed);
  });

  test.each(
    ["general", "recovered"].flatMap((id) => [
      [id, ["write:shop/**", "read:shop/**"], "shop", false],
      [id, ["write:shop/**", "read:shop/**"], undefined, false],
      [id, ["write:bank", "write:shop/**", "read"], "shop", false],
      [id, ["write", "read:shop"], undefined, true],
    ]) as [string, string[], string | undefined, boolean][],
  )(
    "%s is not made by whoever has the rights %j, below %s",
    async (id, rights, parent, isAllowed) => {
      const empty = openScopes({ store: openMemoryScopes(), log: silentLog() });
      const open = openSights(async () => empty);
      await empty.putScope({ id: "shop", tier: "GENERAL" });
      const own = await open.scopes(caller(...rights));
      const put = own.putScope({ id, tier: "PROJECT", ...(parent && { parent }) });
      expect(
        await put.then(
          () => true,
          ({ code }) => code !== "ACCESS_DENIED",
        ),
      ).toBe(isAllowed);
    },
  );

  test.each(["general", "recovered"])("rights below a scope never hold in %s", async (id) => {
    const parents = new Map([
      [id, "shop"],
      ["shop", undefined],
      ["api", "shop"],
    ]);
    const shop = (right: Right) => ({ right, scope: "shop", isDeep: true });
    for (const right of RIGHTS) {
      const holder = toHolder([shop(right)]);
      const seen = [...(scopesWith(holder, right, { parents }) ?? [])].sort();
      expect(seen).toEqual(right === "read" ? ["api", "general", "shop"] : ["api", "shop"]);
    }
  });

  test("a scope with children that the caller does not see is not removed", async () => {
    const own = await sights.scopes(caller("read:shop", "admin:shop"), "admin");
    await expect(own.removeScope("shop")).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  });

  test("nobody is notified of what they may not see", async () => {
    const { listen, notify } = openChangeListeners();
    const { onChange } = openToolbox({
      ...{ families: [], offered: [], operations: () => someOperations(), sights },
      ...{ access: testAccess(), tracing: openTracing(), onChange: listen, log: silentLog() },
    });
    const [all, some]: [Change[], Change[]] = [[], []];
    onChange(OWNER, (change) => all.push(change));
    onChange(caller("read:api").principal, (change) => some.push(change));
    const hidden = { kind: "resources", scopes: ["bank"] } as const;
    const shared = { kind: "resources", scopes: ["bank", "shop"] } as const;
    notify(hidden);
    notify(shared);
    await expect.poll(() => some).toEqual([shared]);
    expect(all).toEqual([hidden, shared]);
  });
});
