// What is shown often and old: counted by servers, listed for people.
import { rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type App, openApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config/config.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempFolder } from "../support/temp-folder.ts";

const { signal } = new AbortController();

let folder: string;
beforeEach(() => {
  folder = tempFolder("stale");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function withApp<T>(work: (app: App) => Promise<T>): Promise<T> {
  const flags = { "data-dir": join(folder, "data"), roots: folder };
  const place = { env: {}, cwd: folder, home: folder, platform: process.platform };
  const app = await openApp(await loadConfig(flags, place), silentLog());
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

const ask = (app: App, name: string, query: string) => app.call(name, { query }, { signal });

const stale = (app: App, olderThanDays = 365) =>
  app.operations.staleDocuments({ olderThanDays, limit: 10 });

test("what servers show is counted once per response; the old ones are listed, most shown first", async () => {
  for (const [name, text, year] of [
    ["herons.md", "# Herons\n\nHerons eat fish in the harbour of Bergen.", 2020],
    ["ferries.md", "# Ferries\n\nFerries leave the harbour of Bergen at six.", 2019],
    ["new.md", "# Storks\n\nStorks nest near the harbour of Bergen.", 2026],
  ] as const) {
    await writeFile(join(folder, name), text);
    await utimes(join(folder, name), new Date(`${year}-01-01`), new Date(`${year}-01-01`));
  }
  await withApp(async (app) => {
    for (const name of ["herons.md", "ferries.md", "new.md"])
      await app.call("knowledge-add", { file_path: join(folder, name) }, { signal });
    // A command that runs once counts nothing.
    await ask(app, "knowledge-search", "What do herons eat?");
  });
  await withApp(async (app) => {
    expect(await stale(app)).toEqual([]);
    await app.startWork();
    await ask(app, "knowledge-search", "When do ferries leave?");
    await ask(app, "knowledge-search", "Where do storks nest?");
    await ask(app, "kb_answer", "What do herons eat in the harbour?");
    await ask(app, "kb_answer", "What do herons eat in the harbour of Bergen?");
  });
  await withApp(async (app) => {
    const rows = await stale(app);
    expect(rows.map(({ filename }) => filename).sort()).toEqual(["ferries.md", "herons.md"]);
    expect(rows.map(({ shown }) => shown)).toEqual(
      rows
        .map(({ shown }) => shown)
        .sort()
        .reverse(),
    );
    const herons = rows.find(({ filename }) => filename === "herons.md");
    expect(herons).toMatchObject({ title: "Herons", scope: "general" });
    expect(herons?.modified).toContain("2020-01-01");
    expect(herons?.shown).toBeGreaterThanOrEqual(2);
    expect((await stale(app, 36_500)).length).toBe(0);
  });
});
