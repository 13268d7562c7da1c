// Error messages are the program's own, never those of a validator or the JavaScript engine.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { wildValue } from "../../stress/fuzz/messages.ts";
import { openRandom } from "../../stress/fuzz/random.ts";
import { post } from "../support/clients.ts";
import { INHERITED } from "../support/inherited.ts";
import { startHttpProgram } from "../support/process.ts";
import { SEED } from "../support/seed.ts";

const METHODS = [
  "initialize",
  "ping",
  "tools/list",
  "tools/call",
  "tools/cancel",
  "resources/list",
  "resources/read",
  "resources/subscribe",
  "resources/unsubscribe",
  "resources/templates/list",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "subscriptions/listen",
  "logging/setLevel",
] as const;
const MEMBERS = [
  "name",
  "arguments",
  "uri",
  "cursor",
  "taskId",
  "ref",
  "argument",
  "context",
  "level",
];
const TRIES = 25;
const LONGEST = 800;
const FOREIGN =
  /\n|Invalid input|expected \w+, received|invalid_type|Zod|(?:Type|Range|Syntax|Reference)Error|Maximum call stack|Cannot (?:read|convert)|is not a function|Unexpected token|node:|\.ts\b/;

let http: Awaited<ReturnType<typeof startHttpProgram>>;
beforeAll(async () => {
  http = await startHttpProgram({ args: [] });
});
afterAll(async () => void (await http.stop()));

interface Answer {
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: { readonly error_type?: string };
  };
}

const ask = async (method: string, params: unknown): Promise<Answer> => {
  const text = typeof params === "string" ? params : JSON.stringify(params);
  const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${text}}`;
  return (await (await post(http.url, body)).json()) as Answer;
};

describe(`seed ${SEED}`, () => {
  test.each(METHODS)("%s rejects wrong parameters with our own short message", async (method) => {
    const random = openRandom(SEED);
    const given = Array.from({ length: TRIES }, () => {
      const members = MEMBERS.filter(() => random.chance(0.4));
      return `{${members.map((name) => `"${name}":${wildValue(random)}`).join(",")}}`;
    });
    for (const params of given) {
      const { error } = await ask(method, params);
      expect(error?.message ?? "", params).not.toMatch(FOREIGN);
      expect((error?.message ?? "").length, params).toBeLessThan(LONGEST);
    }
  });
});

test("for many or long wrong arguments the error shows the first ones, truncated", async () => {
  const many = Object.fromEntries(Array.from({ length: 1_900 }, (_, at) => [`key-${at}`, 1]));
  const long = { ["x".repeat(1_000_000)]: 1 };
  for (const args of [many, long]) {
    const { error } = await ask("prompts/get", { name: "answer-from-knowledge", arguments: args });
    expect(error?.code).toBe(-32602);
    expect(error?.message.length).toBeLessThan(LONGEST);
  }
});

describe("names inherited from Object.prototype are unknown names", () => {
  test.each(INHERITED)("%s", async (name) => {
    const completion = {
      ref: { type: "ref/resource", uri: "knowledge://scopes/{id}" },
      argument: { name, value: "a" },
    };
    expect((await ask("tools/call", { name })).error?.data?.error_type).toBe("unknown_tool");
    expect((await ask("prompts/get", { name })).error?.data?.error_type).toBe("unknown_prompt");
    expect(
      (await ask("prompts/get", { name: "answer-from-knowledge", arguments: { [name]: "x" } }))
        .error?.data?.error_type,
    ).toBe("missing_required_parameter");
    expect(await ask("completion/complete", completion)).toMatchObject({
      result: { completion: { values: [] } },
    });
    expect((await ask("resources/read", { uri: name })).error?.code).toBe(-32602);
    expect((await ask(name, {})).error?.code).toBe(-32601);
  });
});
