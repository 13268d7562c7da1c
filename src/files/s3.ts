// A bucket of S3, or of a server that speaks its protocol: signed requests to one endpoint, which the operator named.
// The bucket is part of the path, because few other servers give each bucket a host; no redirect is followed.
import type { IncomingMessage } from "node:http";
import { defined } from "../domain/defined.ts";
import { KnowledgeError } from "../domain/errors.ts";
import { toMessage } from "../domain/phrases/messages.ts";
import {
  openSend,
  readBody,
  readText,
  type S3Call,
  type S3Options,
  type S3Upload,
  type Send,
  unavailable,
} from "./s3-request.ts";

export type { S3Options } from "./s3-request.ts";

export interface S3Object {
  readonly key: string;
  readonly sizeBytes: number;
  readonly etag?: string;
  /** ISO 8601. */
  readonly modified?: string;
}

interface S3Content extends S3Object {
  /** More than `maxBytes` are an error. Read or return it, or the connection stays open. */
  readonly bytes: AsyncGenerator<Uint8Array>;
}

export interface S3Bucket {
  list(prefix: string, signal: AbortSignal): AsyncGenerator<S3Object>;
  /** Undefined if there is none. */
  head(key: string, signal: AbortSignal): Promise<S3Object | undefined>;
  get(key: string, maxBytes: number, signal: AbortSignal): Promise<S3Content | undefined>;
  put(key: string, upload: S3Upload, signal: AbortSignal): Promise<void>;
  /** Also if there is none. */
  remove(key: string, signal: AbortSignal): Promise<void>;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** 1,000 keys of 1,024 bytes, each percent-encoded, with what belongs to them. */
const MAX_LIST_BYTES = 8 * 1024 * 1024;
const MAX_PAGES = 100_000;

export function isBucketName(name: string): boolean {
  return BUCKET.test(name) && !name.includes("..");
}

export function openBucket(bucket: string, options: S3Options): S3Bucket {
  if (!isBucketName(bucket))
    throw new KnowledgeError("INVALID_PARAMETER", "This is not the name of an S3 bucket.");
  const send = openSend(bucket, options);
  return {
    list: (prefix, signal) => list(send, prefix, signal),
    async head(key, signal) {
      const response = await find(send, { method: "HEAD", key, signal });
      if (response === undefined) return undefined;
      skip(response);
      return toObject(key, response);
    },
    async get(key, maxBytes, signal) {
      const response = await find(send, { method: "GET", key, signal });
      if (response === undefined) return undefined;
      return { ...toObject(key, response), bytes: readBody(response, maxBytes, signal) };
    },
    async put(key, upload, signal) {
      skip(await send({ method: "PUT", key, upload, signal }));
    },
    async remove(key, signal) {
      const response = await find(send, { method: "DELETE", key, signal });
      if (response !== undefined) skip(response);
    },
  };
}

/** The request has succeeded: what the rest of its response says does not matter. */
function skip(response: IncomingMessage): void {
  response.on("error", () => {}).resume();
}

async function* list(send: Send, prefix: string, signal: AbortSignal): AsyncGenerator<S3Object> {
  const query = { "list-type": "2", "encoding-type": "url", prefix };
  let token: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const asked = { ...query, ...defined({ "continuation-token": token }) };
    const response = await send({ method: "GET", query: asked, signal });
    const xml = await readText(response, MAX_LIST_BYTES, signal);
    const isEncoded = textOf(xml, "EncodingType") === "url";
    for (const entry of xml.split("<Contents>").slice(1)) yield toListed(entry, isEncoded);
    const next = textOf(xml, "NextContinuationToken");
    if (textOf(xml, "IsTruncated") !== "true") return;
    if (next === undefined || next === token) throw unavailable(toMessage("s3NoEnd"));
    token = next;
  }
}

function toListed(entry: string, isEncoded: boolean): S3Object {
  const name = textOf(entry, "Key") ?? "";
  const key = isEncoded ? decoded(name) : name;
  const modified = toInstant(textOf(entry, "LastModified"));
  const sizeBytes = Number(textOf(entry, "Size") ?? 0);
  return { key, sizeBytes, ...defined({ etag: textOf(entry, "ETag"), modified }) };
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll("+", " "));
  } catch (cause) {
    throw unavailable(toMessage("s3ListInvalid"), cause);
  }
}

function toObject(key: string, { headers }: IncomingMessage): S3Object {
  const { etag, "last-modified": modified, "content-length": length = "0" } = headers;
  return { key, sizeBytes: Number(length), ...defined({ etag, modified: toInstant(modified) }) };
}

function toInstant(date: string | undefined): string | undefined {
  const at = new Date(date ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** The text of the first element of this name; the responses have no attributes, comments or sections. */
function textOf(xml: string, name: string): string | undefined {
  const start = xml.indexOf(`<${name}>`);
  const end = start < 0 ? -1 : xml.indexOf(`</${name}>`, start);
  if (end < 0) return undefined;
  const text = xml.slice(start + name.length + 2, end);
  return text.replace(
    /&(quot|apos|lt|gt|amp|#34|#39);/g,
    (_, entity: string) => ENTITIES.get(entity) ?? "",
  );
}

const ENTITIES = new Map(
  Object.entries({ quot: '"', "#34": '"', apos: "'", "#39": "'", lt: "<", gt: ">", amp: "&" }),
);

/** Undefined if there is no such object. */
async function find(send: Send, call: S3Call): Promise<IncomingMessage | undefined> {
  try {
    return await send(call);
  } catch (thrown) {
    if (thrown instanceof KnowledgeError && thrown.code === "FILE_NOT_FOUND") return undefined;
    throw thrown;
  }
}
