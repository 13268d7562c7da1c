// A local service that speaks Bedrock's wire format for RetrieveAndGenerate (REST JSON over HTTP/1.1).
import type { ServerResponse } from "node:http";
import { bodyOf, openStub } from "./stub.ts";

interface BedrockCall {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** From the signature's credential scope; empty when the request is not signed. */
  readonly region: string;
  readonly service: string;
  readonly sessionToken: string | undefined;
  readonly closed: Promise<void>;
}

export type BedrockReply =
  | { readonly kind: "ok"; readonly body: unknown }
  | {
      readonly kind: "error";
      readonly status: number;
      readonly name: string;
      readonly message: string;
    }
  | { readonly kind: "text"; readonly status: number; readonly text: string }
  | { readonly kind: "hang" };

export interface BedrockStub {
  readonly url: string;
  readonly calls: BedrockCall[];
  /** Replies to the next calls, one each; the last one is repeated. */
  reply(...replies: readonly BedrockReply[]): void;
  close(): Promise<void>;
}

const SCOPE =
  /Credential=[^/]+\/\d{8}\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=\S+, Signature=[0-9a-f]{64}/;

export async function startBedrockStub(): Promise<BedrockStub> {
  const calls: BedrockCall[] = [];
  let replies: readonly BedrockReply[] = [];
  const { url, close } = await openStub(async (request, response) => {
    const body = JSON.parse(String(await bodyOf(request)));
    const [, region = "", service = ""] = SCOPE.exec(request.headers.authorization ?? "") ?? [];
    calls.push({
      method: request.method ?? "",
      path: request.url ?? "",
      body,
      region,
      service,
      sessionToken: request.headers["x-amz-security-token"]?.toString(),
      closed: new Promise((resolve) => response.once("close", resolve)),
    });
    const [reply, ...rest] = replies;
    if (rest.length > 0) replies = rest;
    send(response, reply ?? { kind: "ok", body: {} });
  });
  return {
    url,
    calls,
    reply: (...given) => {
      replies = given;
    },
    close,
  };
}

function send(response: ServerResponse, reply: BedrockReply): void {
  if (reply.kind === "hang") return;
  if (reply.kind === "text") {
    response.writeHead(reply.status, { "content-type": "text/html" }).end(reply.text);
    return;
  }
  const status = reply.kind === "ok" ? 200 : reply.status;
  const body = reply.kind === "ok" ? reply.body : { message: reply.message };
  response.writeHead(status, {
    "content-type": "application/json",
    "x-amzn-requestid": "00000000-0000-4000-8000-000000000000",
    ...(reply.kind === "error" && { "x-amzn-errortype": reply.name }),
  });
  response.end(JSON.stringify(body));
}
