// The package is complete: installed in an empty folder, with a new home folder, it adds, searches,
// answers and shows its pages.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { installPackage } from "../support/installed.ts";
import { startHttpProgram } from "../support/process.ts";
import { runToEnd } from "../support/run.ts";
import { tempFolder } from "../support/temp-folder.ts";

const home = tempFolder("installed");
let main: string;
beforeAll(async () => {
  main = await installPackage(join(home, "package"));
  await mkdir(join(home, "notes"));
  await writeFile(
    join(home, "notes", "boiler.md"),
    "# Boiler\n\nThe warranty of the boiler lasts 24 months.\n",
  );
  // A package is unpacked and installed: a loaded machine takes minutes.
}, 300_000);

async function run(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runToEnd({ args, folder: home, main });
  expect(code, stderr).toBe(0);
  return stdout;
}

test("it adds, searches and answers", async () => {
  expect(await run("add", "notes")).toContain("1 added");
  expect(await run("search", "how long is the guarantee?")).toContain("24 months");
  expect(await run("answer", "How long does the warranty of the boiler last?")).toContain(
    "24 months",
  );
});

test("it serves the console's pages, with their files", async () => {
  const server = await startHttpProgram({ args: [], main });
  try {
    const page = await fetch(`${server.url}/`);
    expect(page.status).toBe(200);
    const script = /src="([^"]+\.js)"/.exec(await page.text())?.[1] ?? "";
    const code = await fetch(new URL(script, `${server.url}/`));
    expect([code.status, (await code.text()).length > 1_000]).toEqual([200, true]);
  } finally {
    await server.stop();
  }
});
