// Files that a test needs another process for: named pipes, and an audit file that several processes share.
import { execFile, execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { openPathGate } from "../../src/ingest/intake/path-gate.ts";
import { openKbFile } from "../../src/kbfile/kbfile.ts";
import type { AuditEntry } from "../../src/observe/audit.ts";
import { AS_BUILT } from "../support/shipped.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempFolder } from "../support/temp-folder.ts";

const AUDITING = new URL("../support/children/auditing.ts", import.meta.url);

let folder: string;
let pipe: string;
beforeAll(() => {
  folder = tempFolder("special");
  pipe = join(folder, "pipe.txt");
  execFileSync("mkfifo", [pipe]);
});

test("a named pipe is refused without waiting for its writer", async () => {
  const gate = openPathGate({
    roots: [folder],
    closed: [],
    home: folder,
    workingDirectory: folder,
  });
  await expect(gate.open(pipe)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
});

test("a named pipe as the knowledge base file fails with the reason, without its path", async () => {
  const kbFile = openKbFile({ path: pipe, log: silentLog() });
  await kbFile.loaded;
  const reason = expect.stringContaining("not a regular file");
  expect(kbFile.state()).toEqual({ kind: "failed", reason });
  expect(JSON.stringify(kbFile.state())).not.toContain(folder);
});

test("several processes append complete lines to one audit file", async () => {
  const path = join(folder, "audit");
  const names = ["one", "two", "three"];
  const append = (name: string) =>
    promisify(execFile)(process.execPath, [
      ...AS_BUILT,
      fileURLToPath(AUDITING),
      path,
      name,
      "200",
    ]);
  await Promise.all(names.map(append));
  // A process that looks while another writes takes the line for torn and starts with an empty one.
  const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
  const found = lines.map((line) => (JSON.parse(line) as AuditEntry).who);
  for (const name of names) expect(found.filter((who) => who === name)).toHaveLength(200);
});
