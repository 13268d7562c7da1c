import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Original } from "../tools/operations.ts";

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
  });
  response.end(text);
}

export async function sendFile(
  response: ServerResponse,
  original: Original,
  headers: OutgoingHttpHeaders,
): Promise<void> {
  response.writeHead(200, { ...headers, "content-length": original.sizeBytes });
  try {
    await pipeline(original.body, response);
  } finally {
    await original.release();
  }
}
