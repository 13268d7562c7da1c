// Leaving: everything as plain files, and back in without a change.
import { mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type App, openApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config/config.ts";
import { RULE_FILE_FORMATS } from "../../src/domain/scope.ts";
import { runCommand } from "../support/commands.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempFolder } from "../support/temp-folder.ts";

const { signal } = new AbortController();
const ALL = { limit: 100, offset: 0 };
const AS_IS = { prune: false, guides: false, strict: true, replace: false };

let folder: string;
beforeEach(() => {
  folder = tempFolder("leaving");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function withApp<T>(name: string, work: (app: App) => Promise<T>): Promise<T> {
  const flags = { "data-dir": join(folder, name), roots: folder };
  const place = { env: {}, cwd: folder, home: folder, platform: process.platform };
  const app = await openApp(await loadConfig(flags, place), silentLog());
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

const run = (base: string, name: string, args: readonly string[], options = {}) =>
  runCommand({ name, args, options, dataDir: join(folder, base) });

const RULES = `scopes:
  - id: company
    tier: GENERAL
    description: Everybody's rules.
    categories:
      git:
        description: How we commit. Read before any change.
        entries:
          commit: One change per commit.
          "Rate > limit/ing --> x": |-
            # A heading of its own

            - **Bold**: a list

            ### commit

            \`\`\`sh
            ## not a heading
            \`\`\`
            <!-- a comment -->
      "API design":
        description: ""
        entries:
          names: Plural nouns.
  - id: shop/api
    tier: PROJECT
    parent: company
    categories:
      git:
        description: ""
        entries:
          commit: Begin with the ticket.
`;

async function fill(app: App) {
  const rules = join(folder, "rules.yaml");
  await writeFile(rules, RULES);
  await app.operations.importRules([rules], AS_IS);
  await mkdir(join(folder, "a"));
  const files = [
    ["note.md", "---\ntags: [own]\n---\n# Note\n\nHerons nest in May.", "general"],
    ["a/note.md", "# Another note\n\nStorks nest in June.", "general"],
    ["a/Note.MD", "# A third note\n\nSwifts nest in July.", "general"],
    ["a/report.json", '{"harbour": "Bergen"}', "shop/api"],
  ] as const;
  for (const [name, text, scope] of files) {
    const path = join(folder, name);
    await writeFile(path, text);
    await utimes(path, new Date("2021-02-03"), new Date("2021-02-03"));
    const metadata = { team: "birds", nested: { year: 2021, tags: ["x"] } };
    const watch = { signal, onProgress: () => {} };
    expect(
      await app.operations.addFile({ path, metadata, forceOcr: false, scope }, watch),
    ).toMatchObject({ success: true });
  }
}

const stateOf = async (app: App) => ({
  documents: await app.operations.exportDocuments(ALL),
  rules: await (await app.operations.rules()).export("json"),
});

test("an import of what was exported changes nothing, and fills a new knowledge base with the same", async () => {
  const before = await withApp("one", async (app) => {
    await fill(app);
    return stateOf(app);
  });
  const out = join(folder, "out");
  expect(await run("one", "export", [out])).toMatchObject({ code: 0 });
  const files = (await readdir(out, { recursive: true })).filter((name) => /\./.test(name)).sort();
  expect(files).toEqual(
    [
      ...["note.md", "note (2).md", "Note (3).MD"].map((name) => `documents/general/${name}`),
      "documents/shop_api/report.json",
      "rules/rules.yaml",
    ]
      .flatMap((name) => (name.startsWith("rules") ? [name] : [name, `${name}.metadata.json`]))
      .sort(),
  );
  const note = before.documents.find(({ path }) => path === join(folder, "note.md"));
  expect(note?.metadata).toEqual({ team: "birds", nested: { year: 2021, tags: ["x"] } });
  expect(await readFile(join(out, "documents/general/note.md"), "utf8")).toContain("tags: [own]");
  const again = await run("one", "import", [out]);
  expect(again).toMatchObject({ code: 0, text: expect.stringContaining("0 added, 4 unchanged") });
  expect(await withApp("one", stateOf)).toEqual(before);
  const fresh = await run("two", "import", [out]);
  expect(fresh).toMatchObject({ code: 0, text: expect.stringContaining("4 added, 0 unchanged") });
  const after = await withApp("two", stateOf);
  const plain = ({ documents, rules }: typeof before) => ({
    rules,
    documents: documents
      .map(({ documentId: _, dateAdded: __, ...rest }) => rest)
      .sort((a, b) => (a.contentHash < b.contentHash ? -1 : 1)),
  });
  expect(plain(after)).toEqual(plain(before));
});

test("what was edited is imported alone; a folder that is not empty is left alone", async () => {
  await withApp("one", fill);
  const out = join(folder, "out");
  await run("one", "export", [out]);
  await expect(run("one", "export", [out])).rejects.toMatchObject({ code: "INVALID_PARAMETER" });
  await writeFile(join(out, "documents/general/note.md"), "# Note\n\nHerons nest in April.");
  await writeFile(join(out, "documents/general/note (2).md.metadata.json"), "{}");
  const { code, text } = await run("one", "import", [out]);
  expect(code).toBe(1);
  expect(text).toContain("1 added, 2 unchanged");
  expect(text).toContain("was not written by 'export'");
});

test("one scope alone can be exported", async () => {
  await withApp("one", fill);
  const out = join(folder, "out");
  const { text } = await run("one", "export", [out], { scope: "shop/api" });
  expect(text).toContain("Exported 1 document and 1 scope.");
});

describe.each(RULE_FILE_FORMATS)("rules as files for %s", (format) => {
  test("come back as they were", async () => {
    await withApp("one", async (app) => {
      await fill(app);
      const out = join(folder, "out");
      await run("one", "export", [out], { rules: format });
      const before = await (await app.operations.rules()).export("json");
      for (const [id, name] of [
        ["company", "company"],
        ["shop/api", "shop_api"],
      ] as const) {
        const path = join(out, "rules", name);
        const options = { ...AS_IS, scope: id, guides: true };
        const preview = await app.operations.previewRules([path], options);
        expect(preview).toMatchObject({ refused: [], fatal: [] });
        expect((await app.operations.importRules([path], options)).applied).toBe(true);
        const files = await readdir(path, { recursive: true });
        expect(files.length).toBeGreaterThan(0);
      }
      expect(await (await app.operations.rules()).export("json")).toBe(before);
    });
  });
});
