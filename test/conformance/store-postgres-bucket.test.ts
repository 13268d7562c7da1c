// Originals in a bucket: nothing acknowledged is lost, and nothing stays behind, whatever fails in between.
import { createHash, randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PostgresOptions } from "../../src/store/postgres/postgres.ts";
import type { Store } from "../../src/store/store.ts";
import { eventually } from "../support/eventually.ts";
import { openPlainIngest } from "../support/plain-ingest.ts";
import { openGate, plainExtract } from "../support/plain-parts.ts";
import { refuse, S3_KEYS, S3_REGION, type S3Server, startS3 } from "../support/s3-server.ts";
import { addSample } from "../support/sample-documents.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { asAdministrator, tempDatabase } from "../support/temp-postgres.ts";

const database = await tempDatabase();
afterAll(() => database?.drop());

const folder = tempFolder("bucket");
let server: S3Server;
let base: string;
let opened: Store[];
let store: Store;

beforeEach(async () => {
  server = await startS3();
  server.put("files/other", "of another program");
  base = randomUUID();
  opened = [];
  store = open();
});
afterEach(async () => {
  await Promise.all(opened.map((each) => each.close()));
  await server.close();
});

const PLACE: { readonly place?: string } = { place: "s3://files/originals" };

function open({ credentials = S3_KEYS, at = PLACE } = {}): Store {
  return openWith({ originals: { ...at, endpoint: server.url, region: S3_REGION, credentials } });
}

function openWith(options: Partial<PostgresOptions>): Store {
  const made = database?.open({ base, ...options }) as Store;
  opened.push(made);
  return made;
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

async function keep(text: string, into = store, hash = hashOf(text)): Promise<string> {
  const path = join(folder, randomUUID());
  await writeFile(path, text);
  await into.originals.keep(hash, path);
  return hash;
}

async function read(hash: string, from = store): Promise<string> {
  const { path, release } = await from.originals.open(hash);
  return readFile(path, "utf8").finally(release);
}

/** Without that of the other program. */
const objects = () => [...server.objects.keys()].filter((name) => name !== "files/other");
const ask = (text: string) =>
  asAdministrator(database?.url ?? "", (sql) =>
    sql.unsafe<Record<string, unknown>[]>(
      text.replaceAll("KB", `kb = (SELECT kb FROM knowledge.bases WHERE name = '${base}')`),
    ),
  );
const loose = () => ask("SELECT address, doomed FROM knowledge.loose_objects WHERE KB");
const gone = () => eventually(() => expect(objects()).toEqual([]));

describe.skipIf(!database)("originals in a bucket", () => {
  test("are there and not in the database, under their hash", async () => {
    const hash = await keep("the heron waits");
    expect(objects()).toEqual([expect.stringMatching(`^files/originals/${hash}/[0-9a-f-]{36}$`)]);
    expect(server.objects.get(objects()[0] ?? "")?.bytes.toString()).toBe("the heron waits");
    expect(await ask("SELECT 1 FROM knowledge.original_parts WHERE KB")).toHaveLength(0);
    expect(await loose()).toHaveLength(0);
    expect(await read(hash)).toBe("the heron waits");
    expect((await store.health()).originalsLocation).toBe("s3://files/originals");
  });

  test("the database knows an object before it is uploaded, and an original only after", async () => {
    const hash = hashOf("in order");
    const seen: unknown[] = [];
    server.faults.push(async (response) => {
      const [{ address = "" } = {}] = await loose();
      seen.push(String(address).startsWith(`s3://files/originals/${hash}/`));
      seen.push(await store.originals.has(hash));
      refuse(response, 503, "SlowDown");
    });
    await keep("in order");
    expect(seen).toEqual([true, false]);
    expect(await store.originals.has(hash)).toBe(true);
  });

  test("an object is deleted once its removal is committed", async () => {
    const contentHash = await keep("removed");
    const id = await addSample(store.documents, ["a"], { contentHash });
    const seen: boolean[] = [];
    server.faults.push(async (response) => {
      seen.push(await store.originals.has(contentHash));
      refuse(response, 503, "SlowDown");
    });
    await store.documents.remove(id);
    await gone();
    expect(seen).toEqual([false]);
    await eventually(async () => expect(await loose()).toHaveLength(0));
  });

  test("an object that could not be deleted is deleted later, by any server", async () => {
    const contentHash = await keep("stays for a while");
    const id = await addSample(store.documents, ["a"], { contentHash });
    for (let at = 0; at < 3; at++)
      server.faults.push((response) => refuse(response, 503, "SlowDown"));
    await store.documents.remove(id);
    await eventually(() => expect(server.faults).toHaveLength(0));
    expect(objects()).toHaveLength(1);
    await store.close();
    await open({ at: {} }).originals.sweep();
    await gone();
  });

  test("an upload that nobody finished is deleted, but not before it may be finished", async () => {
    server.faults.push((response) => {
      server.put(`files/originals/${hashOf("half")}/x`, "half");
      refuse(response, 400, "Gone");
    });
    await expect(keep("half")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await ask(`UPDATE knowledge.loose_objects SET address = 's3://${objects()[0]}' WHERE KB`);
    await store.originals.sweep();
    expect(objects()).toHaveLength(1);
    await ask("UPDATE knowledge.loose_objects SET since = now() - interval '2 hours' WHERE KB");
    await store.originals.sweep();
    await gone();
  });

  test("an upload that was given up meanwhile is not acknowledged", async () => {
    server.faults.push(async (response) => {
      await ask("UPDATE knowledge.loose_objects SET doomed = true WHERE KB");
      refuse(response, 503, "SlowDown");
    });
    await expect(keep("too late")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(await store.originals.has(hashOf("too late"))).toBe(false);
    await store.originals.sweep();
    await gone();
  });

  test("two servers that receive the same file at once keep one object", async () => {
    const other = open();
    await Promise.all([keep("twice"), keep("twice", other), keep("twice"), keep("twice", other)]);
    await eventually(() => expect(objects()).toHaveLength(1));
    expect(await read(hashOf("twice"))).toBe("twice");
    await keep("twice");
    expect(objects()).toHaveLength(1);
  });

  test("a file that is stored again while its object is being deleted gets another", async () => {
    const contentHash = await keep("again");
    const id = await addSample(store.documents, ["a"], { contentHash });
    const [first] = objects();
    server.faults.push(async (response) => {
      await keep("again");
      refuse(response, 503, "SlowDown");
    });
    await store.documents.remove(id);
    await eventually(async () => expect(await loose()).toHaveLength(0));
    expect(objects()).toHaveLength(1);
    expect(objects()).not.toContain(first);
    expect(await read(contentHash)).toBe("again");
  });

  test("an object that someone deleted is missed, and adding the file restores it", async () => {
    const contentHash = await keep("lost");
    await addSample(store.documents, ["a"], { contentHash });
    expect(await store.originals.survey()).toMatchObject({ missing: 0 });
    server.objects.delete(objects()[0] ?? "");
    expect(await store.originals.survey()).toMatchObject({ missing: 1 });
    await expect(store.originals.open(contentHash)).rejects.toMatchObject({
      code: "FILE_NOT_FOUND",
    });
    await keep("lost");
    expect(await read(contentHash)).toBe("lost");
    expect(await store.originals.survey()).toMatchObject({ missing: 0 });
  });

  test("an object that someone changed is not passed on", async () => {
    const hash = await keep("as it was added");
    server.put(objects()[0] ?? "", "as it was changed");
    await expect(store.originals.open(hash)).rejects.toMatchObject({ code: "STORE_CORRUPT" });
  });

  test("what goes to the trash stays in the bucket until the trash is emptied", async () => {
    const contentHash = await keep("left its folder");
    const id = await addSample(store.documents, ["a"], { contentHash });
    await store.documents.remove(id, "left-folder");
    expect(await store.originals.has(contentHash)).toBe(false);
    await store.originals.sweep();
    expect(await read(contentHash)).toBe("left its folder");
    await ask(
      "UPDATE knowledge.originals SET trash_days = array(SELECT current_date - n FROM generate_series(1, 40) n) WHERE KB",
    );
    await store.originals.sweep();
    await gone();
  });

  test("a file that changes while it is stored is not kept", async () => {
    const other = keep("what it is now", store, hashOf("what it was"));
    await expect(other).rejects.toMatchObject({ code: "FILE_UNAVAILABLE" });
    expect(await store.originals.has(hashOf("what it was"))).toBe(false);
    expect(objects()).toEqual([]);
  });

  test("a bucket that cannot be reached is named as the reason, and works when it is back", async () => {
    const hash = await keep("before");
    const away = openWith({
      originals: {
        place: "s3://files/x",
        endpoint: "http://127.0.0.1:1",
        region: S3_REGION,
        credentials: S3_KEYS,
      },
    });
    const code = "STORE_UNAVAILABLE";
    const details = { reason: { code: "bucketAway" } };
    await expect(keep("meanwhile", away)).rejects.toMatchObject({ code, details });
    await expect(read(hash, away)).rejects.toMatchObject({ code, details });
    expect(await away.originals.has(hashOf("meanwhile"))).toBe(false);
    expect(await away.health()).toMatchObject({
      ...{ connected: true, originalsAccessible: false },
      issues: [{ code: "bucketAway" }],
    });
    expect(await store.health()).toMatchObject({ originalsAccessible: true, issues: [] });
    await keep("meanwhile");
    expect(await read(hashOf("meanwhile"))).toBe("meanwhile");
  });

  test("a queued add waits for the bucket, which is no attempt of it", async () => {
    const root = tempFolder("bucket-files");
    const gate = openGate();
    const extract = plainExtract(gate);
    const ingest = openPlainIngest({ store, dataDir: tempFolder("bucket-data"), root, extract });
    const path = join(root, "note.txt");
    await writeFile(path, "The heron waits.");
    const asked = { metadata: {}, forceOcr: false, signal: new AbortController().signal };
    const { task } = await ingest.enqueue({ kind: "file", path }, asked);
    for (let at = 0; at < 6; at++)
      server.faults.push((response) => refuse(response, 503, "SlowDown"));
    gate.open();
    ingest.start();
    const done = await eventually(async () => {
      const found = await ingest.task(task.id);
      expect(found.status).toBe("completed");
      return found;
    });
    expect(server.faults).toHaveLength(0);
    expect(done.attempts).toBe(1);
    await ingest.close();
  });

  test("keys that the bucket refuses are named as the reason", async () => {
    const refused = open({ credentials: { ...S3_KEYS, secretAccessKey: "wrong" } });
    await expect(keep("refused", refused)).rejects.toThrow(/SignatureDoesNotMatch.*credentials/);
    expect(await refused.health()).toMatchObject({ originalsAccessible: false });
  });

  test("originals stay where they are when the setting changes", async () => {
    const inBucket = await keep("in the bucket");
    const plain = open({ at: {} });
    const inDatabase = await keep("in the database", plain);
    expect(objects()).toHaveLength(1);
    for (const each of [store, plain, open({ at: { place: "s3://files/elsewhere" } })]) {
      expect(await read(inBucket, each)).toBe("in the bucket");
      expect(await read(inDatabase, each)).toBe("in the database");
    }
  });
});
