import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { INHERITED } from "../../../test/support/inherited.ts";
import { silentLog } from "../../../test/support/silent-log.ts";
import { tempFolder } from "../../../test/support/temp-folder.ts";
import { formatGrant } from "../../domain/call/grants.ts";
import { readTokenFile } from "./token-file.ts";
import { openTokens } from "./tokens.ts";

const log = silentLog();
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
let folder: string;
let tokenFile: string;

beforeEach(() => {
  folder = tempFolder("tokens");
  tokenFile = join(folder, "tokens.yaml");
  // The file is checked again after a while, by a clock that cannot be set.
  vi.useFakeTimers({ toFake: ["performance", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const write = (tokens: readonly object[]) => writeFileSync(tokenFile, JSON.stringify({ tokens }));

test("a token of the file has its own rights", () => {
  write([{ name: "ci", sha256: sha256("a-reader"), rights: ["read"] }]);
  const { identify } = openTokens({ tokenFile, log });
  expect(identify("a-reader")).toEqual({ name: "ci", rights: new Set(["read"]) });
  expect(identify("a-writer")).toBeUndefined();
  expect(identify(undefined)).toBeUndefined();
});

test("a token of the file has its rights in the scopes that it names", () => {
  const rights = ["read:checkout-api", "write:webapp/**", "admin:*"];
  write([{ name: "ann", sha256: sha256("an-editor"), rights }]);
  const found = openTokens({ tokenFile, log }).identify("an-editor");
  expect(found?.rights).toEqual(new Set(["read", "write", "admin"]));
  expect(found?.grants?.map(formatGrant)).toEqual([
    "read:checkout-api",
    "write:webapp/**",
    "admin",
  ]);
});

test("a group has the grants of the file, which may list groups only", () => {
  writeFileSync(tokenFile, "groups: { payments: [read:checkout-api], ops: [read, admin] }");
  const { grantsOf } = openTokens({ tokenFile, log });
  expect(grantsOf("payments").map(formatGrant)).toEqual(["read:checkout-api"]);
  expect(grantsOf("ops").map(formatGrant)).toEqual(["read", "admin"]);
  for (const name of INHERITED) expect(grantsOf(name)).toEqual([]);
});

test("a wrong grant is reported by its place, without its text", () => {
  write([{ name: "ann", sha256: sha256("x"), rights: ["read", "reads:secret-project"] }]);
  const told = /^The token file cannot be used: tokens\.0\.rights\.1: must be read, write or admin/;
  expect(() => openTokens({ tokenFile, log })).toThrow(told);
  writeFileSync(tokenFile, "groups: { ops: [read], secret-project: admin }");
  const wrong = readTokenFile(tokenFile);
  expect(wrong).toMatchObject({ issue: { code: "tokensPartly", values: ["1", "2"] } });
  expect(wrong.problems).toMatch(/^groups\.1: /);
  expect([...wrong.groups.keys()]).toEqual(["ops"]);
  expect(wrong.problems).not.toContain("secret");
});

test("an edited file takes effect without a restart", () => {
  write([{ name: "old", sha256: sha256("old-token"), rights: ["read"] }]);
  const { identify } = openTokens({ tokenFile, log });
  write([{ name: "new", sha256: sha256("new-token"), rights: ["read", "write"] }]);
  vi.advanceTimersByTime(1_100);
  expect(identify("old-token")).toBeUndefined();
  expect(identify("new-token")?.name).toBe("new");
});

test("a revoked token is refused, even if the clock was set back a day", () => {
  write([{ name: "old", sha256: sha256("old-token"), rights: ["read"] }]);
  const { identify } = openTokens({ tokenFile, log });
  vi.setSystemTime(Date.now() - 86_400_000);
  write([{ name: "newer", sha256: sha256("new-token"), rights: ["read"] }]);
  vi.advanceTimersByTime(1_100);
  expect(identify("old-token")).toBeUndefined();
});

test("a token is refused after its last day", () => {
  write([
    { name: "gone", sha256: sha256("late"), rights: ["read"], until: "2020-01-01T00:00:00Z" },
  ]);
  expect(openTokens({ tokenFile, log }).identify("late")).toBeUndefined();
});

test("a plain-text token in the file is refused at startup", () => {
  write([{ name: "x", token: "clear", rights: ["read"] }]);
  expect(() => openTokens({ tokenFile, log })).toThrow(/^The token file cannot be used: tokens\.0/);
});
