import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { silentLog } from "../../../test/support/silent-log.ts";
import { tempFolder } from "../../../test/support/temp-folder.ts";
import { describeHolder } from "../../domain/call/grants.ts";
import { OWNER, type Principal } from "../../domain/call/principal.ts";
import { digestOf } from "./token-file.ts";
import { openTokens } from "./tokens.ts";

let tokenFile: string;
const RIGHTS: Readonly<Record<string, readonly string[]>> = {
  boss: ["read", "write", "admin"],
  auditor: ["read:webapp", "admin"],
  ann: ["read:checkout-api", "write:webapp/**"],
  ci: ["read", "write"],
};

function write(names: readonly string[]): void {
  const tokens = names.map((name) => ({
    name,
    sha256: digestOf(`token of ${name}`).toString("hex"),
    rights: RIGHTS[name],
  }));
  writeFileSync(tokenFile, JSON.stringify({ tokens }));
  vi.advanceTimersByTime(1_100);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "Date"] });
  tokenFile = join(tempFolder("views"), "tokens.json");
  write(Object.keys(RIGHTS));
});
afterEach(() => {
  vi.useRealTimers();
});

const open = () => openTokens({ tokenFile, log: silentLog() });
const described = (principal: Principal | undefined) => principal && describeHolder(principal);

test("a view has the rights of the token that it shows, and the names of both", () => {
  const { view, identify } = open();
  const boss = identify("token of boss") as Principal;
  const seen = identify(view(boss, "ann"));
  expect(seen?.name).toBe("boss as ann");
  expect(described(seen)).toEqual(RIGHTS["ann"]);
  const token = view(OWNER, "ci");
  expect(described(identify(token))).toEqual(["read", "write"]);
  expect(identify(token)).toBe(identify(token));
});

test("a view never has a right that its viewer does not have everywhere", () => {
  const { view, identify } = open();
  const auditor = identify("token of auditor") as Principal;
  expect(described(identify(view(auditor, "boss")))).toEqual(["admin"]);
  expect(described(identify(view(auditor, "ann")))).toEqual([]);
});

test("a view ends after half an hour, and with the entry of the viewer or of the viewed", () => {
  const { view, identify } = open();
  const boss = identify("token of boss") as Principal;
  const views = ["ann", "ci"].map((name) => view(boss, name));
  const known = () => views.map((token) => identify(token) !== undefined);
  expect(known()).toEqual([true, true]);
  write(["boss", "auditor", "ci"]);
  expect(known()).toEqual([false, true]);
  write(["ci"]);
  expect(known()).toEqual([false, false]);
  write(Object.keys(RIGHTS));
  expect(known()).toEqual([true, true]);
  vi.advanceTimersByTime(30 * 60_000);
  expect(known()).toEqual([false, false]);
});

test("there is no view of an unknown token, and none of a view", () => {
  const { view, identify } = open();
  expect(view(OWNER, "nobody")).toBeUndefined();
  const seen = identify(view(OWNER, "boss")) as Principal;
  expect(view(seen, "ci")).toBeUndefined();
});

test("without a token file there are no views", () => {
  expect(openTokens({ log: silentLog() }).view(OWNER, "ann")).toBeUndefined();
});
