// Pages over https from a server on this machine, with a certificate of a CA that the program is configured to trust.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callTool } from "../../stress/fuzz/load.ts";
import { eventually } from "../support/eventually.ts";
import { type HttpServer, startHttp } from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { tempDatabase } from "../support/temp-postgres.ts";
import { makeAuthority, makeCertificate } from "./certificates.ts";

const folder = tempFolder("web-pages");
/** By path; a function is called instead of a response. */
const pages = new Map<string, string | (() => void)>();
const asked: string[] = [];
let web: Server;
let authority: string;

const database = await tempDatabase();
const STORES = database ? (["sqlite", "postgres"] as const) : (["sqlite"] as const);

beforeAll(async () => {
  authority = await makeAuthority(folder);
  const own = await makeCertificate(folder, { host: "tea.example", by: "authority" });
  const strange = await makeCertificate(folder, { host: "strange.example", by: "itself" });
  web = createServer(own, ({ url = "" }, response) => {
    asked.push(url);
    const text = pages.get(url);
    if (typeof text === "function") return text();
    response.writeHead(text === undefined ? 404 : 200, { "content-type": "text/html" }).end(text);
  });
  web.addContext("strange.example", strange);
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  web?.close();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

describe.each(STORES)("on %s", (store) => {
  let server: HttpServer;
  let start: () => Promise<HttpServer>;

  beforeAll(async () => {
    const place = {
      dataDir: join(folder, store, "data"),
      root: join(folder, store),
      config: join(folder, store, "config.json"),
    };
    await mkdir(place.root);
    const databaseUrl = store === "sqlite" ? {} : { databaseUrl: database?.url };
    await writeFile(place.config, JSON.stringify({ allowUrls: true, ...databaseUrl }));
    const { port } = web.address() as AddressInfo;
    const env = { NODE_EXTRA_CA_CERTS: authority, WEB_PORT: String(port) };
    start = () => startHttp(place, { file: "local-web.ts", env });
    server = await start();
    pages.clear();
    asked.length = 0;
  });
  afterAll(() => server?.stop());

  const call = async (name: string, args: object) =>
    (await callTool(server.url, name, args)).payload;
  const add = (url: string, more: object = {}) =>
    call("knowledge-add-url", { url, async: false, ...more });

  test("a page is found, and fetched again it keeps its id with a higher revision", async () => {
    const url = "https://tea.example/oolong";
    pages.set("/oolong", "<p>Oolong is steeped for three minutes.</p>");
    const first = await add(url);
    expect(first).toMatchObject({ success: true, filename: "oolong.html" });
    const { document_id } = first;
    const found = await call("knowledge-search", { query: "how long is oolong steeped" });
    expect(found["results"]).toMatchObject([
      { document_id, metadata: { url }, chunk_text: expect.stringContaining("three minutes") },
    ]);
    pages.set("/oolong", "<p>Oolong is steeped for five minutes.</p>");
    expect(await add(url)).toMatchObject({ document_id, already_present: true });
    expect(await add(url, { refresh: true })).toMatchObject({ success: true, document_id });
    expect(asked.filter((path) => path === "/oolong")).toHaveLength(2);
    const again = await call("knowledge-search", { query: "how long is oolong steeped" });
    expect(again["results"]).toMatchObject([
      { document_id, revision: 2, chunk_text: expect.stringContaining("five minutes") },
    ]);
  });

  test("a page whose server is killed while it is fetched is added by the next one", async () => {
    const url = "https://tea.example/slow";
    const { promise: isAsked, resolve } = Promise.withResolvers<void>();
    pages.set("/slow", resolve);
    const { task_id } = await call("knowledge-add-url", { url });
    expect(task_id).toBeTypeOf("string");
    await isAsked;
    await server.kill();
    pages.set("/slow", "<p>Pu-erh is aged for years.</p>");
    server = await start();
    await eventually(async () => {
      const status = await call("knowledge-task-status", { task_id });
      expect(status).toMatchObject({ status: "completed" });
    });
    const found = await call("knowledge-search", { query: "how long is pu-erh aged" });
    expect(found["results"]).toHaveLength(1);
  });

  test("a page that robots.txt forbids is refused", async () => {
    pages.set("/robots.txt", "User-agent: *\nDisallow: /cellar");
    pages.set("/cellar", "<p>Not for programs.</p>");
    expect(await add("https://tea.example/cellar")).toMatchObject({
      error: "access_denied",
      message: expect.stringContaining("robots.txt"),
    });
    expect(asked).not.toContain("/cellar");
  });

  test.each([
    ["for another name", "coffee.example", "certificate is for another host name"],
    ["of an unknown CA", "strange.example", "NODE_EXTRA_CA_CERTS"],
  ])("a certificate %s is refused before anything is asked", async (_which, host, words) => {
    expect(await add(`https://${host}/menu`)).toMatchObject({
      error: "file_unavailable",
      message: expect.stringContaining(words),
    });
    expect(asked).not.toContain("/menu");
  });
});
