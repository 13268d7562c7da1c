import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { silentLog } from "../../../test/support/silent-log.ts";
import { tempFolder } from "../../../test/support/temp-folder.ts";
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
