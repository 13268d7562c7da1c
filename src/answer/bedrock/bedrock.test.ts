// The error table, timeouts, cancelling and passed-through fields, on the real client against a local service.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  answerConfig,
  call,
  noSearch,
  recordingLog,
  useAwsEnvironment,
} from "../../../test/support/answers.ts";
import { type BedrockStub, startBedrockStub } from "../../../test/support/bedrock-stub.ts";
import { type Answerer, openAnswer } from "../answer.ts";

const target = { bedrockKbId: "KB12345678", bedrockModelArn: "arn:aws:bedrock:us-west-2::m" };
let stub: BedrockStub;
let restore: () => void;
let answerer: Answerer;

beforeEach(async () => {
  stub = await startBedrockStub();
  restore = useAwsEnvironment({ AWS_ENDPOINT_URL_BEDROCK_AGENT_RUNTIME: stub.url });
  answerer = openAnswer(answerConfig(target), noSearch());
});
afterEach(async () => {
  answerer.close();
  restore();
  await stub.close();
});

const ask = (args: object = {}) => call(answerer, { query: "What is it?", ...args });
const fail = (status: number, name: string, message = "because of that") =>
  stub.reply({ kind: "error", status, name, message });

describe("the error table", () => {
  test.each([
    [403, "AccessDeniedException"],
    [403, "UnrecognizedClientException"],
    [403, "ExpiredTokenException"],
    [403, "InvalidSignatureException"],
    [403, "MissingAuthenticationTokenException"],
  ])(
    "%i %s is an AuthenticationError that says how to fix the credentials",
    async (status, name) => {
      fail(status, name);
      expect(await ask()).toMatchObject({
        isError: true,
        payload: {
          error: true,
          error_type: "AuthenticationError",
          message: expect.stringMatching(new RegExp(`${name}.*AWS_ACCESS_KEY_ID.*AWS_PROFILE`)),
        },
      });
    },
  );

  test("no credentials at all is an AuthenticationError, and nothing is sent", async () => {
    delete process.env["AWS_ACCESS_KEY_ID"];
    const { payload, isError } = await ask();
    expect(isError).toBe(true);
    expect(payload).toMatchObject({ error: true, error_type: "AuthenticationError" });
    expect(stub.calls).toHaveLength(0);
  });

  test("an unknown knowledge base is a NotFoundError that names the id", async () => {
    fail(404, "ResourceNotFoundException");
    expect(await ask()).toMatchObject({
      isError: true,
      payload: {
        error: true,
        error_type: "NotFoundError",
        message: expect.stringContaining(target.bedrockKbId),
      },
    });
  });

  test.each([
    [400, "ValidationException"],
    [402, "ServiceQuotaExceededException"],
    [409, "ConflictException"],
  ])("%i %s is a ServiceError that keeps name and message", async (status, name) => {
    fail(status, name, "the details");
    expect((await ask()).payload).toEqual({
      error: true,
      error_type: "ServiceError",
      message: `${name}: the details`,
    });
  });

  test("a service that cannot be reached is a ServiceError", async () => {
    await stub.close();
    const { payload } = await ask();
    expect(payload).toMatchObject({
      error_type: "ServiceError",
      message: expect.stringMatching(/ECONNREFUSED/),
    });
  });

  test("a reply that is not JSON is a ServiceError", async () => {
    stub.reply({ kind: "text", status: 200, text: "<html>proxy</html>" });
    expect((await ask()).payload).toMatchObject({ error: true, error_type: "ServiceError" });
  });

  test.each([{ max_results: 0 }, { max_results: 101 }, { max_results: 1.5 }, { query: 7 }])(
    "%j is a ValidationError, and nothing is sent",
    async (args) => {
      const { payload, isError } = await ask(args);
      expect(isError).toBe(true);
      expect(payload).toMatchObject({ error: true, error_type: "ValidationError" });
      expect(stub.calls).toHaveLength(0);
    },
  );

  test("a missing query is a ValidationError that names it", async () => {
    const { payload } = await call(answerer, {});
    expect(payload).toMatchObject({
      error_type: "ValidationError",
      message: expect.stringMatching(/query/),
    });
  });
});

test("throttled calls are retried until the service responds", async () => {
  const throttled = {
    kind: "error",
    status: 429,
    name: "ThrottlingException",
    message: "slow down",
  } as const;
  stub.reply(throttled, { kind: "ok", body: { output: { text: "at last" }, citations: [] } });
  expect((await ask()).payload).toEqual({ answer: "at last", citations: [] });
  expect(stub.calls).toHaveLength(2);
});

test("a hung service ends as a ServiceError when the time is up", async () => {
  stub.reply({ kind: "hang" });
  const quick = openAnswer(answerConfig({ ...target, answerTimeoutSeconds: 0.3 }), noSearch());
  const { payload, isError } = await call(quick, { query: "What is it?" });
  expect(isError).toBe(true);
  expect(payload).toMatchObject({
    error_type: "ServiceError",
    message: expect.stringMatching(/TimeoutError/),
  });
  await stub.calls[0]?.closed;
  quick.close();
});

test("a cancelled call aborts its request", async () => {
  stub.reply({ kind: "hang" });
  const controller = new AbortController();
  const pending = call(answerer, { query: "What is it?" }, { signal: controller.signal });
  await expect.poll(() => stub.calls.length).toBe(1);
  controller.abort();
  expect(await pending).toMatchObject({
    isError: true,
    payload: { message: expect.stringMatching(/cancelled/) },
  });
  await stub.calls[0]?.closed;
});

test("a call that is cancelled beforehand sends nothing", async () => {
  await call(answerer, { query: "What is it?" }, { signal: AbortSignal.abort() });
  expect(stub.calls).toHaveLength(0);
});

test("a metadata filter is sent as the service's own conditions", async () => {
  await ask({ metadata_filter: { team: "legal", year: [2025, 2026] } });
  expect(stub.calls[0]?.body).toMatchObject({
    retrieveAndGenerateConfiguration: {
      knowledgeBaseConfiguration: {
        retrievalConfiguration: {
          vectorSearchConfiguration: {
            numberOfResults: 4,
            filter: {
              andAll: [
                { equals: { key: "team", value: "legal" } },
                { in: { key: "year", value: [2025, 2026] } },
              ],
            },
          },
        },
      },
    },
  });
});

test("metadata, images and rows are passed through; missing fields are empty", async () => {
  const image = "data:image/png;base64,AAAA";
  stub.reply({
    kind: "ok",
    body: {
      output: { text: "see the drawing" },
      citations: [
        {
          retrievedReferences: [
            { content: { type: "IMAGE", byteContent: image }, metadata: { page: 3 } },
            { content: { type: "ROW", row: [{ columnName: "a", columnValue: "1" }] } },
            {},
          ],
        },
        {},
      ],
    },
  });
  const { payload, structured } = await ask();
  const bare = { location: {}, score: null };
  expect(payload).toEqual({
    answer: "see the drawing",
    citations: [
      { content: "", ...bare },
      { content: "a: 1", ...bare },
      { content: "", ...bare },
    ],
  });
  expect(structured).toEqual({
    answer: "see the drawing",
    citations: [
      { content: "", ...bare, metadata: { page: 3 }, type: "IMAGE", image },
      { content: "a: 1", ...bare, type: "ROW" },
      { content: "", ...bare },
    ],
    grounded: true,
    kind: "bedrock",
    outcome: "answered",
  });
});

test("neither credentials nor signatures reach the log or a message", async () => {
  const { log, lines } = recordingLog();
  stub.reply({
    kind: "error",
    status: 403,
    name: "InvalidSignatureException",
    message: "The signature does not match.\n\nx-amz-security-token:session-for-tests",
  });
  const logged = openAnswer(answerConfig(target), { ...noSearch(), log });
  const { payload } = await call(logged, { query: "What is it?" }, { log });
  expect(JSON.stringify(payload)).not.toContain("session-for-tests");
  expect(lines.join("")).not.toContain("secret-for-tests");
  logged.close();
});
