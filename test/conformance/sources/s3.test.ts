// A bucket as a source, on a server that checks every signature.
import { afterEach, beforeEach, expect, test } from "vitest";
import { readInternalMetadata, visibleMetadata } from "../../../src/domain/internal-metadata.ts";
import { toEnglish, toMessage } from "../../../src/domain/phrases/messages.ts";
import type { SourceSettings } from "../../../src/domain/source.ts";
import { refuse, S3_KEYS, S3_REGION, type S3Server, startS3 } from "../../support/s3-server.ts";
import { type TempIngest, tempIngest } from "../../support/temp-ingest.ts";

const NEVER = new AbortController().signal;
const FIRST = { limit: 100, offset: 0, sortBy: "filename", sortOrder: "asc" } as const;

let at: TempIngest;
let server: S3Server;

beforeEach(async () => {
  server = await startS3({ pageSize: 2 });
  const s3 = { endpoint: server.url, region: S3_REGION, credentials: S3_KEYS };
  at = await tempIngest({ s3 });
});
afterEach(async () => {
  await at.dispose();
  await server.close();
});

async function sync(address: string, settings: SourceSettings = {}) {
  const id = await at.ingest.sources.put({ address, settings }, "anywhere");
  const task = await at.ingest.sources.sync(id, NEVER);
  const { failure } = await at.ingest.finish(task.id, { signal: NEVER });
  const source = (await at.ingest.sources.list()).find((each) => each.id === id);
  server.asked.splice(0);
  return { failure, run: source?.lastRun };
}

async function documents() {
  const { documents: found } = await at.store.documents.list(FIRST);
  return found.map(({ filename, sourcePath, metadata }) => ({
    ...{ filename, sourcePath, metadata: visibleMetadata(metadata) },
    modified: readInternalMetadata(metadata).modified,
  }));
}

const fetched = () => server.asked.filter((line) => !line.includes("list-type"));

test("the objects below a prefix are added with dates, and then only what has changed", async () => {
  server.put("our-docs/manual/a.md", "alpha");
  server.put("our-docs/manual/deep/b c+ü.md", "beta", new Date("2026-04-05T06:07:08Z"));
  server.put("our-docs/manual/x.bin", "binary");
  server.put("our-docs/manual/.hidden/c.md", "hidden");
  server.put("our-docs/manual/id_rsa.txt", "");
  server.put("our-docs/other/d.md", "other");
  const address = "s3://our-docs/manual/";
  expect((await sync(address)).run).toMatchObject({ found: 2, added: 2, failed: 0 });
  expect(await documents()).toEqual([
    {
      ...{ filename: "a.md", sourcePath: "s3://our-docs/manual/a.md", metadata: {} },
      modified: "2026-02-03T04:05:06.000Z",
    },
    {
      ...{ filename: "b c+ü.md", sourcePath: "s3://our-docs/manual/deep/b c+ü.md", metadata: {} },
      modified: "2026-04-05T06:07:08.000Z",
    },
  ]);
  const before = await at.store.documents.list(FIRST);
  const task = await at.ingest.sources.sync((await at.ingest.sources.list())[0]?.id ?? "", NEVER);
  await at.ingest.finish(task.id, { signal: NEVER });
  expect(fetched()).toEqual([]);
  expect(await at.store.documents.list(FIRST)).toEqual(before);
  server.put("our-docs/manual/a.md", "alpha, changed");
  server.objects.delete("our-docs/manual/deep/b c+ü.md");
  expect((await sync(address)).run).toMatchObject({ found: 1, added: 1, removed: 1 });
  expect((await at.store.documents.list(FIRST)).documents[0]?.id).toBe(
    before.documents.find(({ filename }) => filename === "a.md")?.id,
  );
});

test("attributes beside an object, as Bedrock reads them, become its metadata", async () => {
  server.put("our-kb/report.md", "alpha");
  const year = { value: { type: "NUMBER", numberValue: 2026 }, includeForEmbedding: true };
  const attributes = { metadataAttributes: { team: "legal", year, tags: ["a", "b"] } };
  server.put("our-kb/report.md.metadata.json", JSON.stringify(attributes));
  server.put("our-kb/broken.md", "beta");
  server.put("our-kb/broken.md.metadata.json", "{");
  expect((await sync("s3://our-kb")).run).toMatchObject({ found: 2, added: 2, failed: 0 });
  const [broken, report] = await documents();
  expect(report?.metadata).toEqual({ team: "legal", year: 2026, tags: ["a", "b"] });
  expect(broken?.metadata).toEqual({});
});

test("only a person at the machine may add one", async () => {
  const put = at.ingest.sources.put({ address: "s3://our-docs/x", settings: {} });
  await expect(put).rejects.toMatchObject({ code: "ACCESS_DENIED" });
});

test("patterns and the limit apply; what is beyond the limit is not removed", async () => {
  for (const name of ["a", "b", "c"]) server.put(`our-kb/x/${name}.md`, name);
  expect((await sync("s3://our-kb/x/", { exclude: ["b.md"] })).run).toMatchObject({ added: 2 });
  const { run } = await sync("s3://our-kb/x/", { maxItems: 1 });
  expect(run).toMatchObject({ removed: 0 });
  expect(run?.problem && toEnglish(run.problem)).toContain("more than 1 item");
  expect(await documents()).toHaveLength(2);
});

test("a bucket that cannot be read, or looks empty, removes nothing and says why", async () => {
  server.put("our-kb/a.md", "alpha");
  await sync("s3://our-kb");
  const denied = (response: Parameters<typeof refuse>[0]) => refuse(response, 403, "AccessDenied");
  server.faults.push(denied);
  expect((await sync("s3://our-kb")).failure?.message).toContain("AccessDenied");
  server.objects.delete("our-kb/a.md");
  server.put("our-kb/picture.bin", "x");
  expect((await sync("s3://our-kb")).run?.problem).toEqual(toMessage("sourceEmpty", 1));
  expect(await documents()).toHaveLength(1);
});

test("an object that is too large, or fails, fails alone and is tried again", async () => {
  server.put("our-kb/a.md", "alpha");
  server.put("our-kb/large.md", "x".repeat(1024 * 1024 + 1));
  const { run } = await sync("s3://our-kb");
  expect(run).toMatchObject({ added: 1, failed: 1 });
  expect(run?.failures[0]?.message).toContain("maximum allowed size");
  server.put("our-kb/large.md", "small");
  expect((await sync("s3://our-kb")).run).toMatchObject({ added: 1, unchanged: 1, failed: 0 });
});

test.each([
  "s3://",
  "s3:///x",
  "s3://a?b",
  "http://s3/x",
  "s3://169.254.169.254@x/y",
  "s3://x#y/z",
])("%s is not the address of a bucket", async (address) => {
  const put = at.ingest.sources.put({ kind: "s3", address, settings: {} }, "anywhere");
  await expect(put).rejects.toMatchObject({ code: "INVALID_PARAMETER" });
});
