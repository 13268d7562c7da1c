// A site as a source, from a real HTTP server: what is new, changed and gone, and what a crawl must never do.
import { readdir } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readInternalMetadata } from "../../../src/domain/internal-metadata.ts";
import { toEnglish } from "../../../src/domain/phrases/messages.ts";
import type { SourceSettings } from "../../../src/domain/source.ts";
import { fetchPage } from "../../../src/ingest/web/fetch-page.ts";
import { type TempIngest, tempIngest } from "../../support/temp-ingest.ts";
import { page, redirect, type TestSite, testSite } from "../../support/test-site.ts";

const NEVER = new AbortController().signal;

let site: TestSite;
let at: TempIngest;

beforeEach(async () => {
  site = await testSite();
  at = await tempIngest({ web: site.web });
});
afterEach(async () => {
  await at.dispose();
  await site.close();
});

async function sync(settings: SourceSettings = {}, address = "http://docs.test/guide/") {
  const allowHosts = ["docs.test"];
  const given = { kind: "site", address, settings: { allowHosts, ...settings } } as const;
  const id = await at.ingest.sources.put(given, "anywhere");
  const task = await at.ingest.sources.sync(id, NEVER);
  const ended = await at.ingest.finish(task.id, { signal: NEVER });
  const [source] = await at.ingest.sources.list();
  return { ...ended, run: source?.lastRun };
}

const FIRST = { limit: 100, offset: 0, sortBy: "date_added", sortOrder: "asc" } as const;

async function paths(): Promise<readonly string[]> {
  const { documents } = await at.store.documents.list(FIRST);
  return documents.map(({ sourcePath = "" }) => sourcePath.replace("http://docs.test", "")).sort();
}

const find = (path: string) => at.store.documents.findByPath(`http://docs.test${path}`);
const links = (...to: readonly string[]) => to.map((href) => `<a href="${href}">x</a>`).join(" ");
const start = (...to: readonly string[]) => page(`<h1>Start</h1> ${links(...to)}`);

function threePages() {
  site.pages.set("/guide/", start("one", "two.html", "/else/where"));
  site.pages.set("/guide/one", page(`<h1>One</h1> first ${links("two.html#part", "one?")}`));
  site.pages.set("/guide/two.html", page(`<h1>Two</h1> second ${links("one", "../guide/")}`));
  site.pages.set("/else/where", page("<h1>Elsewhere</h1>"));
}

describe("a site", () => {
  test("is followed by links below its start, each page once, with its address and date", async () => {
    threePages();
    expect((await sync()).run).toMatchObject({ found: 3, added: 3, failed: 0 });
    expect(await paths()).toEqual(["/guide/", "/guide/one", "/guide/two.html"]);
    const one = await find("/guide/one");
    expect(readInternalMetadata(one?.metadata ?? {})).toMatchObject({
      page: { url: "http://docs.test/guide/one" },
      modified: "2026-03-02T10:00:00.000Z",
    });
    expect(site.asked.filter((line) => line.endsWith("/guide/one"))).toHaveLength(1);
  });

  test("that has not changed is asked with conditions only, and no document changes", async () => {
    threePages();
    await sync();
    const before = await at.store.documents.list(FIRST);
    site.asked.length = 0;
    expect((await sync()).run).toMatchObject({ added: 0, unchanged: 3, removed: 0, failed: 0 });
    const pages = site.asked.filter((line) => !/robots|sitemap/.test(line));
    expect(pages.sort()).toEqual(["304 /guide/", "304 /guide/one", "304 /guide/two.html"]);
    expect(await at.store.documents.list(FIRST)).toEqual(before);
  });

  test("that has changed: a page keeps its id, a new one is found, one that is gone is in the trash", async () => {
    threePages();
    await sync();
    const before = await find("/guide/one");
    site.pages.set("/guide/one", page(`<h1>One</h1> other words ${links("three")}`));
    site.pages.set("/guide/three", page("<h1>Three</h1> third"));
    site.pages.delete("/guide/two.html");
    expect((await sync()).run).toMatchObject({ added: 2, unchanged: 1, removed: 1 });
    expect(await paths()).toEqual(["/guide/", "/guide/one", "/guide/three"]);
    expect((await find("/guide/one"))?.id).toBe(before?.id);
    const trash = await readdir(join(at.temp.dataDir, "trash"));
    expect(trash.length).toBeGreaterThan(0);
    expect((await sync()).run).toMatchObject({ added: 0, unchanged: 3, removed: 0 });
  });

  test("page that has moved keeps its document; one that redirects for a while stays", async () => {
    threePages();
    await sync();
    const [one, two] = [await find("/guide/one"), await find("/guide/two.html")];
    const body = `<h1>One</h1> first ${links("two.html#part", "one?")}`;
    site.pages.set("/guide/new", page(body));
    site.pages.set("/guide/one", redirect("/guide/new"));
    site.pages.set("/guide/two.html", redirect("/maintenance", 302));
    site.pages.set("/maintenance", page("<h1>Back soon</h1>"));
    expect((await sync()).run).toMatchObject({ removed: 1, failed: 0 });
    expect(await paths()).toEqual(["/guide/", "/guide/new", "/guide/two.html"]);
    expect((await find("/guide/new"))?.id).toBe(one?.id);
    expect((await find("/guide/two.html"))?.id).toBe(two?.id);
  });

  test("page that is excluded later is removed, whatever still links to it", async () => {
    threePages();
    await sync();
    expect(await paths()).toContain("/guide/one");
    const { run } = await sync({ exclude: ["one"] });
    expect(run).toMatchObject({ removed: 1, failed: 0 });
    expect(await paths()).not.toContain("/guide/one");
    expect(await paths()).toContain("/guide/two.html");
  });

  test("that cannot be reached, or whose first page is gone, loses nothing", async () => {
    threePages();
    await sync();
    for (const status of [503, 404]) {
      for (const path of site.pages.keys())
        site.pages.set(path, (_request, response) => void response.writeHead(status).end());
      const { status: ended, run } = await sync();
      expect([ended, run?.removed]).toEqual(["failed", 0]);
      expect(run?.problem && toEnglish(run.problem)).toContain(String(status));
      expect(await paths()).toHaveLength(3);
    }
  });

  test("page that fails or is cut off says why, keeps its document, and is tried again", async () => {
    threePages();
    await sync();
    site.pages.set("/guide/one", (_request, response) => {
      response.writeHead(200, { "content-type": "text/html", "content-length": "5000" });
      response.write("<h1>One</h1> half", () => response.destroy());
    });
    site.pages.set("/guide/two.html", (_request, response) => void response.writeHead(500).end());
    const { run } = await sync();
    expect(run).toMatchObject({ failed: 2, removed: 0, unchanged: 1 });
    expect(run?.failures.map(({ message }) => message).join()).toMatch(
      /valid HTTP.*500|500.*valid HTTP/,
    );
    expect(await paths()).toHaveLength(3);
    threePages();
    expect((await sync()).run).toMatchObject({ failed: 0, unchanged: 3 });
  });

  test("without ETag and date is compared by content", async () => {
    const plain = (text: string) => (_request: unknown, response: ServerResponse) => {
      response.writeHead(200, { "content-type": "text/html" }).end(`<h1>Plain</h1> ${text}`);
    };
    site.pages.set("/guide/", plain("before"));
    await sync();
    expect((await sync()).run).toMatchObject({ unchanged: 1, added: 0 });
    site.pages.set("/guide/", plain("after"));
    expect((await sync()).run).toMatchObject({ unchanged: 0, added: 1 });
    expect(await paths()).toEqual(["/guide/"]);
  });

  test("page that a user removed comes back with the next sync", async () => {
    threePages();
    await sync();
    await at.store.documents.remove((await find("/guide/one"))?.id ?? "");
    expect((await sync()).run).toMatchObject({ added: 1, unchanged: 2 });
    expect(await paths()).toHaveLength(3);
  });

  test("with the same content at two addresses keeps it until both are gone", async () => {
    site.pages.set("/guide/", start("a", "b"));
    for (const path of ["/guide/a", "/guide/b"]) site.pages.set(path, page("<h1>Same</h1> words"));
    await sync();
    const [held] = (await paths()).filter((path) => path !== "/guide/");
    site.pages.delete(held ?? "");
    await sync();
    expect(await paths()).toEqual(["/guide/", held === "/guide/a" ? "/guide/b" : "/guide/a"]);
    site.pages.delete("/guide/a");
    site.pages.delete("/guide/b");
    await sync();
    expect(await paths()).toEqual(["/guide/"]);
  });

  test("is also found by its sitemaps, and obeys robots.txt", async () => {
    const text = (body: string) => (_request: unknown, response: ServerResponse) => {
      response.writeHead(200, { "content-type": "text/plain" }).end(body);
    };
    const xml = (body: string) => (_request: unknown, response: ServerResponse) => {
      response.writeHead(200, { "content-type": "application/xml" }).end(body);
    };
    const loc = (path: string) => `<loc>http://docs.test${path}</loc>`;
    site.pages.set(
      "/robots.txt",
      text("User-agent: *\nDisallow: /guide/private\nSitemap: http://docs.test/map.xml"),
    );
    site.pages.set(
      "/map.xml",
      xml(`<sitemapindex>${loc("/pages.xml")}${loc("/map.xml")}</sitemapindex>`),
    );
    site.pages.set(
      "/pages.xml",
      xml(`<urlset>${loc("/guide/hidden")}${loc("/guide/private")}${loc("/other")}</urlset>`),
    );
    site.pages.set("/guide/", start("private/x"));
    for (const path of ["/guide/hidden", "/guide/private", "/guide/private/x", "/other"])
      site.pages.set(path, page(`<h1>${path}</h1>`));
    expect((await sync()).run).toMatchObject({ added: 2, failed: 0 });
    expect(await paths()).toEqual(["/guide/", "/guide/hidden"]);
    expect(site.asked.join()).not.toMatch(/private|other/);
  });

  test("may be one page alone", async () => {
    threePages();
    site.pages.set("/sitemap.xml", page("<loc>http://docs.test/guide/one</loc>"));
    expect((await sync({ depth: 0 })).run).toMatchObject({ found: 1, added: 1 });
    expect((await sync({ depth: 0 })).run).toMatchObject({ found: 1, unchanged: 1, removed: 0 });
    expect(await paths()).toEqual(["/guide/"]);
  });

  test("with a sitemap of any length is read", async () => {
    site.pages.set("/guide/", start());
    site.pages.set("/guide/one", page("<h1>One</h1>"));
    const locations = ["one", ...Array(200_000).fill("/else/where")];
    const all = locations.map((each) => `<loc>${new URL(each, "http://docs.test/guide/")}</loc>`);
    site.pages.set("/sitemap.xml", (_request, response) => {
      response.writeHead(200, { "content-type": "application/xml" }).end(all.join(""));
    });
    const { failure, run } = await sync();
    expect([failure, run]).toMatchObject([undefined, { added: 2, failed: 0 }]);
  });

  test("keeps what it learnt of the last hosts only, wherever redirects lead", async () => {
    const hosts = { addresses: new Map(), robots: new Map() };
    const known = async () => undefined;
    const options = { web: site.web, hosts, maxBytes: 1_000, signal: NEVER, known };
    for (let host = 0; host < 120; host += 1)
      await fetchPage(`http://host-${host}.test/`, options).catch(() => {});
    expect([hosts.addresses.size, hosts.robots.size]).toEqual([50, 50]);
    expect(hosts.robots.has("http://host-119.test")).toBe(true);
  });

  test("is asked no faster than its robots.txt allows", async () => {
    const asked: number[] = [];
    site.pages.set("/robots.txt", (_request, response) => {
      response.end("User-agent: *\nCrawl-delay: 0.4");
    });
    const timed: typeof start = (...to) => {
      const answer = start(...to);
      return (request, response) => {
        asked.push(performance.now());
        answer(request, response);
      };
    };
    site.pages.set("/guide/", timed("one", "two"));
    for (const name of ["one", "two"]) site.pages.set(`/guide/${name}`, timed(name));
    expect((await sync()).run).toMatchObject({ added: 3 });
    const gaps = asked.slice(1).map((at, place) => at - (asked[place] ?? 0));
    // A timer may end a millisecond early.
    expect(Math.min(...gaps)).toBeGreaterThan(398);
  });

  test("of a documentation has the version of each page as metadata", async () => {
    site.pages.set("/guide/", start("3.2/install", "v4.0.1/install", "install"));
    for (const path of ["3.2/install", "v4.0.1/install", "install"])
      site.pages.set(`/guide/${path}`, page(`<h1>Installing ${path}</h1>`));
    await sync();
    const found = await Promise.all(
      (await paths()).map(async (path) => {
        const document = await at.store.documents.findByPath(`http://docs.test${path}`, "general");
        return [path, document?.metadata["version"]];
      }),
    );
    expect(Object.fromEntries(found)).toEqual({
      ...{ "/guide/": undefined, "/guide/install": undefined },
      ...{ "/guide/3.2/install": "3.2", "/guide/v4.0.1/install": "v4.0.1" },
    });
  });

  test("counts a page with its canonical address once", async () => {
    const canonical = `<link rel="canonical" href="/guide/one">`;
    site.pages.set("/guide/", start("one?from=start", "one?from=mail"));
    for (const path of ["/guide/one", "/guide/one?from=start", "/guide/one?from=mail"])
      site.pages.set(path, page(`${canonical}<h1>One</h1> ${path}`));
    await sync();
    expect(await paths()).toEqual(["/guide/", "/guide/one"]);
  });

  test("with loops, calendars and endless folders ends", async () => {
    site.pages.set("/guide/ring", redirect("/guide/ring"));
    site.pages.get = (path: string) => {
      if (path.startsWith("/guide/loop/"))
        return page(`<h1>Loop</h1>${path} ${links("loop/", "more/")}`);
      const day = Number(/day=(\d+)/.exec(path)?.[1]);
      if (day) return page(`<h1>Day ${day}</h1> ${links(`calendar?day=${day + 1}`, "ring")}`);
      return path === "/guide/" ? start("loop/", "calendar?day=1") : undefined;
    };
    const { run } = await sync({ maxItems: 60 });
    expect(run?.found).toBeLessThan(61);
    expect(site.asked.filter((line) => line.includes("day="))).toHaveLength(20);
    expect(await paths()).toContain("/guide/");
  });

  test("is left alone when it keeps failing", async () => {
    site.pages.set("/guide/", start(...Array.from({ length: 40 }, (_, at) => `p${at}`)));
    for (let at = 0; at < 40; at += 1)
      site.pages.set(`/guide/p${at}`, (_request, response) => void response.writeHead(500).end());
    const { run } = await sync();
    expect(run?.problem && toEnglish(run.problem)).toContain("failed 10 times");
    expect(site.asked.filter((line) => line.startsWith("500"))).toHaveLength(10);
  });
});

describe("no request of a crawl leaves the public web", () => {
  const INSIDE: readonly (readonly [string, readonly string[]])[] = [
    ["http://inner.test/guide/", ["10.0.0.7"]],
    ["http://mixed.test/guide/", ["93.184.216.34", "127.0.0.1"]],
    ["http://169.254.169.254/guide/", []],
    ["http://[::1]/guide/", []],
  ];

  beforeEach(() => {
    site.names.set("inner.test", ["10.0.0.7"]);
    site.names.set("mixed.test", ["93.184.216.34", "127.0.0.1"]);
  });

  test.each(INSIDE)("not its first page: %s", async (address) => {
    site.pages.set("/guide/", page("<h1>Secret</h1>"));
    const { status, failure } = await sync({ allowHosts: [] }, address);
    expect([status, failure?.error]).toEqual(["failed", "access_denied"]);
    expect(site.dialled).toEqual(new Set());
  });

  test.each(INSIDE)("not by a redirect, robots.txt, sitemap or link: %s", async (address) => {
    const away = (status = 302) => redirect(address, status);
    site.pages.set("/robots.txt", (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.end(`Sitemap: ${address}sitemap.xml\nSitemap: http://docs.test/away.xml`);
    });
    site.pages.set("/away.xml", away());
    site.pages.set("/guide/", start("out", "moved", address));
    site.pages.set("/guide/out", away());
    site.pages.set("/guide/moved", away(308));
    const { run } = await sync({ allowHosts: [], prefix: "http://" });
    expect(run).toMatchObject({ added: 1 });
    expect(site.dialled).toEqual(new Set(["93.184.216.34:80"]));
  });

  test("a redirected robots.txt stays outside, and the site is not read", async () => {
    site.pages.set("/robots.txt", redirect("http://inner.test/robots.txt"));
    site.pages.set("/guide/", page("<h1>Page</h1>"));
    expect((await sync({ allowHosts: [] })).status).toBe("failed");
    expect(site.dialled).toEqual(new Set(["93.184.216.34:80"]));
  });

  test("only a host that is allowed by name, with its port, may be inside", async () => {
    site.pages.set("/guide/", page("<h1>Intranet</h1>"));
    const address = "http://inner.test:8123/guide/";
    const refused = sync({ allowHosts: ["inner.test"] }, address);
    await expect(refused).rejects.toThrow("add --allow-host inner.test:8123");
    expect((await sync({ allowHosts: ["inner.test:8123"] }, address)).run).toMatchObject({
      added: 1,
    });
    expect(site.dialled).toEqual(new Set(["10.0.0.7:8123"]));
  });
});
