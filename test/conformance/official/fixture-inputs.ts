// Tools that end with "input required" and go on when the client repeats the call with its answers.
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Fixture } from "./fixture.ts";

const ask = (message: string, field: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: "object",
      properties: { [field]: { type: "string" } },
      required: [field],
    },
  });
const confirm = inputRequired.elicit({
  message: "Please confirm",
  requestedSchema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
});
const sample = (text: string, maxTokens: number) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text } }],
    maxTokens,
  });
const done = (text: string) => ({ content: [{ type: "text" as const, text }] });

type Request = ServerContext["mcpReq"];
type Outcome = ReturnType<typeof done> | ReturnType<typeof inputRequired>;

export function addInputTools(server: McpServer, { states }: Fixture): void {
  const add = (name: string, run: (request: Request) => Outcome | Promise<Outcome>) =>
    server.registerTool(
      `test_input_required_result_${name}`,
      { description: `Fixture: input required (${name})` },
      async (context) => run((context as ServerContext).mcpReq),
    );
  const mint = async (step: string) => states.mint({ step });

  add("elicitation", (request) => {
    const name = fieldOf(request, "user_name", "name");
    if (name !== undefined) return done(`Hello, ${name}!`);
    return inputRequired({ inputRequests: { user_name: ask("What is your name?", "name") } });
  });
  add("sampling", (request) => {
    const reply = request.inputResponses?.["capital_question"];
    if (reply) return done(`The model says: ${JSON.stringify(reply)}`);
    const capital_question = sample("What is the capital of France?", 100);
    return inputRequired({ inputRequests: { capital_question } });
  });
  add("list_roots", (request) => {
    const reply = request.inputResponses?.["client_roots"];
    if (reply) return done(`The roots: ${JSON.stringify(reply)}`);
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  add("request_state", async (request) => {
    if (stepOf(request) === "confirm" && request.inputResponses?.["confirm"])
      return done("state-ok");
    return inputRequired({
      inputRequests: { confirm },
      requestState: await mint("confirm"),
    });
  });
  add("tampered_state", async (request) => {
    if (stepOf(request) === "signed") return done("The state is whole.");
    return inputRequired({
      inputRequests: { confirm },
      requestState: await mint("signed"),
    });
  });
  add("multiple_inputs", async (request) => {
    const given = Object.keys(request.inputResponses ?? {});
    if (["user_name", "greeting", "client_roots"].every((key) => given.includes(key))) {
      return done("All three are here.");
    }
    return inputRequired({
      inputRequests: {
        user_name: ask("What is your name?", "name"),
        greeting: sample("Generate a greeting", 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await mint("three"),
    });
  });
  add("multi_round", async (request) => {
    const step = stepOf(request);
    if (step === "two" && request.inputResponses?.["step2"]) return done("Both steps are done.");
    const next = step === "one" && request.inputResponses?.["step1"] ? "two" : "one";
    const question =
      next === "one"
        ? { step1: ask("Step 1: What is your name?", "name") }
        : { step2: ask("Step 2: What is your favorite color?", "color") };
    return inputRequired({ inputRequests: question, requestState: await mint(next) });
  });
  add("capabilities", (request) => {
    const declared = (request.envelope as Record<string, Record<string, unknown>> | undefined)?.[
      CLIENT_CAPABILITIES_META_KEY
    ];
    return inputRequired({
      inputRequests: {
        ...(declared?.["sampling"] ? { greeting: sample("Generate a greeting", 50) } : {}),
        ...(declared?.["elicitation"] ? { user_name: ask("What is your name?", "name") } : {}),
      },
    });
  });
  addInputPrompt(server);
}

function addInputPrompt(server: McpServer): void {
  server.registerPrompt(
    "test_input_required_result_prompt",
    { description: "Fixture: input required" },
    async (context) => {
      const request = (context as ServerContext).mcpReq;
      const given = fieldOf(request, "user_context", "context");
      if (given === undefined) {
        const user_context = ask("What context should the prompt use?", "context");
        return inputRequired({ inputRequests: { user_context } });
      }
      return {
        messages: [{ role: "user" as const, content: { type: "text" as const, text: given } }],
      };
    },
  );
}

/** Undefined when it is missing; a protocol error when it is there in another shape. */
function fieldOf({ inputResponses }: Request, key: string, field: string): string | undefined {
  const reply = inputResponses?.[key] as { content?: Record<string, unknown> } | undefined;
  if (reply === undefined) return undefined;
  const value = reply.content?.[field];
  if (typeof value === "string") return value;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `The answer to '${key}' has no '${field}'.`,
  );
}

function stepOf(request: Request): string | undefined {
  return request.requestState<{ step: string } | undefined>()?.step;
}
