// What people see of adds that nobody works on.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config/config.ts";
import { runCommand } from "../support/commands.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempFolder } from "../support/temp-folder.ts";

test("tasks says who works on queued adds, and cancels one by the start of its id", async () => {
  const dataDir = tempFolder("queued-tasks");
  const place = { env: {}, cwd: dataDir, home: dataDir, platform: process.platform };
  const config = await loadConfig({ "data-dir": join(dataDir, "data") }, place);
  const app = await openApp(config, silentLog(), "tasks");
  const tasks = (options = {}) =>
    runCommand({ name: "tasks", args: [], options, dataDir: join(dataDir, "data") });
  expect((await tasks()).text).toBe("There are no tasks.\n");
  // Of 17 ids, two begin with the same of 16 digits.
  for (const name of ["owl.txt", ...Array.from({ length: 16 }, (_, at) => `${at}.txt`)]) {
    const file_path = join(dataDir, name);
    await writeFile(file_path, `About the ${name}.`);
    const { signal } = new AbortController();
    await app.call("knowledge-add", { file_path }, { signal });
  }
  await app.close();
  const { text } = await tasks();
  expect(text).toMatch(/owl\.txt\s+queued/);
  expect(text).toContain("Without one, run `knowledge-server worker`.");
  const firsts = [...text.matchAll(/^([\da-f])[\da-f]{7} /gm)].map(([, first = ""]) => first);
  const twice = firsts.find((first, at) => firsts.indexOf(first) !== at) ?? "";
  await expect(tasks({ cancel: [twice] })).rejects.toThrow(`'${twice}' is ambiguous.`);
  const id = /([\da-f]{8})\s+owl\.txt/.exec(text)?.[1] ?? "";
  expect((await tasks({ cancel: [id] })).text).toBe("owl.txt: cancelled\n");
  await expect(tasks({ cancel: [""] })).rejects.toThrow("There is no task ''.");
});
