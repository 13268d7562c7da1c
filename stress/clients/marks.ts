// Stands between a client and the server, and puts a different mark into each part of every tool result, so that it can
// be seen which parts reach the model. As a program for stdio: node marks.ts SERVER ARGS…
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { ReadableStream } from "node:stream/web";
import { pathToFileURL } from "node:url";

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
}

interface Result {
  readonly content?: readonly Block[];
  readonly structuredContent?: object;
  readonly isError?: boolean;
}

/** The first characters of a PNG in base64. */
const IMAGE = "iVBORw0KGgo";

/** What stands for each part in what a model is sent. */
export const MARKS = {
  text: "in-the-text",
  note: "in-a-note",
  link: "in-a-link",
  image: IMAGE,
  "structured content": "in-the-structure",
  "error's text": "in-the-text-of-an-error",
  "error's structured content": "in-the-structure-of-an-error",
} as const;

function mark(result: Result): Result {
  const of = result.isError ? "-of-an-error" : "";
  const content = result.content?.map((block, at) => {
    if (block.type === "resource_link") return { ...block, name: `${block.name} ${MARKS.link}` };
    if (block.type !== "text" || block.text === undefined) return block;
    if (at > 0) return { ...block, text: `${block.text} ${MARKS.note}` };
    // Text alone reaches every model.
    if (result.structuredContent === undefined) return block;
    return {
      ...block,
      text: JSON.stringify({ ...JSON.parse(block.text), mark: `in-the-text${of}` }),
    };
  });
  const structuredContent = result.structuredContent && {
    ...result.structuredContent,
    mark: `in-the-structure${of}`,
  };
  return { ...result, content, ...(structuredContent && { structuredContent }) } as Result;
}

/** A line of JSON, alone or as an event's data; all others stay as they are. */
function markLine(line: string): string {
  const [, head = "", body = ""] = /^(data: )?(\{.*\})$/.exec(line) ?? [];
  if (body === "") return line;
  const message = JSON.parse(body) as { readonly result?: Result };
  if (!Array.isArray(message.result?.content)) return line;
  return head + JSON.stringify({ ...message, result: mark(message.result) });
}

export async function startMarkedHttp(target: string) {
  const server = createServer(async (request, response) => {
    const { method = "GET", url = "/", headers } = request;
    const { host: _host, connection: _connection, "content-length": _length, ...kept } = headers;
    const away = new AbortController();
    response.on("close", () => away.abort());
    try {
      const answer = await fetch(new URL(url, target), {
        method,
        headers: kept as Record<string, string>,
        ...(method === "POST" && { body: await buffer(request) }),
        signal: away.signal,
      });
      const { "content-length": _, ...given } = Object.fromEntries(answer.headers);
      response.writeHead(answer.status, given);
      const body = answer.body as ReadableStream | null;
      for await (const line of body ? createInterface({ input: Readable.fromWeb(body) }) : [])
        response.write(`${markLine(line)}\n`);
      response.end();
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function overStdio(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"] });
  child.on("exit", (code) => process.exit(code ?? 1));
  process.stdin.pipe(child.stdin);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  for await (const line of createInterface({ input: child.stdout }))
    process.stdout.write(`${markLine(line)}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await overStdio(process.argv.slice(2));
