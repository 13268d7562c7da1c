// The built pages, read once into memory: the browser asks for nothing that is not in this list.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { SpokenLanguage } from "./accept-language.ts";

export interface Asset {
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

export interface Assets {
  /** Files by path: `/assets/…`. Empty if the pages were never built. */
  readonly files: ReadonlyMap<string, Asset>;
  /** The page that loads the rest, once per language, so that its first paint and its `lang` are right. */
  readonly start?: Readonly<Record<SpokenLanguage, Asset>>;
}

export async function readAssets(folder: URL): Promise<Assets> {
  const names = await readdir(folder, { recursive: true }).catch(() => [] as string[]);
  const files = new Map<string, Asset>();
  for (const name of names.map((path) => path.replaceAll("\\", "/"))) {
    const type = TYPES.get(extname(name));
    if (type)
      files.set(`/${name}`, await toAsset(await readFile(new URL(name, folder)), name, type));
  }
  const english = files.get("/index.html");
  if (!english) return { files };
  files.delete("/index.html");
  const text = english.body.toString().replace('<html lang="en">', '<html lang="ja">');
  const japanese = await toAsset(Buffer.from(text), "index.html", english.type);
  return { files, start: { en: english, ja: japanese } };
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
