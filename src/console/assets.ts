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

const SPOKEN = ["en", "ja"] as const;
type SpokenLanguage = (typeof SPOKEN)[number];

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

export interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
}

export function sendPage({ request, response, path }: Visit, assets: Assets): void {
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
    vary: path === "/" ? "accept, accept-encoding, accept-language" : "accept-encoding",
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

/** Picks the first of the browser's languages that the console supports, or English. */
export function languageFor(accepted: string | undefined): SpokenLanguage {
  const wishes = (accepted ?? "")
    .slice(0, 500)
    .split(",")
    .map((part) => {
      const [tag = "", quality = "q=1"] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      return { language: tag.split("-")[0], weight: Number(quality.replace("q=", "")) || 0 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { language } of wishes) {
    const spoken = SPOKEN.find((each) => each === language);
    if (spoken) return spoken;
  }
  return "en";
}
