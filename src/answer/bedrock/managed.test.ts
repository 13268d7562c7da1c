// Knowledge bases of both kinds and filters of every operator, on the real client against a local service.
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { answerConfig, call, noSearch, useAwsEnvironment } from "../../../test/support/answers.ts";
import { type BedrockStub, startBedrockStub } from "../../../test/support/bedrock-stub.ts";
import { type Answerer, openAnswer } from "../answer.ts";

const target = { bedrockKbId: "KB12345678", bedrockModelArn: "arn:aws:bedrock:us-west-2::m" };
const OK = { kind: "ok", body: { output: { text: "x" }, citations: [] } } as const;
let stub: BedrockStub;
let restore: () => void;

beforeAll(async () => {
  stub = await startBedrockStub();
  restore = useAwsEnvironment({
    AWS_ENDPOINT_URL_BEDROCK_AGENT_RUNTIME: stub.url,
    AWS_MAX_ATTEMPTS: "1",
  });
});
afterAll(async () => {
  restore();
  await stub.close();
});
beforeEach(() => {
  stub.calls.length = 0;
  stub.reply(OK);
});

async function withAnswerer<Result>(
  more: Parameters<typeof answerConfig>[0],
  use: (answerer: Answerer) => Promise<Result>,
): Promise<Result> {
  const answerer = openAnswer(answerConfig({ ...target, ...more }), noSearch());
  try {
    return await use(answerer);
  } finally {
    answerer.close();
  }
}

const refusing = (key: string) =>
  ({
    kind: "error",
    status: 400,
    name: "ValidationException",
    message: `Incompatible configuration: ${key} is not supported for this knowledge base.`,
  }) as const;

const sent = (): unknown[] =>
  stub.calls.map(
    ({ body }) =>
      (body as { retrieveAndGenerateConfiguration: { knowledgeBaseConfiguration: object } })
        .retrieveAndGenerateConfiguration.knowledgeBaseConfiguration,
  );
const search = (key: string, numberOfResults: number, filter?: object) => ({
  retrievalConfiguration: { [key]: { numberOfResults, ...(filter && { filter }) } },
});

describe("a managed knowledge base", () => {
  test("gets its own configuration after it rejected the other, and from then on at once", () =>
    withAnswerer({}, async (answerer) => {
      stub.reply(refusing("vectorSearchConfiguration"), OK);
      expect(await call(answerer, { query: "q", max_results: 7 })).not.toHaveProperty("isError");
      await call(answerer, { query: "again", max_results: 3, metadata_filter: { team: "web" } });
      expect(sent()).toMatchObject([
        search("vectorSearchConfiguration", 7),
        search("managedSearchConfiguration", 7),
        search("managedSearchConfiguration", 3, { equals: { key: "team", value: "web" } }),
      ]);
    }));

  test("gets its own configuration at once if the setting says so", () =>
    withAnswerer({ bedrockKbType: "managed" }, async (answerer) => {
      await call(answerer, { query: "q" });
      expect(sent()).toMatchObject([search("managedSearchConfiguration", 4)]);
    }));

  test("that rejects both configurations is called without one, but never without its filter", () =>
    withAnswerer({}, async (answerer) => {
      const refusals = ["vectorSearchConfiguration", "managedSearchConfiguration"].map(refusing);
      stub.reply(...refusals, OK);
      expect(await call(answerer, { query: "q" })).not.toHaveProperty("isError");
      expect(sent()[2]).not.toHaveProperty("retrievalConfiguration");
      stub.reply(...refusals);
      const refused = await call(answerer, { query: "q", metadata_filter: { team: "web" } });
      expect(refused).toMatchObject({ isError: true, payload: { error_type: "ServiceError" } });
      expect(sent()).toHaveLength(5);
    }));
});

test("other errors of the service are not retried", () =>
  withAnswerer({}, async (answerer) => {
    const message = "The model ARN provided is not supported.";
    stub.reply({ kind: "error", status: 400, name: "ValidationException", message });
    expect(await call(answerer, { query: "q" })).toMatchObject({ isError: true });
    expect(sent()).toHaveLength(1);
  }));

const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean());
const key = fc.string({ minLength: 1, maxLength: 20 });
const comparison = fc
  .tuple(
    fc.constantFrom(
      ...["equals", "notEquals", "greaterThan", "greaterThanOrEquals", "lessThan"],
      ...["lessThanOrEquals", "startsWith", "listContains", "stringContains"],
    ),
    fc.record({ key, value: scalar }, { noNullPrototype: true }),
  )
  .map(([operator, operand]) => ({ [operator]: operand }));
const membership = fc
  .tuple(
    fc.constantFrom("in", "notIn"),
    fc.record(
      { key, value: fc.array(scalar, { minLength: 1, maxLength: 5 }) },
      { noNullPrototype: true },
    ),
  )
  .map(([operator, operand]) => ({ [operator]: operand }));
const leaf: fc.Arbitrary<object> = fc.oneof(comparison, membership);
const group = (of: fc.Arbitrary<object>) =>
  fc
    .tuple(fc.constantFrom("andAll", "orAll"), fc.array(of, { minLength: 2, maxLength: 4 }))
    .map(([operator, operands]) => ({ [operator]: operands }));

test("a filter in Bedrock's form is sent unchanged, with any operators", () =>
  withAnswerer({}, async (answerer) => {
    const filters = fc.oneof(leaf, group(leaf), group(fc.oneof(leaf, group(leaf))));
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        stub.calls.length = 0;
        const result = await call(answerer, { query: "q", metadata_filter: filter });
        expect(result).not.toHaveProperty("isError");
        expect(sent()).toMatchObject([search("vectorSearchConfiguration", 4, filter)]);
      }),
      { numRuns: 60 },
    );
  }));

test.each([
  [{ near: { key: "a", value: 1 } }],
  [{ equals: { key: "a" } }],
  [{ in: { key: "a", value: 1 } }],
  [{ equals: { key: "a", value: [1] } }],
  [{ andAll: [{ equals: { key: "a", value: 1 } }] }],
  [{ equals: { key: "a", value: 1 }, in: { key: "b", value: [1] } }],
  [{ andAll: [{ equals: { key: "a", value: 1 } }, "b"] }],
])("%j is refused before anything is sent", (metadata_filter) =>
  withAnswerer({}, async (answerer) => {
    const refused = await call(answerer, { query: "q", metadata_filter });
    expect(refused).toMatchObject({ isError: true, payload: { error_type: "ValidationError" } });
    expect(sent()).toHaveLength(0);
  }),
);
