// The addresses of page images and words on a real HTTP server.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testAccess } from "../../test/support/access-control.ts";
import { someOperations } from "../../test/support/operations.ts";
import { openTestBodies } from "../../test/support/request-body.ts";
import { silentLog } from "../../test/support/silent-log.ts";
import { OWNER } from "../domain/call/principal.ts";
import { parseTarget } from "../domain/call/request-target.ts";
import { KnowledgeError } from "../domain/errors.ts";
import type { PageWanted } from "../tools/operations.ts";
import { openConsole } from "./console.ts";

const SVG = "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>";
const painted: PageWanted[] = [];
let server: Server;
let api: string;

const operations = someOperations({
  originalView: async (id) => {
    if (id === "drawing") return { kind: "drawing", version: "d1" };
    if (id === "deck") return { kind: "pages", unit: "slide", count: 2, version: "v1" };
    return id === "book"
      ? { kind: "pages", unit: "page", count: 2, version: "v1" }
      : { kind: "text-only" };
  },
  showPage: async (wanted) => {
    painted.push(wanted);
    if (wanted.want === "words")
      return { kind: "words", version: "v1", words: [["a", 1, 2, 3, 4]] };
    if (wanted.documentId === "deck" && wanted.page === 2)
      throw new KnowledgeError("RESOURCE_NOT_FOUND", "It cannot be drawn.");
    const type = wanted.documentId === "deck" ? "svg" : "png";
    return { kind: "image", type, version: "v1", bytes: Buffer.from("PNG") };
  },
  original: async () => ({
    filename: "x.svg",
    sizeBytes: SVG.length,
    body: Readable.from([SVG]),
    release: async () => {},
  }),
});

beforeAll(async () => {
  const pages = openConsole({
    assetsUrl: new URL("file:///nowhere/"),
    toolbox: { refusal: testAccess().refusal, operationsFor: () => operations },
    launch: { command: "node", args: [], env: {} },
    clients: { list: () => [] },
    usage: { days: () => undefined },
    view: () => undefined,
    log: silentLog(),
  });
  const bodyOf = openTestBodies();
  server = createServer((request, response) => {
    const target = parseTarget(request.url ?? "");
    const call = { request, response, principal: OWNER };
    if (target) void pages.handle({ ...call, target, body: bodyOf(call) });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/documents`;
});
afterAll(() => server.close());

test("a slide is served as an inert drawing that browsers do not open as a page", async () => {
  const { headers } = await fetch(`${api}/deck/pages/1`);
  expect(headers.get("content-type")).toBe("image/svg+xml");
  expect(headers.get("content-disposition")).toBe("attachment");
  expect(headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
});

test("a slide that cannot be drawn is not an error", async () => {
  expect((await fetch(`${api}/deck/pages/2`)).status).toBe(204);
});

test("a page is served as a picture only, and runs nothing", async () => {
  const { headers } = await fetch(`${api}/book/pages/2?size=small`);
  expect(headers.get("content-type")).toBe("image/png");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
  expect(painted.at(-1)).toEqual({ documentId: "book", page: 2, want: "small" });
});

test("an address that names the content may be cached, any other is revalidated", async () => {
  const cacheOf = async (query: string) =>
    (await fetch(`${api}/book/pages/1${query}`)).headers.get("cache-control");
  expect(await cacheOf("?v=v1")).toContain("immutable");
  expect(await cacheOf("?v=v0")).toBe("private, no-cache");
  expect(await cacheOf("")).toBe("private, no-cache");
});

test("a page that the browser has cached is not painted again", async () => {
  const first = await fetch(`${api}/book/pages/1`);
  const before = painted.length;
  const again = await fetch(`${api}/book/pages/1`, {
    headers: { "if-none-match": first.headers.get("etag") ?? "" },
  });
  expect(again.status).toBe(304);
  expect(painted.length).toBe(before);
});

test("words come with their boxes", async () => {
  expect(await (await fetch(`${api}/book/pages/1/words`)).json()).toEqual({
    words: [["a", 1, 2, 3, 4]],
  });
});

test("a drawing is a download, whatever opens its address", async () => {
  const { headers } = await fetch(`${api}/drawing/original`);
  expect(headers.get("content-type")).toBe("application/octet-stream");
  expect(headers.get("content-disposition")).toMatch(/^attachment/);
});

test.each([
  ["book/pages/1?size=9999", 400],
  ["book/pages/x", 404],
  ["book/pages/999999", 404],
])("%s is refused with %i", async (path, status) => {
  expect((await fetch(`${api}/${path}`)).status).toBe(status);
});
