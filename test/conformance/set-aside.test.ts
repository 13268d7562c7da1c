// Tasks and documents with unreadable rows are set aside or shown without the broken fields; the rest works.

import { createHash, randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { UNREADABLE_METADATA } from "../../src/domain/metadata.ts";
import { toEnglish } from "../../src/domain/phrases/messages.ts";
import type { AddRequest } from "../../src/domain/task.ts";
import type { Store } from "../../src/store/store.ts";
import { addSample, foundTexts } from "../support/sample-documents.ts";
import { asAdministrator, tempDatabase } from "../support/temp-postgres.ts";
import { tempStore } from "../support/temp-store.ts";

const LONG_MS = 60_000;
const REQUEST: AddRequest = {
  contentHash: createHash("sha256").update("set aside").digest("hex"),
  filename: "report.pdf",
  sizeBytes: 3,
  metadata: {},
  forceOcr: false,
};

function nested(levels: number): unknown {
  let value: unknown = {};
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}

/** Values of the `request` column, as another program, an earlier version or a failing disk might leave them. */
const BROKEN: readonly (readonly [string, string])[] = [
  ["nested as deep as stopped the queue", JSON.stringify({ ...REQUEST, metadata: nested(1_660) })],
  ["nested a level too deep", JSON.stringify({ ...REQUEST, metadata: nested(17) })],
  ["null", "null"],
  ["a number", "7"],
  ["a text", '"queued"'],
  ["a list", "[]"],
  ["an empty object", "{}"],
  ...Object.keys(REQUEST).flatMap((key) => [
    [`without ${key}`, JSON.stringify({ ...REQUEST, [key]: undefined })] as const,
    [`${key} null`, JSON.stringify({ ...REQUEST, [key]: null })] as const,
    [`${key} a list`, JSON.stringify({ ...REQUEST, [key]: [1] })] as const,
  ]),
];
/** Only a text column can hold what is no JSON at all. */
const NO_JSON: readonly (readonly [string, string])[] = [
  ["empty", ""],
  ["cut off", JSON.stringify(REQUEST).slice(0, 40)],
  ["zeros", "\0".repeat(200)],
];

interface Subject {
  readonly store: Store;
  /** Writes a column of a task or document past the store. */
  spoil(table: "tasks" | "documents", id: string, column: string, value: string): Promise<void>;
}

function cases(subject: () => Subject, broken: readonly (readonly [string, string])[]): void {
  test("a task that cannot be parsed is set aside, its file is kept, and the queue continues", async () => {
    const { store, spoil } = subject();
    for (const [what, value] of broken) {
      const id = randomUUID();
      await store.tasks.enqueue(id, REQUEST);
      await spoil("tasks", id, "request", value);
      const next = await store.tasks.enqueue(randomUUID(), REQUEST);
      expect(await store.tasks.claim("w1", LONG_MS), what).toMatchObject({ id: next.id });
      expect(await store.tasks.get(id), what).toMatchObject({
        status: "failed",
        failure: { error: "task_unreadable" },
      });
      expect(await store.tasks.counts()).toEqual({ queued: 0, running: 1 });
      await store.tasks.cancel(next.id);
      expect(await store.tasks.claimById(id, "w1", LONG_MS)).toBeUndefined();
    }
    expect(await store.tasks.prune("2999-01-01T00:00:00.000Z")).toBe(broken.length);
    const setAside = await store.tasks.list({ limit: 100 });
    expect(setAside).toHaveLength(broken.length);
    const count = `${broken.length} tasks cannot be read`;
    await expect
      .poll(async () => (await store.health()).issues.map(toEnglish).join())
      .toContain(count);
    expect(await store.originals.discard(REQUEST.contentHash, new Date().toISOString())).toBe(
      "kept",
    );
    expect(await store.originals.has(REQUEST.contentHash)).toBe(true);
    for (const { id } of setAside) {
      expect(await store.tasks.cancel(id)).toMatchObject({ status: "cancelled" });
    }
    await expect.poll(async () => (await store.health()).issues).toEqual([]);
  });

  test("a task that is claimed repeatedly without ending is set aside", async () => {
    const { tasks } = subject().store;
    const { id } = await tasks.enqueue(randomUUID(), REQUEST);
    let claims = 0;
    while (await tasks.claim("dead", LONG_MS)) {
      claims += 1;
      await tasks.expire(id, "dead");
    }
    expect(claims).toBe(10);
    expect((await tasks.get(id))?.failure?.error).toBe("task_unreadable");
    await tasks.cancel(id);
  });

  test("tasks with other unreadable columns are listed and run", async () => {
    const { store, spoil } = subject();
    const { id } = await store.tasks.enqueue(randomUUID(), REQUEST);
    await spoil("tasks", id, "progress", "[]");
    expect(await store.tasks.claim("w1", LONG_MS)).toMatchObject({ id });
    await store.tasks.fail(id, "w1", { error: "corrupt_file", message: "It is broken." });
    await spoil("tasks", id, "failure", "7");
    expect(await store.tasks.list({ limit: 1 })).toMatchObject([{ id, status: "failed" }]);
  });

  test("a document with unreadable metadata can be found, listed without it, and removed", async () => {
    const { store, spoil } = subject();
    const { documents } = store;
    const id = await addSample(documents, ["spoiled words"], { metadata: { a: 1 } });
    await spoil("documents", id, "metadata", JSON.stringify(nested(1_660)));
    expect(await documents.get(id)).toMatchObject({
      metadata: {},
      warnings: expect.arrayContaining([UNREADABLE_METADATA]),
    });
    const page = { limit: 10, offset: 0, sortBy: "date_added", sortOrder: "asc" } as const;
    expect((await documents.list(page)).documents).toMatchObject([{ id, metadata: {} }]);
    expect(await foundTexts(documents, "spoiled")).toEqual(["spoiled words"]);
    expect(await documents.whole(id)).toMatchObject({ document: { metadata: {} } });
    await documents.adopt(id, { metadata: { b: 2 } });
    expect((await documents.get(id))?.metadata).toEqual({ b: 2 });
    expect(await documents.remove(id)).toMatchObject({ id });
  });
}

async function keepOriginal(store: Store, folder: string): Promise<void> {
  const path = join(folder, "incoming-copy");
  await writeFile(path, "set aside");
  await store.originals.keep(REQUEST.contentHash, path);
}

describe("sqlite", async () => {
  const temp = await tempStore();
  await keepOriginal(temp.store, temp.dataDir);
  afterAll(() => temp.dispose());
  const spoil: Subject["spoil"] = async (table, id, column, value) => {
    const database = new DatabaseSync(join(temp.dataDir, "knowledge.db"));
    database.prepare(`UPDATE ${table} SET ${column} = ? WHERE id = ?`).run(value, id);
    database.close();
  };
  cases(() => ({ store: temp.store, spoil }), [...BROKEN, ...NO_JSON]);
});

const database = await tempDatabase();

describe.skipIf(!database)("postgres", async () => {
  const store = database?.open() as Store;
  const folder = await tempStore();
  if (database) await keepOriginal(store, folder.dataDir);
  afterAll(async () => {
    await folder.dispose();
    await store?.close();
    await database?.drop();
  });
  const spoil: Subject["spoil"] = (table, id, column, value) =>
    asAdministrator(database?.url ?? "", async (sql) => {
      await sql`UPDATE knowledge.${sql(table)} SET ${sql(column)} = ${value}::text::jsonb
        WHERE id = ${id}`;
    });
  cases(() => ({ store, spoil }), BROKEN);
});
