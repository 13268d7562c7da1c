// Sends a page or one of its files from memory, with an ETag, so that the browser fetches it again only after it
// changed.
import type { IncomingMessage, ServerResponse } from "node:http";
import { languageFor } from "./accept-language.ts";
import type { Asset, Assets } from "./assets.ts";

interface Sending {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
}

export function sendPage({ request, response, path }: Sending, assets: Assets): void {
  const asset = path === "/" ? startPage(request, assets) : assets.files.get(path);
  if (!asset) {
    response.writeHead(404, { "content-type": "text/plain; charset=utf-8" });
    response.end(
      path === "/" ? "The console is not built: run npm run prepare.\n" : "Not found.\n",
    );
    return;
  }
  const headers = {
    etag: asset.etag,
    "cache-control": asset.immutable ? "public, max-age=31536000, immutable" : "no-cache",
    vary: path === "/" ? "accept-encoding, accept-language" : "accept-encoding",
  };
  if (request.headers["if-none-match"] === asset.etag) {
    response.writeHead(304, headers).end();
    return;
  }
  const zip = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  const body = zip ? asset.zipped : asset.body;
  response.writeHead(200, {
    ...headers,
    "content-type": asset.type,
    "content-length": body.length,
    ...(zip ? { "content-encoding": "gzip" } : {}),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

function startPage({ headers }: IncomingMessage, { start }: Assets): Asset | undefined {
  return start?.[languageFor(headers["accept-language"])];
}
