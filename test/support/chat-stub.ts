// A local endpoint that speaks the OpenAI chat format.
import { bodyOf, openStub } from "./stub.ts";

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
  const stub = await openStub(async (request, response) => {
    const body = JSON.parse(String(await bodyOf(request)));
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
  });
  return {
    url: `${stub.url}/v1`,
    calls,
    say: (given, reported) => {
      reply = given;
      usage = reported;
    },
    close: stub.close,
  };
}
