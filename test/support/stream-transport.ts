// stdio without a process: one JSON-RPC message per line, over two streams.
import { PassThrough } from "node:stream";
import type { Transport } from "@modelcontextprotocol/client";
import type { Mcp } from "../../src/mcp/mcp.ts";
import { runStdio } from "../../src/transports/stdio.ts";
import { silentLog } from "./silent-log.ts";

export interface Streams {
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  close(): Promise<void>;
}

export function openStreams(mcp: Mcp): Streams {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const stop = new AbortController();
  const log = silentLog();
  const ended = runStdio({ mcp, log, signal: stop.signal, stdin, stdout });
  return {
    stdin,
    stdout,
    async close() {
      stop.abort();
      await ended;
    },
  };
}

export function streamTransport({ stdin, stdout }: Streams): Transport {
  const transport: Transport = {
    async start() {
      readLines(stdout, (line) => transport.onmessage?.(JSON.parse(line)));
    },
    async send(message) {
      stdin.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      transport.onclose?.();
    },
  };
  return transport;
}

export function readLines(stream: PassThrough, onLine: (line: string) => void): void {
  let rest = "";
  stream.on("data", (part: Buffer) => {
    const lines = (rest + part.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
}
