// Which failures mean "later" and which are final: one rule, by the catalogue, for every way to add a file.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ERRORS, type ErrorCode, isOutage, KnowledgeError } from "../../src/domain/errors.ts";
import type { Extract } from "../../src/extract/extract.ts";
import type { Ingest } from "../../src/ingest/ingest.ts";
import { eventually } from "../support/eventually.ts";
import { openPlainIngest } from "../support/plain-ingest.ts";
import { openGate, plainExtract } from "../support/plain-parts.ts";
import { type TempStore, tempStore } from "../support/temp-store.ts";

const { signal } = new AbortController();
const CODES = Object.keys(ERRORS) as ErrorCode[];
type Outcome = "later" | "final";
const WANTED = Object.fromEntries(CODES.map((code) => [code, isOutage(code) ? "later" : "final"]));

let temp: TempStore;
let ingest: Ingest;
let root: string;

beforeEach(async () => {
  temp = await tempStore();
  root = join(temp.dataDir, "files");
  const extract = failingOnce();
  ingest = openPlainIngest({ store: temp.store, dataDir: temp.dataDir, root, extract });
});
afterEach(async () => {
  await ingest.close();
  await temp.dispose();
});

/** Fails once for each file, with the code in its text; a file that is not found is looked for several times. */
function failingOnce(): Extract {
  const plain = plainExtract(openGate());
  const failed = new Set<string>();
  return {
    ...plain,
    async extract(source, options) {
      const read = await plain.extract(source, options);
      const code = read.text.split(" ")[0] as ErrorCode;
      const isFirst = !failed.has(read.text);
      failed.add(read.text);
      if (isFirst || code === "FILE_NOT_FOUND") throw new KnowledgeError(code, "It failed.");
      return read;
    },
  };
}

async function write(code: ErrorCode, name: string): Promise<string> {
  const path = join(root, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${code} ${name}`);
  return path;
}

async function endOf(path: string): Promise<Outcome> {
  const { task } = await ingest.enqueue(
    { kind: "file", path },
    { metadata: {}, forceOcr: false, signal },
  );
  return endOfTask(task.id);
}

async function endOfTask(id: string): Promise<Outcome> {
  ingest.start();
  const ended = await eventually(async () => {
    const found = await ingest.task(id);
    expect(["completed", "failed"]).toContain(found.status);
    return found;
  });
  const added = ended.result?.folder?.added ?? (ended.status === "completed" ? 1 : 0);
  return added === 1 ? "later" : "final";
}

const WAYS: Readonly<Record<string, (code: ErrorCode) => Promise<Outcome>>> = {
  "a queued file": async (code) => endOf(await write(code, `${code}.txt`)),
  "a file of a folder": async (code) => endOf(dirname(await write(code, `${code}/a.txt`))),
  async "a file of a watched folder"(code) {
    const address = dirname(await write(code, `${code}-watched/a.txt`));
    const id = await ingest.sources.put({ kind: "folder", address, settings: {} });
    return endOfTask((await ingest.sources.sync(id, signal)).id);
  },
};

describe("after an outage the work is done later, and any other failure is final", () => {
  test.each(Object.entries(WAYS))("for %s", async (_way, outcomeOf) => {
    const outcomes = await Promise.all(CODES.map(outcomeOf));
    const got = Object.fromEntries(CODES.map((code, at) => [code, outcomes[at]]));
    expect(got).toEqual(WANTED);
  });

  test("the store, its disk, the audit log, the model and the system are what can be out", () => {
    expect(CODES.filter(isOutage).sort()).toEqual([
      "ANSWER_SERVICE",
      "AUDIT_UNAVAILABLE",
      "MODEL_UNAVAILABLE",
      "OVERLOADED",
      "STORE_FULL",
      "STORE_UNAVAILABLE",
      "SYSTEM_UNAVAILABLE",
    ]);
  });
});
