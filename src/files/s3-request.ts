// Signed requests to a bucket: one endpoint, no redirects, bounded bodies, repeated where the server is busy.
import { createHash, createHmac } from "node:crypto";
import { type IncomingMessage, request } from "node:http";
import { request as requestSecure } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import type { SignatureV4 } from "@smithy/signature-v4";
import { KnowledgeError, tooLarge } from "../domain/errors.ts";
import { type Message, toMessage } from "../domain/phrases/messages.ts";
import { collect } from "./collect.ts";

export interface S3Options {
  /** Absent: AWS, in the region. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  /** Absent: where AWS's own tools look: the environment, the credentials file, the role of the machine. */
  readonly credentials?: S3Credentials;
}

interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** What is stored: `read` is called again when the request is repeated. */
export interface S3Upload {
  readonly sizeBytes: number;
  /** In hex; S3 refuses other content. */
  readonly sha256: string;
  read(): AsyncIterable<Uint8Array>;
}

export interface S3Call {
  readonly method: "GET" | "HEAD" | "PUT" | "DELETE";
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly upload?: S3Upload;
  readonly signal: AbortSignal;
}

export type Send = (call: S3Call) => Promise<IncomingMessage>;

const REGION = /^[a-z0-9-]{1,40}$/;
const MAX_ATTEMPTS = 3;
const RETRY_MS = 200;
/** How long a server may send nothing. */
const SILENCE_MS = 30_000;
const MAX_ERROR_BYTES = 64 * 1024;
const EMPTY = createHash("sha256").digest("hex");

/** Resolves with a response of success, whose body the caller reads. */
export function openSend(bucket: string, options: S3Options): Send {
  const target = { ...options, bucket, signer: openSigner(options) };
  return async (call) => {
    for (let attempt = 1; ; attempt += 1) {
      const tried = await attemptOf(call, target);
      if (tried.kind === "done") return tried.response;
      if (tried.kind === "refused" || attempt === MAX_ATTEMPTS) throw tried.problem;
      await wait(RETRY_MS * 2 ** attempt * Math.random(), undefined, call);
    }
  };
}

interface Target extends S3Options {
  readonly bucket: string;
  readonly signer: () => Promise<SignatureV4>;
  /** A bucket of AWS may be in a different region; the refusal names it. */
  region: string;
}

type Tried =
  | { readonly kind: "done"; readonly response: IncomingMessage }
  | { readonly kind: "refused" | "busy"; readonly problem: unknown };

async function attemptOf(call: S3Call, target: Target): Promise<Tried> {
  const { endpoint, bucket, region } = target;
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  const signed = await sign(toRequest(url, bucket, call), await target.signer(), region);
  try {
    const response = await ask(url, signed, call);
    const { statusCode: status = 0, headers } = response;
    if (status >= 200 && status < 300) return { kind: "done", response };
    const problem = toRefusal(status, await codeIn(response, call.signal));
    const home = headers["x-amz-bucket-region"]?.toString() ?? region;
    const isElsewhere = endpoint === undefined && home !== region && REGION.test(home);
    if (isElsewhere) target.region = home;
    return { kind: isElsewhere || status >= 500 || status === 429 ? "busy" : "refused", problem };
  } catch (thrown) {
    return { kind: "busy", problem: toProblem(thrown, call.signal) };
  }
}

interface Request {
  readonly method: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly path: string;
  readonly query: Record<string, string>;
  readonly headers: Record<string, string>;
}

function toRequest(url: URL, bucket: string, { method, key, query, upload }: S3Call): Request {
  const names = [bucket, ...(key === undefined ? [] : key.split("/"))].map(escaped);
  const size = upload && { "content-length": String(upload.sizeBytes) };
  return {
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    path: `${url.pathname.replace(/\/$/, "")}/${names.join("/")}`,
    query: { ...query },
    headers: { host: url.host, "x-amz-content-sha256": upload?.sha256 ?? EMPTY, ...size },
  };
}

function escaped(text: string): string {
  const toHex = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replace(/[!'()*]/g, toHex);
}

/** Loaded with the first request; credentials that expire are renewed by AWS's own code. */
function openSigner({ region, credentials }: S3Options): () => Promise<SignatureV4> {
  const open = async () => {
    const { SignatureV4 } = await import("@smithy/signature-v4");
    const { defaultProvider } = await import("@aws-sdk/credential-provider-node");
    const found = credentials ?? defaultProvider();
    const base = { service: "s3", region, sha256: Sha256, uriEscapePath: false };
    return new SignatureV4({ ...base, credentials: found });
  };
  let opened: Promise<SignatureV4> | undefined;
  return () => (opened ??= open());
}

async function sign(given: Request, signer: SignatureV4, signingRegion: string): Promise<Request> {
  try {
    return { ...given, ...(await signer.sign(given, { signingRegion })) } as Request;
  } catch (cause) {
    if ((cause as Error | null)?.name !== "CredentialsProviderError") throw cause;
    throw new KnowledgeError("ACCESS_DENIED", toMessage("s3NoCredentials"), { cause });
  }
}

/** The hash that the signer asks for. */
class Sha256 {
  readonly #hash;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash =
      secret === undefined ? createHash("sha256") : createHmac("sha256", secret as string);
  }
  update(data: Uint8Array): void {
    this.#hash.update(data);
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
  reset(): void {}
}

async function ask(url: URL, signed: Request, { upload, signal }: S3Call) {
  const { method, headers, path, query } = signed;
  const search = Object.entries(query).map(([name, value]) => `${name}=${escaped(value)}`);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const send = url.protocol === "https:" ? requestSecure : request;
  const asked = send(
    {
      ...{
        hostname: url.hostname.replace(/^\[|\]$/g, ""),
        port: url.port,
        method,
        headers,
        signal,
      },
      path: search.length === 0 ? path : `${path}?${search.join("&")}`,
      setHost: false,
    },
    resolve,
  );
  asked.on("error", reject);
  asked.setTimeout(SILENCE_MS, () => asked.destroy(new Error("silent")));
  if (upload === undefined) asked.end();
  // A failure of the file ends the request, which would wait for the rest of it.
  else pipeline(Readable.from(upload.read()), asked).catch(reject);
  return promise;
}

export async function* readBody(
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const part of response) {
      size += (part as Uint8Array).byteLength;
      if (size > maxBytes) throw tooLarge("fileTooLarge", maxBytes);
      yield part as Uint8Array;
    }
    if (!response.complete) throw unavailable(toMessage("s3Lost"));
  } catch (thrown) {
    throw toProblem(thrown, signal);
  } finally {
    response.destroy();
  }
}

export async function readText(response: IncomingMessage, maxBytes: number, signal: AbortSignal) {
  return (await collect(readBody(response, maxBytes, signal))).toString("utf8");
}

/** The code of a refusal; nothing else that the server says is shown. */
async function codeIn(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const text = await readText(response, MAX_ERROR_BYTES, signal).catch(() => "");
  return /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1] ?? "";
}

function toRefusal(status: number, code: string): KnowledgeError {
  const said = code === "" ? `status ${status}` : code;
  const missing = code === "NoSuchBucket" ? "s3NoBucket" : "s3NoObject";
  if (status === 404) return new KnowledgeError("FILE_NOT_FOUND", toMessage(missing));
  if (status === 401 || status === 403)
    return new KnowledgeError("ACCESS_DENIED", toMessage("s3Denied", said));
  return unavailable(toMessage("s3Responded", said));
}

function toProblem(thrown: unknown, signal: AbortSignal): unknown {
  if (thrown instanceof KnowledgeError) return thrown;
  signal.throwIfAborted();
  return unavailable(toMessage("s3Silent"), thrown);
}

export function unavailable(problem: Message, cause?: unknown): KnowledgeError {
  return new KnowledgeError("FILE_UNAVAILABLE", problem, { cause });
}
