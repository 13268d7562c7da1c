// What people wrote into the file stays, whatever a command adds to it or takes from it.
import {
  chmodSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { silentLog } from "../../../test/support/silent-log.ts";
import { tempFolder } from "../../../test/support/temp-folder.ts";
import { describeHolder } from "../../domain/call/grants.ts";
import { openTokenFile } from "./edit-token-file.ts";
import { openTokens } from "./tokens.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = tempFolder("edit-tokens");
  path = join(folder, "tokens.yaml");
});

const DIGEST = "1".repeat(64);
const OTHERS = `# Ask the operators first.
tokens:
  - name: ci # the build server
    sha256: ${DIGEST}
    rights: [read]
  # leaves in May
  - {name: bob, sha256: "${DIGEST}", rights: [read, write]}
groups: {ops: [admin]} # from the issuer
`;
const rights = ["read:checkout-api", "write:webapp/**"];
const read = () => readFileSync(path, "utf8");
const identify = (token: string) =>
  openTokens({ tokenFile: path, log: silentLog() }).identify(token);

test("the first token makes a file that only its owner can read, without the token", async () => {
  const token = await openTokenFile(path).create({ name: "007", rights });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(read()).not.toContain(token);
  const found = identify(token);
  expect(found?.name).toBe("007");
  expect(found && describeHolder(found)).toEqual(rights);
  expect(await openTokenFile(path).list()).toEqual({
    tokens: [{ name: "007", rights }],
    groups: [],
  });
});

test("a token is added and revoked, and every other line stays as it was", async () => {
  writeFileSync(path, OTHERS);
  const file = openTokenFile(path);
  await file.create({ name: "ann", rights, until: "2999-01-31T00:00:00.000Z" });
  const [before, after] = OTHERS.split("groups");
  expect(read().startsWith(`${before}`)).toBe(true);
  expect(read().endsWith(`groups${after}`)).toBe(true);
  expect(await file.revoke("ann")).toBe(1);
  expect(read()).toBe(OTHERS);
  expect(await file.revoke("bob")).toBe(1);
  expect(read()).not.toMatch(/bob|leaves in May/);
  expect(read()).toContain("# the build server");
  expect(await file.revoke("bob")).toBe(0);
});

test("a JSON file stays JSON", async () => {
  const bob = { name: "bob", sha256: DIGEST, rights: ["read"] };
  writeFileSync(path, JSON.stringify({ tokens: [bob], groups: { ops: ["admin"] } }));
  const file = openTokenFile(path);
  await file.create({ name: "ann", rights });
  expect(JSON.parse(read())).toMatchObject({
    tokens: [bob, { name: "ann", rights }],
    groups: { ops: ["admin"] },
  });
  await file.revoke("bob");
  expect(JSON.parse(read()).tokens).toHaveLength(1);
});

test("owner and group keep their access, others lose it, and a link stays a link", async () => {
  const real = join(folder, "real.yaml");
  writeFileSync(real, OTHERS);
  chmodSync(real, 0o646);
  symlinkSync(real, path);
  await openTokenFile(path).create({ name: "ann", rights });
  expect(statSync(real).mode & 0o777).toBe(0o640);
  expect(readdirSync(folder).sort()).toEqual(["real.yaml", "tokens.yaml"]);
});

test.each([
  ["an unknown right", { name: "ann", rights: ["reads"] }],
  ["no right", { name: "ann", rights: [] }],
  ["no name", { name: "", rights }],
  ["a name that exists", { name: "bob", rights }],
  ["a wrong date", { name: "ann", rights, until: "tomorrow" }],
])("%s is refused and changes nothing", async (_what, entry) => {
  writeFileSync(path, OTHERS);
  const refused = { code: "INVALID_PARAMETER" };
  await expect(openTokenFile(path).create(entry)).rejects.toMatchObject(refused);
  expect(read()).toBe(OTHERS);
  expect(readdirSync(folder)).toEqual(["tokens.yaml"]);
});

test("a file that no server would read is refused and stays", async () => {
  writeFileSync(path, "tokens: [");
  const file = openTokenFile(path);
  await expect(file.create({ name: "ann", rights })).rejects.toThrow(/token file cannot be used/);
  await expect(file.list()).rejects.toThrow(/token file cannot be used/);
  expect(read()).toBe("tokens: [");
});

test("of many commands at once each either adds its token or says that it did not", async () => {
  const names = Array.from({ length: 20 }, (_, at) => `n${at}`);
  const done = await Promise.allSettled(
    names.map((name) => openTokenFile(path).create({ name, rights })),
  );
  const made = names.filter((_, at) => done[at]?.status === "fulfilled");
  const { tokens } = await openTokenFile(path).list();
  expect(tokens.map(({ name }) => name).sort()).toEqual(made.sort());
  expect(made.length).toBeGreaterThan(0);
});
