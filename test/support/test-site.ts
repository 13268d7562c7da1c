// A web site on this machine, reached under a public address: DNS and connections are the room's arguments, and every
// request is counted.
import { connect } from "node:net";
import type { Web } from "../../src/ingest/web/fetch-page.ts";
import { type Handler, openStub, type Stub } from "./stub.ts";

const PUBLIC = "93.184.216.34";

export interface TestSite extends Pick<Stub, "port" | "close"> {
  readonly web: Web;
  /** By path; whatever is not there has status 404. */
  readonly pages: Map<string, Handler>;
  /** The addresses of host names; others are public. */
  readonly names: Map<string, readonly string[]>;
  /** Path and status of each request. */
  readonly asked: string[];
  readonly dialled: Set<string>;
}

export async function testSite(): Promise<TestSite> {
  const pages = new Map<string, Handler>();
  const names = new Map<string, readonly string[]>();
  const asked: string[] = [];
  const dialled = new Set<string>();
  const { port, close } = await openStub((request, response) => {
    const path = request.url ?? "";
    response.on("close", () => asked.push(`${response.statusCode} ${path}`));
    const answer = pages.get(path);
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  const web: Web = {
    resolve: async (host) => names.get(host) ?? [PUBLIC],
    dial(to) {
      dialled.add(`${to.address}:${to.port}`);
      return connect(port, "127.0.0.1");
    },
    timeoutMs: 60_000,
    userAgent: "knowledge-server",
  };
  return { web, pages, names, asked, dialled, port, close };
}

/** A page that answers conditional requests. */
export function page(body: string, modified = "Mon, 02 Mar 2026 10:00:00 GMT"): Handler {
  const html = `<html><head><title>${/<h1>(.*?)<\/h1>/.exec(body)?.[1] ?? ""}</title></head><body>${body}</body></html>`;
  const etag = `"${Buffer.from(html).toString("base64url").slice(-40)}${html.length}"`;
  return (request, response) => {
    const headers = { etag, "last-modified": modified, "content-type": "text/html" };
    if (request.headers["if-none-match"] === etag) response.writeHead(304, headers).end();
    else response.writeHead(200, headers).end(html);
  };
}

export function redirect(location: string, status = 301): Handler {
  return (_request, response) => void response.writeHead(status, { location }).end();
}
