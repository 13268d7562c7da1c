import type { IncomingMessage } from "node:http";

export type Body =
  | { readonly kind: "read"; readonly text: string }
  | { readonly kind: "too-large" }
  | { readonly kind: "broken" };

/** Stops reading as soon as the limit is passed, whatever the length header says. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) {
    return Promise.resolve({ kind: "too-large" });
  }
  const { promise, resolve } = Promise.withResolvers<Body>();
  const parts: Buffer[] = [];
  let size = 0;
  request.on("data", (part: Buffer) => {
    size += part.length;
    if (size > maxBytes) {
      request.pause();
      request.removeAllListeners("data");
      resolve({ kind: "too-large" });
    } else parts.push(part);
  });
  request.on("end", () => {
    const bytes = parts.length === 1 ? parts[0] : Buffer.concat(parts, size);
    resolve({ kind: "read", text: bytes?.toString("utf8") ?? "" });
  });
  request.on("error", () => resolve({ kind: "broken" }));
  request.on("aborted", () => resolve({ kind: "broken" }));
  return promise;
}
