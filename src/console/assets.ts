// The built pages, read once into memory: the browser asks for nothing that is not in this list. They are sent with an
// ETag, so that the browser fetches them again only after they changed.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

interface Asset {
  readonly type: string;
  readonly body: Buffer;
  readonly zipped: Buffer;
  readonly etag: string;
  /** The name includes a hash of the content. */
  readonly immutable: boolean;
}

const TYPES = new Map(
  Object.entries({
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
  }),
);

/** Files by path: `/` and `/assets/…`. Empty if the pages were never built. */
export type Assets = ReadonlyMap<string, Asset>;

export async function readAssets(folder: URL): Promise<Assets> {
  const names = await readdir(folder, { recursive: true }).catch(() => [] as string[]);
  const files = new Map<string, Asset>();
  for (const name of names.map((path) => path.replaceAll("\\", "/"))) {
    const type = TYPES.get(extname(name));
    const path = name === "index.html" ? "/" : `/${name}`;
    if (type) files.set(path, await toAsset(await readFile(new URL(name, folder)), name, type));
  }
  return files;
}

async function toAsset(body: Buffer, name: string, type: string): Promise<Asset> {
  return {
    type,
    body,
    zipped: await promisify(gzip)(body),
    etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
    immutable: name.startsWith("assets/"),
  };
}

export interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
}

export function sendPage({ request, response, path }: Visit, assets: Assets): void {
  const asset = assets.get(path);
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
    vary: path === "/" ? "accept, accept-encoding" : "accept-encoding",
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
