import { appendFile, readFile, rename, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { tempFolder } from "../../test/support/temp-folder.ts";
import { type AuditEntry, openAudit } from "./audit.ts";

let folder: string;
let made = 0;
beforeAll(async () => {
  folder = tempFolder("audit");
});

const newPath = () => join(folder, `audit-${++made}`);
const entry = (more: Partial<AuditEntry> = {}): AuditEntry => ({
  id: "1",
  who: "ada",
  did: "knowledge-add",
  to: { file: "a.txt" },
  outcome: "started",
  ...more,
});
const linesOf = async (path: string) => (await readFile(path, "utf8")).split("\n").slice(0, -1);

test("only the owner can read the file, under any umask", async () => {
  const path = newPath();
  const before = process.umask(0);
  try {
    await openAudit(path).append(entry());
  } finally {
    process.umask(before);
  }
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("an entry is one line of JSON, even if a name contains line breaks", async () => {
  const path = newPath();
  const audit = openAudit(path);
  let length = 0;
  const name = fc.string({ unit: "binary", maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(name, fc.array(name, { maxLength: 20 }), async (who, names) => {
      const to = Object.fromEntries(names.map((file, at) => [`name${at}`, file]));
      await audit.append(entry({ who, to }));
      const text = (await readFile(path, "utf8")).slice(length);
      length += text.length;
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
      expect(text).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]*\n$/);
      expect(JSON.parse(text)).toMatchObject({ who, to });
    }),
    { numRuns: 30 },
  );
});

test("a renamed file is left alone, and a new one is started", async () => {
  const path = newPath();
  const audit = openAudit(path);
  await audit.append(entry({ id: "old" }));
  await rename(path, `${path}.1`);
  await audit.append(entry({ id: "new" }));
  expect(await linesOf(`${path}.1`)).toHaveLength(1);
  expect(await linesOf(path)).toEqual([expect.stringContaining('"id":"new"')]);
});

test("half a line left by a full disk is not continued", async () => {
  const path = newPath();
  await writeFile(path, '{"time":"20');
  await openAudit(path).append(entry());
  await openAudit(path).append(entry());
  const [torn, ...whole] = await linesOf(path);
  expect(torn).toBe('{"time":"20');
  expect(whole.map((line) => JSON.parse(line))).toHaveLength(2);
});

test.each([
  ["a full disk", "/dev/full", "ENOSPC"],
  ["a folder", tmpdir(), "EISDIR"],
  ["a file that nobody may write", "/proc/version", process.getuid?.() === 0 ? "EIO" : "EACCES"],
  ["a folder that is not there", "/nowhere/audit", "ENOENT"],
])("%s is reported", async (_what, path, code) => {
  await expect(openAudit(path).append(entry())).rejects.toMatchObject({ code });
});

test("without a file nothing is written", async () => {
  const audit = openAudit(undefined);
  await audit.append(entry());
  await audit.check();
});

test("a probe reports what it can without writing", async () => {
  const path = newPath();
  await appendFile(path, "");
  await openAudit(path).check();
  expect((await stat(path)).size).toBe(0);
  await expect(openAudit(tmpdir()).check()).rejects.toMatchObject({ code: "EISDIR" });
});

test("concurrent appends leave no empty line after a torn one", async () => {
  const path = newPath();
  await writeFile(path, '{"torn":');
  const audit = openAudit(path);
  await Promise.all(Array.from({ length: 20 }, (_, at) => audit.append(entry({ id: `${at}` }))));
  const [torn, ...lines] = await linesOf(path);
  expect(torn).toBe('{"torn":');
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(lines.map((_, at) => `${at}`));
  expect(lines).toHaveLength(20);
});
