// The built pages, read once into memory: the browser asks for nothing that is not in this list.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

export interface Asset {
  readonly type: string;
  readonly body: Buffer;
  readonly zipped: Buffer;
  readonly etag: string;
  /** Its name holds a hash of its content. */
  readonly immutable: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** By path: `/` and `/assets/…`. Empty when the pages were never built. */
export async function readAssets(folder: URL): Promise<ReadonlyMap<string, Asset>> {
  const names = await readdir(folder, { recursive: true }).catch(() => [] as string[]);
  const assets = new Map<string, Asset>();
  for (const name of names.map((path) => path.replaceAll("\\", "/"))) {
    const type = TYPES[extname(name)];
    if (!type) continue;
    const body = await readFile(new URL(name, folder));
    assets.set(name === "index.html" ? "/" : `/${name}`, {
      type,
      body,
      zipped: await promisify(gzip)(body),
      etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
      immutable: name.startsWith("assets/"),
    });
  }
  return assets;
}
