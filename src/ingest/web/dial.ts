// One request over one connection to the address that was checked, without resolving the name again.
import { Buffer } from "node:buffer";
import { type IncomingMessage, request } from "node:http";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { KnowledgeError } from "../../domain/errors.ts";
import { type PageAddress, unreachable } from "./page-address.ts";

export type Dial = (to: { readonly address: string; readonly port: number }) => Socket;

export interface Asking {
  readonly address: string;
  readonly dial: Dial;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export const dialDirectly: Dial = ({ address, port }) =>
  connectTcp({ host: address, port, autoSelectFamily: false });

// How long a server may send nothing. The whole page has a separate limit.
const SILENCE_MS = 15_000;
const MAX_HEADER_BYTES = 16 * 1024;

/** Node's error codes for certificates it rejects. */
const WRONG_NAME = "ERR_TLS_CERT_ALTNAME_INVALID";
const UNTRUSTED = /CERT|LEAF_SIGNATURE/;

/** Resolves with the response's head; the caller reads the body. */
export function ask(page: PageAddress, asking: Asking): Promise<IncomingMessage> {
  const { url, isSecure, host, port } = page;
  const { address, dial, headers, signal } = asking;
  const servername = isIP(host) === 0 ? host : "";
  const open = () => {
    const socket = dial({ address, port });
    if (!isSecure) return socket;
    return connectTls({ socket, servername, host, ALPNProtocols: ["http/1.1"] });
  };
  return new Promise((resolve, reject) => {
    const failed = (thrown: unknown) => reject(toFailure(thrown, signal));
    const asked = request({
      createConnection: open,
      method: "GET",
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, connection: "close" },
      maxHeaderSize: MAX_HEADER_BYTES,
      setHost: false,
      signal,
    });
    asked.setTimeout(SILENCE_MS, () => asked.destroy(new Error("silent")));
    asked.on("error", failed);
    asked.on("response", resolve);
    asked.end();
  });
}

/** Reads at most `most` bytes and ignores the rest. */
export async function readSmall(body: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    parts.push(part);
    size += part.byteLength;
    if (size >= most) break;
  }
  return Buffer.concat(parts).subarray(0, most).toString("utf8");
}

export function toFailure(thrown: unknown, signal: AbortSignal): unknown {
  if (thrown instanceof KnowledgeError) return thrown;
  if (signal.aborted && signal.reason instanceof Error && signal.reason.name === "TimeoutError")
    return unreachable("It took too long.");
  if (signal.aborted) return new KnowledgeError("CANCELLED", "The call was cancelled.");
  const code = (thrown as NodeJS.ErrnoException | null)?.code ?? "";
  if (code === WRONG_NAME) return unreachable("The site's certificate is for another host name.");
  if (UNTRUSTED.test(code))
    return unreachable(
      "The site's certificate is not trusted: it has expired, or this server does not know its CA (NODE_EXTRA_CA_CERTS names your own).",
    );
  return unreachable("The site did not send a valid HTTP response.");
}
