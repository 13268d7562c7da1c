// Only permissive licences are shipped. The lock file names the licence of every package on every platform.
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const PERMISSIVE = new Set([
  "MIT",
  "MIT-0",
  "Apache-2.0",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "Unlicense",
  "BlueOak-1.0.0",
  "(MIT OR CC0-1.0)",
]);

interface LockedPackage {
  readonly dev?: boolean;
  readonly license?: string;
  readonly resolved?: string;
}

async function lockedPackages(): Promise<[string, LockedPackage][]> {
  const lock = await readFile(new URL("../../package-lock.json", import.meta.url), "utf8");
  return Object.entries(JSON.parse(lock).packages as Record<string, LockedPackage>);
}

function offenders(packages: readonly [string, LockedPackage][]): readonly string[] {
  return packages
    .filter(([path, { dev, license }]) => path !== "" && !dev && !PERMISSIVE.has(license ?? ""))
    .map(([path, { license }]) => `${path}: ${license ?? "no licence"}`);
}

test("every package that is shipped has a permissive licence", async () => {
  expect(offenders(await lockedPackages())).toEqual([]);
});

test("a package under a copyleft licence is reported", () => {
  expect(offenders([["node_modules/x", { license: "LGPL-3.0-or-later" }]])).toHaveLength(1);
});

function fromHosts(packages: readonly [string, LockedPackage][]): readonly string[] {
  return packages.filter(([, { resolved }]) => resolved?.startsWith("http")).map(([path]) => path);
}

test("the lock file names no download host", async () => {
  expect(fromHosts(await lockedPackages())).toEqual([]);
});

test("a package with its download host is reported", () => {
  const resolved = "https://registry.example/x/-/x-1.0.0.tgz";
  expect(fromHosts([["node_modules/x", { license: "MIT", resolved }]])).toEqual(["node_modules/x"]);
});
