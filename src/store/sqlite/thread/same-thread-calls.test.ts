import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.ts";
import { openStoreHere } from "../../../../test/support/temp-store.ts";
import { openSharedByThreads } from "../folder/shared-by-threads.ts";
import { openSameThreadCalls } from "./same-thread-calls.ts";

const open = (dataDir: string) => openSameThreadCalls({ dataDir, shared: openSharedByThreads() });

test("reads what another connection writes, and releases the folder", async () => {
  const dataDir = tempFolder("here");
  const store = openStoreHere(dataDir);
  await store.tasks.prune(new Date(0).toISOString());
  const reader = open(dataDir);
  expect(await reader.call("termStatistics", [[]])).toMatchObject({ chunkCount: 0 });
  await reader.close();
  await store.close();
  const again = open(dataDir);
  expect(await again.call("similarTerms", [["none"], 1])).toEqual([[]]);
  await again.close();
});

test("opens nothing before the first call, nor for an aborted call", async () => {
  const dataDir = tempFolder("here");
  const reader = open(dataDir);
  const given = { signal: AbortSignal.abort() };
  await expect(reader.call("status", [], given)).rejects.toMatchObject({ code: "CANCELLED" });
  await reader.close();
  expect(readdirSync(dataDir)).toEqual([]);
});

test("fails with errors of the catalogue", async () => {
  const dataDir = tempFolder("here");
  writeFileSync(
    join(dataDir, "knowledge.db"),
    "no database, but longer than a header of one".repeat(9),
  );
  const reader = open(dataDir);
  await expect(reader.call("status", [])).rejects.toMatchObject({
    code: expect.stringMatching(/^STORE_/),
  });
  await reader.close();
});
