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

interface Shown {
  readonly results?: readonly { readonly document_id: string }[];
  readonly citations?: readonly { readonly location: { readonly document_id: string } }[];
}

/** The documents that the response shows, each once. */
async function ask(app: App, name: string, query: string): Promise<ReadonlySet<string>> {
  // With every result, because which are weak depends on how far the model has read.
  const more = name === "knowledge-search" ? { min_relevance: 0 } : {};
  const { payload } = await app.call(name, { query, ...more }, { signal });
  const { results = [], citations = [] } = payload as Shown;
  const cited = citations.map(({ location }) => location.document_id);
  return new Set([...results.map((each) => each.document_id), ...cited]);
}

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
      await app.call("knowledge-add", { file_path: join(folder, name), async: false }, { signal });
    // A command that runs once counts nothing.
    await ask(app, "knowledge-search", "What do herons eat?");
  });
  const responses: ReadonlySet<string>[] = [];
  await withApp(async (app) => {
    expect(await stale(app)).toEqual([]);
    await app.startWork();
    for (const [name, question] of [
      ["knowledge-search", "Ferries leave the harbour of Bergen at six"],
      ["knowledge-search", "Storks nest near the harbour"],
      ["kb_answer", "What do herons eat in the harbour?"],
      ["kb_answer", "What do herons eat in the harbour of Bergen?"],
    ] as const)
      responses.push(await ask(app, name, question));
  });
  await withApp(async (app) => {
    const rows = await stale(app);
    const names = rows.map(({ filename }) => filename);
    expect(names.sort()).toEqual(["ferries.md", "herons.md"]);
    for (const { document_id: id, shown } of rows)
      expect(shown).toBe(responses.filter((response) => response.has(id)).length);
    const counts = rows.map(({ shown }) => shown);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    const herons = rows.find(({ filename }) => filename === "herons.md");
    expect(herons).toMatchObject({ title: "Herons", scope: "general" });
    expect(herons?.modified).toContain("2020-01-01");
    expect(await stale(app, 36_500)).toEqual([]);
  });
});
