// Web pages from servers on this machine: DNS and connections are passed to the room as arguments,
// which count them. Public addresses lead to these servers, and nothing else is ever connected to.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readInternalMetadata } from "../../src/domain/internal-metadata.ts";
import { fromTaskFailure } from "../../src/domain/task.ts";
import type { Web } from "../../src/ingest/web/fetch-page.ts";
import { INHERITED } from "../support/inherited.ts";
import { type TempIngest, tempIngest } from "../support/temp-ingest.ts";

const PUBLIC = "93.184.216.34";
const NEVER = new AbortController().signal;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
type Added = { readonly kind: "added" | "present"; readonly documentId: string };

let server: Server;
let at: TempIngest;
/** By path; robots.txt is not there unless it is given. */
const pages = new Map<string, Answer>();
const names = new Map<string, readonly string[]>();
const seen = { resolved: [] as string[], dialled: [] as string[], paths: [] as string[] };

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.paths.push(request.url ?? "");
    const answer = pages.get(request.url ?? "");
    if (answer) return answer(request, response);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  at = await tempIngest({ web: web() });
});
afterAll(async () => {
  server.close();
  await at.dispose();
});

beforeEach(() => {
  pages.clear();
  names.clear();
  names.set("example.com", [PUBLIC]);
  for (const list of Object.values(seen)) list.length = 0;
});

const web = (): Web => ({
  async resolve(host) {
    seen.resolved.push(host);
    return names.get(host) ?? Promise.reject(new Error("ENOTFOUND"));
  },
  // Whatever public address is asked for, one of ours is there.
  dial({ address, port }) {
    seen.dialled.push(`${address}:${port}`);
    return connect((server.address() as AddressInfo).port, "127.0.0.1");
  },
  timeoutMs: 60_000,
  userAgent: "knowledge-server",
});

const html =
  (text: string, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers });
    response.end(text);
  };
const redirect =
  (location: string, status = 302): Answer =>
  (_request, response) => {
    response.writeHead(status, { location }).end();
  };

async function add(url: string, options: { refresh?: boolean } = {}): Promise<Added> {
  const { refresh = false } = options;
  const metadata = refresh ? {} : { team: "blue" };
  const source = { kind: "page", url, refresh } as const;
  const { task } = await at.ingest.enqueue(source, { metadata, forceOcr: false, signal: NEVER });
  const { result, failure } = await at.ingest.finish(task.id, { signal: NEVER });
  if (failure) throw fromTaskFailure(failure);
  if (result?.documentId === undefined) throw new Error("no document");
  return { kind: result.alreadyPresent ? "present" : "added", documentId: result.documentId };
}

const code = (url: string) =>
  add(url).then(
    () => "added",
    (error: { code?: string }) => error.code,
  );

describe("a public page", () => {
  test("whose headers have names that every object inherits is refused with a message", async () => {
    for (const name of INHERITED) {
      pages.set("/encoded", html("<p>text</p>", { "content-encoding": name }));
      await expect(add("http://example.com/encoded"), name).rejects.toThrow(
        "Its content encoding is not supported",
      );
      pages.set("/typed", html("<p>text</p>", { "content-type": name }));
      expect(await code("http://example.com/typed"), name).toBe("UNSUPPORTED_FORMAT");
    }
  });

  test("is stored under its final address, which is resolved once and dialled as resolved", async () => {
    pages.set("/old", redirect("/guide?x=1#part"));
    pages.set("/guide?x=1", html("<p>How to grow tea.</p>", { etag: '"one"' }));
    const { documentId } = await add("http://example.com/old");
    const document = await at.store.documents.get(documentId);
    expect(document).toMatchObject({
      filename: "guide.html",
      sourcePath: "http://example.com/guide?x=1",
    });
    expect(readInternalMetadata(document?.metadata ?? {}).page).toEqual({
      url: "http://example.com/guide?x=1",
      etag: '"one"',
    });
    expect(seen.resolved).toEqual(["example.com"]);
    expect(new Set(seen.dialled)).toEqual(new Set([`${PUBLIC}:80`]));
  });

  test("is fetched again on demand only, and a changed one keeps its id", async () => {
    const validators = { etag: '"one"' };
    pages.set("/a", html("<p>The first edition.</p>", validators));
    const first = await add("http://example.com/a");
    expect(await add("http://example.com/a")).toEqual({ ...first, kind: "present" });
    expect(seen.paths.filter((path) => path === "/a")).toHaveLength(1);
    pages.set("/a", (request, response) => {
      expect(request.headers["if-none-match"]).toBe('"one"');
      response.writeHead(304).end();
    });
    expect(await add("http://example.com/a", { refresh: true })).toEqual({
      ...first,
      kind: "present",
    });
    pages.set("/a", html("<p>The second edition.</p>", { etag: '"two"' }));
    const again = await add("http://example.com/a", { refresh: true });
    expect(again).toEqual({ ...first, kind: "added" });
    const { metadata = {} } = (await at.store.documents.get(first.documentId)) ?? {};
    expect(readInternalMetadata(metadata)).toMatchObject({ revision: 2, page: { etag: '"two"' } });
    expect(metadata["team"]).toBe("blue");
  });

  test("is named by its type, and refused by it before it is read", async () => {
    pages.set("/", html("<p>Home.</p>"));
    pages.set("/notes.md", (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" }).end("Notes.");
    });
    pages.set("/film", (_request, response) => {
      response.writeHead(200, { "content-type": "video/mp4" }).end("x");
    });
    const named = async (url: string) =>
      (await at.store.documents.get((await add(url)).documentId))?.filename;
    expect(await named("http://example.com/")).toBe("example.com.html");
    expect(await named("http://example.com/notes.md")).toBe("notes.md");
    expect(await code("http://example.com/film")).toBe("UNSUPPORTED_FORMAT");
  });

  test("is limited in size, compressed or not", async () => {
    pages.set("/bomb", (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" });
      response.end(gzipSync(Buffer.alloc(3 * 1024 * 1024, "a ")));
    });
    pages.set("/long", html("", { "content-length": "99999999" }));
    expect(await code("http://example.com/bomb")).toBe("FILE_TOO_LARGE");
    expect(await code("http://example.com/long")).toBe("FILE_TOO_LARGE");
  });

  test("is not fetched if robots.txt forbids it or fails", async () => {
    pages.set("/private", html("<p>Not for programs.</p>"));
    pages.set("/robots.txt", (_request, response) => {
      response.end("User-agent: *\nDisallow: /private");
    });
    expect(await code("http://example.com/private")).toBe("ACCESS_DENIED");
    pages.set("/robots.txt", (_request, response) => void response.writeHead(503).end());
    expect(await code("http://example.com/private")).toBe("FILE_UNAVAILABLE");
    expect(seen.paths).not.toContain("/private");
  });
});

describe("private addresses are never connected to", () => {
  const addresses = [
    ...["127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0", "017700000001"],
    ...["10.0.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1", "255.255.255.255"],
    ...["[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]"],
    ...["[2002:7f00:1::]", "[2001:0:7f00:1::]", "[fe80::1]", "[fd00::1]", "[ff02::1]"],
  ];
  test.each(addresses)("http://%s/", async (host) => {
    expect(await code(`http://${host}/`)).toBe("ACCESS_DENIED");
    expect(seen.dialled).toEqual([]);
  });

  test.each([
    ["http://user@example.com/", "INVALID_PARAMETER"],
    ["http://example.com:pass@127.0.0.1/", "INVALID_PARAMETER"],
    ["http://127.0.0.1\\@example.com/", "ACCESS_DENIED"],
    ["http://example.com:22/", "INVALID_PARAMETER"],
    ["http://[fe80::1%25eth0]/", "INVALID_PARAMETER"],
    ["file:///etc/passwd", "INVALID_PARAMETER"],
    ["gopher://example.com/", "INVALID_PARAMETER"],
    ["javascript:alert(1)", "INVALID_PARAMETER"],
    ["example.com", "INVALID_PARAMETER"],
    [`http://example.com/${"a".repeat(3000)}`, "INVALID_PARAMETER"],
    ["http://nowhere.example/", "FILE_UNAVAILABLE"],
  ])("%s is %s", async (url, expected) => {
    expect(await code(url)).toBe(expected);
    expect(seen.dialled).toEqual([]);
  });

  test("a name with one private address among public ones", async () => {
    for (const address of ["127.0.0.1", "::1", "::ffff:10.0.0.1", "fe80::1"]) {
      names.set("mixed.example", [PUBLIC, address]);
      expect(await code("http://mixed.example/")).toBe("ACCESS_DENIED");
    }
    expect(seen.dialled).toEqual([]);
  });

  test("a name is resolved only once, so a changed DNS answer has no effect", async () => {
    const answers = [[PUBLIC], ["127.0.0.1"], ["169.254.169.254"]];
    names.delete("example.com");
    const rebind = Object.assign(names, {
      get: (host: string) => (host === "rebind.example" ? answers.shift() : undefined),
    });
    pages.set("/page", redirect("http://rebind.example/next"));
    pages.set("/next", html("<p>Reached by the first answer.</p>"));
    try {
      await add("http://rebind.example/page");
    } finally {
      Reflect.deleteProperty(rebind, "get");
    }
    expect(new Set(seen.dialled)).toEqual(new Set([`${PUBLIC}:80`]));
    expect(answers).toHaveLength(2);
  });

  test.each([
    "http://127.0.0.1/secret",
    "http://localhost/secret",
    "http://[::ffff:127.0.0.1]/secret",
    "//169.254.169.254/latest/meta-data",
    "http://2130706433/secret",
    "file:///etc/passwd",
    "http://user:pass@example.com/secret",
    "http://example.com:6379/secret",
  ])("a redirect to %s", async (location) => {
    names.set("localhost", ["127.0.0.1", "::1"]);
    pages.set("/start", redirect(location));
    expect(["ACCESS_DENIED", "INVALID_PARAMETER"]).toContain(
      await code("http://example.com/start"),
    );
    expect(new Set(seen.dialled)).toEqual(new Set([`${PUBLIC}:80`]));
    expect(seen.paths).toEqual(["/robots.txt", "/start"]);
  });

  test("a robots.txt that redirects into the network", async () => {
    pages.set("/robots.txt", redirect("http://10.0.0.1/robots.txt"));
    pages.set("/page", html("<p>Never seen.</p>"));
    expect(await code("http://example.com/page")).toBe("ACCESS_DENIED");
    expect(seen.paths).toEqual(["/robots.txt"]);
  });

  test("redirects without end", async () => {
    pages.set("/loop", redirect("/loop"));
    expect(await code("http://example.com/loop")).toBe("FILE_UNAVAILABLE");
    expect(seen.paths.filter((path) => path === "/loop")).toHaveLength(6);
  });
});

test("without the setting nothing is resolved", async () => {
  const closed = await tempIngest();
  try {
    const source = { kind: "page", url: "http://example.com/", refresh: false } as const;
    const adding = closed.ingest.enqueue(source, { metadata: {}, forceOcr: false, signal: NEVER });
    await expect(adding).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  } finally {
    await closed.dispose();
  }
});
