// A local endpoint that speaks the OpenAI chat format.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface ChatCall {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly model: string;
  readonly system: string;
  readonly user: string;
}

export interface ChatStub {
  readonly url: string;
  readonly calls: ChatCall[];
  /** What the model says; a number is a status without a reply, "hang" is silence. */
  say(reply: string | number, usage?: object): void;
  close(): Promise<void>;
}

export async function startChatStub(): Promise<ChatStub> {
  const calls: ChatCall[] = [];
  let reply: string | number = "";
  let usage: object | undefined;
  const server = createServer((request, response) => void handle(request, response));
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString("utf8"));
    calls.push({
      path: request.url ?? "",
      authorization: request.headers.authorization,
      model: body.model,
      system: body.messages[0].content,
      user: body.messages[1].content,
    });
    if (reply === "hang") return;
    if (typeof reply === "number") response.writeHead(reply).end("secret details of the endpoint");
    else response.end(JSON.stringify({ choices: [{ message: { content: reply } }], usage }));
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    say: (given, reported) => {
      reply = given;
      usage = reported;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
