// A server on this machine that speaks S3's protocol as far as we use it, and refuses what is not signed right: the
// signature is computed here anew, from AWS's published description.
import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyOf, openStub } from "./stub.ts";

export const S3_KEYS = { accessKeyId: "AKIDTEST", secretAccessKey: "secret/of+the=test" };
export const S3_REGION = "eu-test-1";

export interface S3Server {
  readonly url: string;
  /** Of every bucket, by `bucket/key`. */
  readonly objects: Map<string, { readonly bytes: Buffer; readonly modified: Date }>;
  /** Method and path of every request, those that were refused too. */
  readonly asked: string[];
  /** Responds to the next requests instead, one each. */
  readonly faults: ((response: ServerResponse) => unknown)[];
  /** Called at each request, before its response. */
  onRequest: () => unknown;
  put(path: string, content: string | Buffer, modified?: Date): void;
  close(): Promise<void>;
}

export async function startS3({ pageSize = 1_000 } = {}): Promise<S3Server> {
  const objects: S3Server["objects"] = new Map();
  const asked: string[] = [];
  const faults: S3Server["faults"] = [];
  const { url, close } = await openStub(async (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    started.onRequest();
    const body = await bodyOf(request);
    const fault = faults.shift();
    if (fault) {
      await fault(response);
      return;
    }
    const problem = problemIn(request, body);
    if (problem !== undefined) {
      refuse(response, 403, problem);
      return;
    }
    const { pathname, searchParams } = new URL(request.url ?? "", "http://s3");
    const path = pathname.slice(1).split("/").map(decodeURIComponent).join("/");
    const to = { request, response, objects, body };
    if (path.includes("/")) handleObject(path, to);
    else sendList(path, searchParams, { ...to, pageSize });
  });
  const started: S3Server = {
    ...{ url, objects, asked, faults, onRequest: () => {} },
    put(path, content, modified = new Date("2026-02-03T04:05:06Z")) {
      objects.set(path, { bytes: Buffer.from(content), modified });
    },
    close,
  };
  return started;
}

export function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { "content-type": "application/xml" });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
}

interface Handling {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly objects: S3Server["objects"];
  readonly body: Buffer;
}

function handleObject(path: string, { request, response, objects, body }: Handling): void {
  if (request.method === "PUT") objects.set(path, { bytes: body, modified: new Date() });
  if (request.method === "DELETE") objects.delete(path);
  const found = objects.get(path);
  if (request.method === "DELETE") response.writeHead(204).end();
  else if (found === undefined) refuse(response, 404, "NoSuchKey");
  else {
    const { bytes, modified } = found;
    const headers = { etag: etagOf(bytes), "last-modified": modified.toUTCString() };
    const length = request.method === "PUT" ? 0 : bytes.length;
    response.writeHead(200, { ...headers, "content-length": length });
    response.end(request.method === "GET" ? bytes : undefined);
  }
}

function sendList(
  bucket: string,
  query: URLSearchParams,
  { response, objects, pageSize }: Handling & { readonly pageSize: number },
): void {
  const start = `${bucket}/${query.get("prefix") ?? ""}`;
  const inBucket = [...objects].filter(([path]) => path.startsWith(`${bucket}/`));
  if (inBucket.length === 0) {
    refuse(response, 404, "NoSuchBucket");
    return;
  }
  const all = inBucket
    .filter(([path]) => path.startsWith(start))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const from = Number((query.get("continuation-token") ?? "+/<0").slice(3));
  const entries = all.slice(from, from + pageSize).map(([path, { bytes, modified }]) => {
    const key = encodeURIComponent(path.slice(bucket.length + 1)).replaceAll("%20", "+");
    const etag = etagOf(bytes).replaceAll('"', "&quot;");
    return `<Contents><Key>${key}</Key><LastModified>${modified.toISOString()}</LastModified>
      <ETag>${etag}</ETag><Size>${bytes.length}</Size></Contents>`;
  });
  const isCut = from + pageSize < all.length;
  const next = isCut
    ? `<NextContinuationToken>+/&lt;${from + pageSize}</NextContinuationToken>`
    : "";
  response.writeHead(200, { "content-type": "application/xml" });
  response.end(
    `<?xml version="1.0"?><ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${isCut}</IsTruncated>${next}${entries.join("")}</ListBucketResult>`,
  );
}

function etagOf(bytes: Buffer): string {
  return `"${createHash("md5").update(bytes).digest("hex")}"`;
}

/** The code of S3 for what is wrong with a request's signature or content. */
function problemIn({ method = "", url = "", headers }: IncomingMessage, body: Buffer) {
  const [, id, day = "", region, names = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    ) ?? [];
  if (id !== S3_KEYS.accessKeyId) return "InvalidAccessKeyId";
  if (region !== S3_REGION) return "AuthorizationHeaderMalformed";
  const signed = names.split(";");
  const isComplete = ["host", "x-amz-content-sha256", "x-amz-date"].every((name) =>
    signed.includes(name),
  );
  if (!isComplete || !String(headers["x-amz-date"]).startsWith(day)) return "AccessDenied";
  const given = Object.fromEntries(signed.map((name) => [name, String(headers[name])]));
  const expected = signatureOf({ method, url, headers: given }, S3_KEYS.secretAccessKey, region);
  if (signature !== expected) return "SignatureDoesNotMatch";
  const hash = createHash("sha256").update(body).digest("hex");
  return hash === headers["x-amz-content-sha256"] ? undefined : "XAmzContentSHA256Mismatch";
}

export interface SignedRequest {
  readonly method: string;
  readonly url: string;
  /** Those that are signed. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Signature version 4, for a path and query that are sent as they are signed. */
export function signatureOf(
  { method, url, headers }: SignedRequest,
  secret: string,
  region: string,
) {
  const [path = "", query = ""] = url.split("?");
  const names = Object.keys(headers).sort();
  const canonical = [
    ...[method, path, query.split("&").sort().join("&")],
    ...names.map((name) => `${name}:${headers[name]?.trim()}`),
    ...["", names.join(";"), headers["x-amz-content-sha256"]],
  ].join("\n");
  const date = headers["x-amz-date"] ?? "";
  const scope = [date.slice(0, 8), region, "s3", "aws4_request"];
  const hash = createHash("sha256").update(canonical).digest("hex");
  const hmac = (key: string | Buffer, text: string) =>
    createHmac("sha256", key).update(text).digest();
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, ["AWS4-HMAC-SHA256", date, scope.join("/"), hash].join("\n")).toString("hex");
}
