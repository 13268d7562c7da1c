// A hub on this machine: files by repository, as they are offered under /REPOSITORY/resolve/main/FILE.

import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { openStub } from "./stub.ts";

export interface ModelHub {
  readonly url: string;
  /** The requests so far: the file's path, and where the rest of it began. */
  readonly requests: { readonly path: string; readonly from: number }[];
  offer(repository: string, files: ReadonlyMap<string, Buffer>): void;
  /** The next responses for this file send so many bytes each, then nothing until dropped; 0: ended at once. */
  cut(path: string, ...bytes: number[]): void;
  drop(): void;
  close(): Promise<void>;
}

export async function openModelHub(): Promise<ModelHub> {
  const files = new Map<string, Buffer>();
  const cuts = new Map<string, number[]>();
  const held = new Set<ServerResponse>();
  const requests: ModelHub["requests"] = [];
  const { url, close } = await openStub((request, response) => {
    const path = request.url ?? "";
    const bytes = files.get(path);
    if (bytes === undefined) {
      response.writeHead(404).end();
      return;
    }
    const etag = `"${createHash("sha256").update(bytes).digest("hex")}"`;
    const [, start = "0"] = /^bytes=(\d+)-$/.exec(request.headers.range ?? "") ?? [];
    const from = request.headers["if-range"] === etag ? Number(start) : 0;
    requests.push({ path, from });
    const rest = bytes.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, { etag, "content-length": rest.length });
    const cut = cuts.get(path)?.shift();
    if (cut === undefined) {
      response.end(rest);
      return;
    }
    if (cut === 0) response.destroy();
    else response.write(rest.subarray(0, cut));
    held.add(response);
  });
  return {
    url,
    requests,
    offer(repository, given) {
      for (const [name, bytes] of given) files.set(`/${repository}/resolve/main/${name}`, bytes);
    },
    cut: (path, ...bytes) => void cuts.set(path, bytes),
    drop() {
      for (const response of held) response.destroy();
      held.clear();
    },
    close,
  };
}
