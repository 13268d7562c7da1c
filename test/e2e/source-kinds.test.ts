// Buckets and exports through the program itself, with workers that die at any step.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { makeZip } from "../support/files/zip.ts";
import { programEnv } from "../support/process.ts";
import { runToEnd } from "../support/run.ts";
import { S3_KEYS, S3_REGION, type S3Server, startS3 } from "../support/s3-server.ts";
import { PROGRAM } from "../support/shipped.ts";
import { tempFolder } from "../support/temp-folder.ts";

const COUNT = 25;

let folder: string;
let server: S3Server;
let env: Record<string, string>;

beforeEach(async () => {
  folder = tempFolder("kinds");
  server = await startS3({ pageSize: 10 });
  env = {
    AWS_ENDPOINT_URL_S3: server.url,
    AWS_REGION: S3_REGION,
    AWS_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
  };
});
afterEach(() => server.close());

const data = () => ["--data-dir", join(folder, "data"), "--log-level", "warn"];

async function run(...args: readonly string[]) {
  const ended = await runToEnd({ args: [...args, ...data(), "--json"], folder, env });
  return { ...ended, value: JSON.parse(ended.stdout || "null") };
}

const documents = async () => {
  const { value } = await run("show", "--limit", "100");
  return (value.documents as { filename: string }[]).map(({ filename }) => filename).sort();
};

function startWorker(): ChildProcess {
  return spawn(process.execPath, [PROGRAM, "worker", ...data()], {
    cwd: folder,
    env: { ...programEnv(folder), ...env },
    stdio: "ignore",
  });
}

async function untilSynced() {
  const worker = startWorker();
  try {
    await eventually(async () => {
      const [source] = (await run("sources", "list")).value;
      expect(source).toMatchObject({ items: COUNT });
      expect(source.lastRun).toMatchObject({ failed: 0, removed: 0 });
      expect(source.task).toBeUndefined();
    });
  } finally {
    worker.kill("SIGTERM");
    await once(worker, "exit");
  }
}

const named = (extension: string) =>
  Array.from({ length: COUNT }, (_, at) => `${at} chapter.${extension}`).sort();

test("a bucket: workers that are killed at any request lose nothing, and nothing is there twice", async () => {
  for (let at = 0; at < COUNT; at += 1)
    server.put(
      `our-docs/manual/${at} chapter.md`,
      `# Chapter ${at}\n\nThe harbour ${at} is quiet.`,
    );
  await run("sources", "add", "s3://our-docs/manual/", "--every", "6h", "--later");
  for (const at of [1, 4, 12, 20]) {
    const worker = startWorker();
    const dead = once(worker, "exit");
    const before = server.asked.length;
    // The request after so many kills the worker, and gets no response.
    const kill = () => void worker.kill("SIGKILL");
    server.onRequest = () => server.asked.length - before >= at && kill();
    await dead;
  }
  server.onRequest = () => {};
  await untilSynced();
  expect(await documents()).toEqual(named("md"));
  server.asked.splice(0);
  const [{ id }] = (await run("sources", "list")).value;
  const again = await run("sources", "sync", id);
  expect(again.value[0].lastRun).toMatchObject({ unchanged: COUNT, added: 0 });
  expect(server.asked.every((line) => line.includes("list-type=2"))).toBe(true);
});

test("no credentials are stored, logged or shown", async () => {
  env["AWS_SECRET_ACCESS_KEY"] = "planted-secret-0123456789";
  server.put("our-docs/a.md", "alpha");
  const ended = await run("sources", "add", "s3://our-docs", "--log-level", "debug");
  expect(ended.stdout).toContain("SignatureDoesNotMatch");
  const listed = await run("sources", "list");
  for (const text of [ended.stdout, ended.stderr, listed.stdout])
    expect(text).not.toContain("planted-secret");
  delete env["AWS_ACCESS_KEY_ID"];
  env["AWS_EC2_METADATA_DISABLED"] = "true";
  const [{ id }] = listed.value;
  expect((await run("sources", "sync", id)).stdout).toContain("no AWS credentials");
});

test("an export: workers that are killed lose nothing, and nothing is there twice", async () => {
  const conversations = Array.from({ length: COUNT }, (_, at) => ({
    ...{ uuid: `u-${at}`, name: `${at} chapter`, created_at: "2026-03-14T09:12:00Z" },
    chat_messages: [{ sender: "human", text: `Is the harbour of chapter ${at} quiet?` }],
  }));
  const path = join(folder, "claude.zip");
  await writeFile(path, makeZip({ "conversations.json": JSON.stringify(conversations) }));
  await run("sources", "add", path, "--every", "6h", "--later");
  for (const least of [1, 10]) {
    const worker = startWorker();
    const dead = once(worker, "exit");
    await eventually(async () => expect((await documents()).length).toBeGreaterThanOrEqual(least));
    worker.kill("SIGKILL");
    await dead;
  }
  await untilSynced();
  expect(await documents()).toEqual(named("md"));
  const [{ id }] = (await run("sources", "list")).value;
  const again = await run("sources", "sync", id);
  expect(again.value[0].lastRun).toMatchObject({ unchanged: COUNT, added: 0 });
});
