// Runs before tests that start the program: builds dist/ when it is missing or older than what it is made of, so that
// one test file run alone tests what is in src/ now.
import { globSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { buildProgram } from "../../scripts/build.ts";
import { buildConsole } from "../../scripts/console.ts";
import { PACKAGE } from "./shipped.ts";

export default async function buildFirst(): Promise<void> {
  const [program, pages] = await Promise.all([
    newest("{package.json,scripts/build.ts,scripts/entries.ts,src,src/**}"),
    newest(
      "{scripts/console.ts,src/{console/pages,domain,text,tools},src/{console/pages,domain,text,tools}/**}",
    ),
  ]);
  if ((await changedAt("dist/main.js")) < program) await buildProgram(PACKAGE);
  if ((await changedAt("dist/console/index.html")) < pages) await buildConsole();
}

/** Folders count too: a file that was removed leaves nothing else behind. */
async function newest(pattern: string): Promise<number> {
  const paths = globSync(pattern, { cwd: PACKAGE });
  return Math.max(...(await Promise.all(paths.map(changedAt))));
}

async function changedAt(path: string): Promise<number> {
  return stat(join(PACKAGE, path)).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
