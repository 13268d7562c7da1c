// Sources through the program itself: the command line, a server's schedule, and processes that die.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { programEnv } from "../support/process.ts";
import { runToEnd } from "../support/run.ts";
import { PROGRAM } from "../support/shipped.ts";
import { tempFolder } from "../support/temp-folder.ts";

const PAGES = 30;

let folder: string;
let server: Server;
let host: string;
let onPage = (_count: number) => {};
let version = 1;
const asked: string[] = [];

beforeEach(async () => {
  folder = tempFolder("sources");
  version = 1;
  asked.length = 0;
  onPage = () => {};
  server = createServer((request, response) => {
    const number = Number(/^\/manual\/(\d+)$/.exec(request.url ?? "")?.[1] ?? Number.NaN);
    if (!(number >= 0 && number < PAGES)) return void response.writeHead(404).end();
    const etag = `"${number}-${version}"`;
    const isSame = request.headers["if-none-match"] === etag;
    asked.push(`${isSame ? 304 : 200} ${number}`);
    onPage(asked.length);
    const next = `<a href="${number + 1}">next</a>`;
    const text = `<h1>Chapter ${number}</h1><p>Edition ${version}: the harbour of chapter ${number} lies quiet.</p>`;
    response.writeHead(isSame ? 304 : 200, { etag, "content-type": "text/html" });
    response.end(isSame ? "" : `${text}${next}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await new Promise<void>((resolve) => void server.close(() => resolve()));
});

const data = () => ["--data-dir", join(folder, "data"), "--log-level", "warn"];

async function run(...args: readonly string[]) {
  const ended = await runToEnd({ args: [...args, ...data(), "--json"], folder });
  return { code: ended.code, stderr: ended.stderr, value: JSON.parse(ended.stdout || "null") };
}

const documents = async () => {
  const { value } = await run("show", "--limit", "100");
  return (value.documents as { filename: string }[]).map(({ filename }) => filename).sort();
};

const all = Array.from({ length: PAGES }, (_, at) => `${at}.html`).sort();

function startWorker(): ChildProcess {
  return spawn(process.execPath, [PROGRAM, "worker", ...data()], {
    cwd: folder,
    env: programEnv(folder),
    stdio: "ignore",
  });
}

test("a site is added, listed, synced again with conditions only, paused and removed", async () => {
  const address = `http://${host}/manual/0`;
  const added = await run("sources", "add", address, "--allow-host", host, "--every", "6h");
  expect([added.code, added.value[0].lastRun.added]).toEqual([0, PAGES]);
  const [{ id }] = added.value;
  asked.length = 0;
  const again = await run("sources", "sync", id);
  expect(again.value[0].lastRun).toMatchObject({ unchanged: PAGES, added: 0 });
  expect(asked.every((line) => line.startsWith("304"))).toBe(true);
  const found = await run("search", "harbour of chapter 17");
  expect(found.value.results[0].metadata).toMatchObject({ url: `http://${host}/manual/17` });
  expect((await run("sources", "pause", id)).value).toMatchObject([{ id, isPaused: true }]);
  const refused = await run("sources", "sync", "nothing");
  expect(refused.code).not.toBe(0);
  await runToEnd({ args: ["sources", "remove", id, "--documents", ...data()], folder });
  expect((await run("sources", "list")).value).toEqual([]);
  expect(await documents()).toEqual([]);
});

test("a worker that is killed at any page loses nothing, and nothing is there twice", async () => {
  const address = `http://${host}/manual/0`;
  await run("sources", "add", address, "--allow-host", host, "--every", "6h", "--later");
  for (const at of [1, 3, 11, 23]) {
    const worker = startWorker();
    const dead = once(worker, "exit");
    onPage = (count) => {
      if (count >= at) worker.kill("SIGKILL");
    };
    asked.length = 0;
    await dead;
  }
  onPage = () => {};
  const worker = startWorker();
  try {
    await eventually(async () => expect(await documents()).toEqual(all));
    await eventually(async () => {
      const [source] = (await run("sources", "list")).value;
      expect(source).toMatchObject({ items: PAGES });
      expect(source.lastRun).toMatchObject({ failed: 0, removed: 0 });
      expect(source.task).toBeUndefined();
    });
  } finally {
    worker.kill("SIGTERM");
    await once(worker, "exit");
  }
  version = 2;
  const [{ id }] = (await run("sources", "list")).value;
  expect((await run("sources", "sync", id)).value[0].lastRun).toMatchObject({ added: PAGES });
  expect(await documents()).toEqual(all);
});
